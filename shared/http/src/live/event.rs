//! The text of server-sent events.

use bytes::Bytes;
use serde::Serialize;
use wadi_protocol::{Offset, Refusal};

/// A comment: it keeps proxies from closing a quiet connection and moves no offset.
pub(super) const COMMENT: &str = ": still here\n\n";

/// What follows every step: where the reader stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Control {
    pub(super) stream_next_offset: Offset20,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_cursor: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) up_to_date: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) stream_closed: bool,
}

/// An offset in its text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offset20(pub(super) Offset);

impl Serialize for Offset20 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// A data event. A reader that takes the event apart by the standard gets `text` back, but for CR
/// and NUL, which no event can carry: they are dropped.
pub(super) fn data(text: &str, after: Offset) -> String {
    let mut event = String::with_capacity(text.len() + 64);
    event.push_str("event: data\n");
    for line in text.split('\n') {
        let mut chars = line.chars().filter(|char| !matches!(char, '\r' | '\0')).peekable();
        // A parser drops one blank after the colon: a line that begins with one needs another.
        event.push_str(if chars.peek() == Some(&' ') { "data: " } else { "data:" });
        event.extend(chars);
        event.push('\n');
    }
    event.push_str("id: ");
    event.push_str(&after.to_string());
    event.push_str("\n\n");
    event
}

/// A control event.
pub(super) fn control(control: &Control) -> String {
    let json = serde_json::to_string(control).unwrap_or_default();
    format!("event: control\ndata:{json}\nid: {}\n\n", control.stream_next_offset.0)
}

/// An error event: the last one of its connection.
pub(super) fn error(refusal: &Refusal) -> String {
    format!("event: error\ndata:{}\n\n", crate::answer::error_body(refusal.code(), &refusal.message()))
}

/// The longest part of `bytes` that ends between characters: what follows it is the beginning of
/// one that may still be completed.
pub(super) fn whole_characters(bytes: &Bytes) -> usize {
    let longest_tail = bytes.len().min(3);
    for back in 1..=longest_tail {
        let at = bytes.len() - back;
        let byte = bytes[at];
        if byte & 0b1100_0000 == 0b1000_0000 {
            continue;
        }
        let needs = match byte {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        let may_be_completed =
            needs > back && std::str::from_utf8(&bytes[at..]).is_err_and(|error| error.error_len().is_none());
        return if may_be_completed { at } else { bytes.len() };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_events_carry_text_line_by_line() {
        let at = Offset::new(7);
        let (head, end) = ("event: data\n", "id: 00000000000000000007\n\n");
        for (text, lines) in [
            ("a", "data:a\n"),
            ("a\n", "data:a\ndata:\n"),
            (" a\n\nb", "data:  a\ndata:\ndata:b\n"),
            ("a\r\nevent: control\r\n", "data:a\ndata:event: control\ndata:\n"),
            ("a\r\revent: x\0", "data:aevent: x\n"),
            ("\r a", "data:  a\n"),
        ] {
            assert_eq!(data(text, at), format!("{head}{lines}{end}"), "{text:?}");
        }
    }

    #[test]
    fn control_events_leave_out_what_is_not_so() {
        let open = Control {
            stream_next_offset: Offset20(Offset::new(5)),
            stream_cursor: Some("9".to_owned()),
            up_to_date: true,
            stream_closed: false,
        };
        assert_eq!(
            control(&open),
            "event: control\n\
             data:{\"streamNextOffset\":\"00000000000000000005\",\"streamCursor\":\"9\",\"upToDate\":true}\n\
             id: 00000000000000000005\n\n"
        );
    }

    #[test]
    fn text_is_cut_between_characters_unless_it_can_never_become_valid() {
        for (bytes, whole) in [
            (&b""[..], 0),
            (b"ab", 2),
            ("gr\u{fc}".as_bytes(), 4),
            (b"gr\xC3", 2),
            (b"\xE2\x82", 0),
            (b"a\xF0\x9F\x98", 1),
            (b"a\xF0\x9F\x98\x80", 5),
            (b"a\x80", 2),
            (b"a\xFF", 2),
            (b"\x80\x80\x80\x80", 4),
            (b"a\xE0\x80", 3),
        ] {
            assert_eq!(whole_characters(&Bytes::copy_from_slice(bytes)), whole, "{bytes:x?}");
        }
    }
}
