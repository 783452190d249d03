//! Splitting a JSON body into the messages that a stream stores.

use bytes::Bytes;

use super::{
    fault::{InvalidJson, JsonFault},
    nesting::{Kind, Nesting},
    scan::Scanner,
};

/// The messages of one body, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// The text of every message as it is stored: each ends with an LF and holds no other.
    pub text: Bytes,
    /// How many messages there are; zero for an empty array.
    pub count: u64,
}

/// Splits a body into messages.
///
/// The body must be UTF-8 and exactly one value of RFC 8259, white space around it allowed; a byte order
/// mark is not. A top-level array is flattened once: each element is a message. Any other value is one
/// message. A message is its own text without the white space outside strings; member order, duplicate
/// members, the spelling of numbers and escapes all stay. Lone surrogates in `\u` escapes and numbers of
/// any magnitude are accepted.
///
/// One message may be nested 127 deep, where a scalar has depth 0 and `[]` depth 1, and the array that is
/// flattened away does not count. Time and memory are linear in the body, whatever it holds.
pub fn split_messages(body: &[u8]) -> Result<Messages, InvalidJson> {
    if let Err(error) = std::str::from_utf8(body) {
        return Err(InvalidJson { fault: JsonFault::NotUtf8, at: error.valid_up_to() });
    }
    let mut scanner = Scanner::new(body);
    scanner.skip_blanks();
    let count = if scanner.take(b'[') {
        elements(&mut scanner)?
    } else {
        message(&mut scanner)?;
        1
    };
    scanner.skip_blanks();
    if scanner.peek().is_some() {
        return Err(scanner.fault(JsonFault::TrailingText));
    }
    Ok(Messages { text: scanner.into_copy().into(), count })
}

/// The elements of the array that is flattened, each a message; its opening bracket has been passed.
fn elements(scanner: &mut Scanner<'_>) -> Result<u64, InvalidJson> {
    scanner.leave_out();
    scanner.skip_blanks();
    if scanner.take(b']') {
        scanner.leave_out();
        return Ok(0);
    }
    let mut count = 0;
    loop {
        message(scanner)?;
        count += 1;
        scanner.skip_blanks();
        let more = scanner.take(b',');
        if !more && !scanner.take(b']') {
            return Err(scanner.fault(JsonFault::ExpectedCommaOrClose));
        }
        scanner.leave_out();
        if !more {
            return Ok(count);
        }
    }
}

/// One value with everything inside it, without recursion: a client chooses how deep it goes.
fn message(scanner: &mut Scanner<'_>) -> Result<(), InvalidJson> {
    let mut nesting = Nesting::default();
    loop {
        scanner.skip_blanks();
        let complete = value(scanner, &mut nesting)?;
        if complete && close(scanner, &mut nesting)? {
            scanner.end_message();
            return Ok(());
        }
    }
}

/// Passes a scalar or an empty array or object, and is true then; or opens one that holds something and
/// goes as far as its first value.
fn value(scanner: &mut Scanner<'_>, nesting: &mut Nesting) -> Result<bool, InvalidJson> {
    match scanner.peek() {
        Some(b'"') => {
            scanner.advance();
            scanner.rest_of_string()?;
        }
        Some(b'-' | b'0'..=b'9') => scanner.number()?,
        Some(b'{') => return open(scanner, nesting, Kind::Object, b'}'),
        Some(b'[') => return open(scanner, nesting, Kind::Array, b']'),
        Some(b't') => scanner.literal("true")?,
        Some(b'f') => scanner.literal("false")?,
        Some(b'n') => scanner.literal("null")?,
        _ => return Err(scanner.fault(JsonFault::ExpectedValue)),
    }
    Ok(true)
}

fn open(scanner: &mut Scanner<'_>, nesting: &mut Nesting, kind: Kind, closing: u8) -> Result<bool, InvalidJson> {
    if !nesting.open(kind) {
        return Err(scanner.fault(JsonFault::TooDeep));
    }
    scanner.advance();
    scanner.skip_blanks();
    if scanner.take(closing) {
        nesting.close();
        return Ok(true);
    }
    if kind == Kind::Object {
        name(scanner)?;
    }
    Ok(false)
}

/// Goes on behind a complete value: closes all that ends here. True when nothing is open any more, false
/// when another value follows.
fn close(scanner: &mut Scanner<'_>, nesting: &mut Nesting) -> Result<bool, InvalidJson> {
    while let Some(kind) = nesting.innermost() {
        scanner.skip_blanks();
        if scanner.take(b',') {
            if kind == Kind::Object {
                scanner.skip_blanks();
                name(scanner)?;
            }
            return Ok(false);
        }
        if !scanner.take(if kind == Kind::Object { b'}' } else { b']' }) {
            return Err(scanner.fault(JsonFault::ExpectedCommaOrClose));
        }
        nesting.close();
    }
    Ok(true)
}

/// Passes the name of a member and its colon.
fn name(scanner: &mut Scanner<'_>) -> Result<(), InvalidJson> {
    if !scanner.take(b'"') {
        return Err(scanner.fault(JsonFault::ExpectedName));
    }
    scanner.rest_of_string()?;
    scanner.skip_blanks();
    if !scanner.take(b':') {
        return Err(scanner.fault(JsonFault::ExpectedColon));
    }
    Ok(())
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "message_properties.rs"]
mod properties;
