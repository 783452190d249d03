//! Reading JSON tokens while copying the text around the white space.

use memchr::memchr2;

use super::fault::{InvalidJson, JsonFault};

/// Strings up to this length are searched byte by byte: most are short, and a search over wide registers
/// costs more to set up than it saves on them.
const SHORT_STRING_BYTES: usize = 16;

/// A position in a body, and a copy of what was passed but for white space.
///
/// Text is copied in runs: what lies between `copied` and `at` belongs to the copy but is not in it yet.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    copied: usize,
    copy: Vec<u8>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // The copy is at most one byte longer, the LF after a single message: of an array, each comma
        // makes room for an LF and so does a bracket.
        Self { bytes, at: 0, copied: 0, copy: Vec::with_capacity(bytes.len() + 1) }
    }

    pub(super) fn into_copy(self) -> Vec<u8> {
        self.copy
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// Steps over the next byte if it is `byte`.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// What was passed and not yet copied is left out of the copy.
    #[inline]
    pub(super) fn leave_out(&mut self) {
        self.copied = self.at;
    }

    /// Copies what was passed, and an LF.
    #[inline]
    pub(super) fn end_message(&mut self) {
        self.copy_run();
        self.copy.push(b'\n');
    }

    /// Passes white space, which is left out of the copy.
    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        if self.peek().is_some_and(is_blank) {
            self.copy_run();
            while self.peek().is_some_and(is_blank) {
                self.at += 1;
            }
            self.copied = self.at;
        }
    }

    #[inline]
    fn copy_run(&mut self) {
        self.copy.extend_from_slice(&self.bytes[self.copied..self.at]);
        self.copied = self.at;
    }

    /// The fault at this position; where the body has ended, that is the fault.
    pub(super) fn fault(&self, fault: JsonFault) -> InvalidJson {
        let fault = if self.at < self.bytes.len() { fault } else { JsonFault::UnexpectedEnd };
        InvalidJson { fault, at: self.at.min(self.bytes.len()) }
    }

    /// Passes `true`, `false` or `null`.
    pub(super) fn literal(&mut self, literal: &str) -> Result<(), InvalidJson> {
        for byte in literal.bytes() {
            if !self.take(byte) {
                return Err(self.fault(JsonFault::ExpectedValue));
            }
        }
        Ok(())
    }

    /// Passes a number: an optional minus, digits without a leading zero, an optional fraction, an
    /// optional exponent. Its magnitude does not matter.
    #[inline]
    pub(super) fn number(&mut self) -> Result<(), InvalidJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _signed = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    #[inline]
    fn digits(&mut self) -> Result<(), InvalidJson> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.fault(JsonFault::InvalidNumber)) } else { Ok(()) }
    }

    /// Passes a string; this position is behind its opening quote.
    #[inline]
    pub(super) fn rest_of_string(&mut self) -> Result<(), InvalidJson> {
        loop {
            self.at += plain_length(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return Err(self.fault(JsonFault::ControlCharacter)),
            }
        }
    }

    /// Passes a backslash and its escape. `\u` takes any four digits: a surrogate may stand alone.
    fn escape(&mut self) -> Result<(), InvalidJson> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.fault(JsonFault::InvalidEscape));
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.fault(JsonFault::InvalidEscape)),
        }
        Ok(())
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Bytes before the first quote, backslash or control character, or all of them.
fn plain_length(text: &[u8]) -> usize {
    let short = text.len().min(SHORT_STRING_BYTES);
    let (near, far) = text.split_at(short);
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    if let Some(length) = near.iter().position(is_special) {
        return length;
    }
    let run = &far[..memchr2(b'"', b'\\', far).unwrap_or(far.len())];
    // Without an early exit this is checked many bytes at a time; the place matters only when there is one.
    let least = run.iter().copied().fold(u8::MAX, u8::min);
    let length = if least < 0x20 { run.iter().position(is_special).unwrap_or(run.len()) } else { run.len() };
    short + length
}
