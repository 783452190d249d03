//! The values of headers and parameters.

use std::fmt::Display;

use wadi_protocol::{
    ByteRange, ContentType, Digest, EndTag, Epoch, IfMatch, IfNoneMatch, Incarnation, Lifetime, Offset, ProducerId,
    ProducerSeq, ReadFrom, ReadTag, StreamSeq, Timestamp,
};

/// A text, read as every kind of value.
pub fn values(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    again(text, ContentType::parse);
    again(text, Epoch::parse);
    again(text, ProducerSeq::parse);
    again(text, Offset::parse_padded);
    again(text, Offset::parse_decimal);
    canonical(text, Digest::parse);
    canonical(text, Incarnation::parse);
    if let Ok(id) = ProducerId::parse(text) {
        assert_eq!(ProducerId::parse(id.as_str()).as_ref(), Ok(&id));
    }
    if let Ok(Some(seq)) = StreamSeq::parse(text) {
        assert_eq!(StreamSeq::parse(seq.as_str()), Ok(Some(seq.clone())));
    }
    if let Some(tag) = ReadTag::parse_opaque(text) {
        assert_eq!(tag.opaque(), text, "a tag has one text");
    }
    if let Some(tag) = EndTag::parse_opaque(text) {
        assert_eq!(tag.opaque(), text, "a tag has one text");
    }
    let _ = ReadFrom::parse(text);
    instants(text);
    ranges(text);
    conditions(text);
}

/// What is read from the text a value is shown as, is the value.
fn again<T: Display + PartialEq + std::fmt::Debug, E: std::fmt::Debug + PartialEq>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) {
    if let Ok(value) = parse(text) {
        assert_eq!(parse(&value.to_string()).as_ref(), Ok(&value));
    }
}

/// The same of values that have one text only.
fn canonical<T: Display, E>(text: &str, parse: impl Fn(&str) -> Result<T, E>) {
    if let Ok(value) = parse(text) {
        assert_eq!(value.to_string(), text, "a value has one text");
    }
}

fn instants(text: &str) {
    if let Ok(at) = Timestamp::parse_rfc3339(text) {
        assert_eq!(Timestamp::parse_rfc3339(&at.rfc3339()), Ok(at));
    }
    let lifetimes = [Lifetime::ttl(text).ok(), Lifetime::until(text).ok()];
    for lifetime in lifetimes.into_iter().flatten() {
        for now in [0, 1_800_000_000_000, u64::MAX].map(Timestamp::from_millis) {
            let expires = lifetime.expires_at(now);
            assert!(lifetime != Lifetime::Forever || expires.is_none());
            let _ = lifetime.renewal_due(now, now);
        }
    }
}

fn ranges(text: &str) {
    let Some(range) = ByteRange::parse(text) else { return };
    for total in [0, 1, 1000, u64::MAX] {
        if let Some(found) = range.within(total) {
            assert!(found.end <= total && (found.start < found.end || total == 0), "{found:?} of {total}");
        }
    }
}

/// Lists of tags, one header line a line. What is kept of them is no longer than they are.
fn conditions(text: &str) {
    let lines: Vec<&str> = text.split('\n').collect();
    if let IfMatch::Tags(tags) = IfMatch::parse(&lines) {
        assert!(tags.len() <= text.len());
        for tag in tags {
            assert!(IfMatch::parse(&[&tag.to_string()]).holds(tag.incarnation, tag.end, tag.closed));
        }
    }
    if let IfNoneMatch::Tags(tags) = IfNoneMatch::parse(&lines) {
        assert!(tags.iter().map(String::len).sum::<usize>() <= text.len());
        for tag in &tags {
            assert!(IfNoneMatch::parse(&[&format!("W/\"{tag}\"")]).matches(tag), "{tag:?}");
        }
    }
}
