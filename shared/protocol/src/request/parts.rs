//! The parts of a snapshot: staging one, committing them, discarding them.

use std::collections::HashSet;

use super::PublishRequest;
use crate::{
    ContentType, Incarnation, PartId,
    limits::{PARTS_LIST_BYTES_MAX, SNAPSHOT_PARTS_MAX},
    state::SnapshotName,
};

/// A request to stage a part, or to discard all that are staged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsRequest {
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
}

/// A request to publish a snapshot that is put together from parts, but for the names of the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRequest {
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
    /// Offset and digest of the whole.
    pub name: SnapshotName,
    /// `Content-Type` in normal form, or `application/octet-stream`.
    pub content_type: ContentType,
    /// How many parts.
    pub parts: u64,
}

impl CommitRequest {
    /// `Stream-Snapshot-Parts`: decimal without a leading zero, 1 to 4,096.
    pub fn parse_count(text: &str) -> Option<u64> {
        let canonical = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|count| canonical && (1..=SNAPSHOT_PARTS_MAX).contains(count))
    }

    /// The publish that it comes to, with what its parts come to in bytes.
    pub fn publish(&self, bytes: u64) -> PublishRequest {
        let (incarnation, name, content_type) = (self.incarnation, self.name, self.content_type.clone());
        PublishRequest { incarnation, name, content_type, bytes }
    }
}

/// The names of `count` parts, in order, from the body of a commit: each ends with one LF, the last too, and
/// no two are alike. `None` for anything else (wire contract, "Snapshots in parts").
pub fn parse_parts(body: &[u8], count: u64) -> Option<Vec<PartId>> {
    if body.len() as u64 > PARTS_LIST_BYTES_MAX {
        return None;
    }
    let text = std::str::from_utf8(body).ok()?.strip_suffix('\n')?;
    let parts = text.split('\n').map(PartId::parse).collect::<Result<Vec<_>, _>>().ok()?;
    let distinct = parts.iter().collect::<HashSet<_>>().len() == parts.len();
    (distinct && parts.len() as u64 == count).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_one_a_line() {
        let named = |text: &str, count| {
            parse_parts(text.as_bytes(), count)
                .map(|parts| parts.iter().map(PartId::to_string).collect::<Vec<_>>().join(" "))
        };
        let longest = "x".repeat(64);
        for (text, count, expected) in [
            ("a\n", 1, Some("a")),
            ("b\na\n", 2, Some("b a")),
            (&*format!("{longest}\n"), 1, Some(&*longest)),
            ("a", 1, None),
            ("a\nb", 2, None),
            ("a\n", 2, None),
            ("a\nb\n", 1, None),
            ("a\na\n", 2, None),
            ("a\n\n", 1, None),
            ("a\n\n", 2, None),
            ("\n", 1, None),
            ("", 1, None),
            ("a\r\n", 1, None),
            ("a b\n", 1, None),
            (&*format!("{longest}x\n"), 1, None),
            ("\u{e9}\n", 1, None),
        ] {
            assert_eq!(named(text, count).as_deref(), expected, "{text:?} {count}");
        }
        assert_eq!(parse_parts(b"\xff\n", 1), None);
    }

    #[test]
    fn counts() {
        for (text, count) in [("1", Some(1)), ("4096", Some(4096)), ("4097", None), ("0", None), ("01", None)] {
            assert_eq!(CommitRequest::parse_count(text), count, "{text}");
        }
        for text in ["", "+1", "-1", "1.0", " 1", "x", "18446744073709551617"] {
            assert_eq!(CommitRequest::parse_count(text), None, "{text}");
        }
    }

    #[test]
    fn as_many_as_one_commit_may_name() {
        let all: String = (0..4096).fold(String::new(), |all, number| format!("{all}{number:064}\n"));
        assert_eq!(parse_parts(all.as_bytes(), 4096).map(|parts| parts.len()), Some(4096));
        assert_eq!(parse_parts(format!("{all}x\n").as_bytes(), 4097), None);
    }
}
