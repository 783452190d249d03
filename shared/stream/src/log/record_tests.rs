//! The format of a record. A change that these tests do not accept is a new format.
#![allow(clippy::unwrap_used, reason = "tests")]

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::value::RawValue;
use wadi_protocol::Timestamp;

use super::{
    Draft, LogError, Record, RecordId,
    record::{Header, Parsed},
};

fn example() -> Draft {
    Draft {
        seq: 7,
        id: RecordId::from_random(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
        prev: RecordId::root("4503599627370497"),
        at: Timestamp::from_millis(1_800_000_000_000),
        content: RawValue::from_string(r#"{"operations":[{"op":"touch"}],"state":{"tail":5}}"#.to_owned()).unwrap(),
        payload: Bytes::from_static(b"hello\nworld"),
        object: None,
    }
}

fn parse(bytes: &Bytes) -> Result<Parsed, LogError> {
    Record::parse(bytes, bytes.len() as u64)
}

fn whole(bytes: &Bytes) -> Record {
    match parse(bytes).unwrap() {
        Parsed::Whole(record) => *record,
        Parsed::Short => panic!("short"),
    }
}

fn same(left: &Header, right: &Header) -> bool {
    let key = |header: &Header| {
        let Header { seq, id, prev, at, payload, content, .. } = header;
        (*seq, id.clone(), prev.clone(), *at, payload.clone(), content.get().to_owned())
    };
    key(left) == key(right)
}

/// With a line for each field.
fn readable(object: &[u8]) -> String {
    String::from_utf8_lossy(object).replace(",\"", ",\n\"")
}

#[test]
fn a_record_is_a_line_of_json_and_its_payload() {
    let (object, _) = example().encode().unwrap();
    insta::assert_snapshot!(readable(&object), @r#"
    {"format":1,
    "seq":7,
    "id":"0123456789abcdeffedcba9876543210",
    "prev":"4503599627370497",
    "at":1800000000000,
    "payload":{"bytes":11,
    "blake3":"205eee3a67dde1a72e376f21dc98b892a2ba2e255e70c5bab16a94bf842e6be2"},
    "content":{"operations":[{"op":"touch"}],
    "state":{"tail":5}},
    "check":"ed890ec62f393f9a"}
    hello
    world
    "#);
}

#[test]
fn a_record_whose_payload_lies_elsewhere_is_its_line_alone() {
    let (object, header) = Draft { object: Some("0a1b".to_owned()), ..example() }.encode().unwrap();
    let text = readable(&object);
    assert!(text.contains(",\n\"object\":\"0a1b\"}") && text.ends_with("\"}\n"), "{text}");
    assert!(header.payload.is(b"hello\nworld"));
    assert_eq!(whole(&object).payload, None);
}

#[test]
fn a_record_without_bytes_ends_with_its_line() {
    let (object, _) = Draft { payload: Bytes::new(), ..example() }.encode().unwrap();
    assert_eq!(object.last(), Some(&b'\n'));
    assert_eq!(whole(&object).payload, Some(Bytes::new()));
}

#[test]
fn a_later_format_is_told_from_damage_whatever_else_it_holds() {
    for line in ["{\"format\":2}\n", "{\"format\":4294967295,\"seq\":\"x\"}\n", "{\"new\":[],\"format\":2}\nrest"] {
        assert!(matches!(parse(&line.into()), Err(LogError::UnknownFormat(_))), "{line}");
    }
    for line in ["{\"format\":-1}\n", "{\"format\":\"2\"}\n", "{}\n", "{\"format\":1}\n", "7\n", "\n"] {
        assert!(matches!(parse(&line.into()), Err(LogError::Damaged(_))), "{line}");
    }
}

#[test]
fn the_first_bytes_of_a_record_tell_its_header_once_it_is_whole() {
    let (object, header) = example().encode().unwrap();
    let size = object.len() as u64;
    let line = object.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for length in 0..object.len() {
        match Record::parse(&object.slice(..length), size).unwrap() {
            Parsed::Short => assert!(length < line, "{length}"),
            Parsed::Whole(record) => {
                assert!(length >= line && same(&record.header, &header), "{length}");
                assert_eq!(record.payload, None, "what was not read whole is not vouched for");
            }
        }
    }
}

prop_compose! {
    fn drafts()(
        seq: u64,
        ids: [u64; 4],
        at: u64,
        content in prop_oneof![Just("{}".to_owned()), "\\[\"[a-z\\\\\\\\n ]{0,20}\"\\]", "\\{\"[a-z]{0,9}\":[1-9]{1,9}\\}"],
        payload in prop::collection::vec(any::<u8>(), 0..200),
        apart in prop::option::of("[0-9a-f]{32}"),
    ) -> Draft {
        let content = RawValue::from_string(content).unwrap_or_else(|_| RawValue::from_string("{}".to_owned()).unwrap());
        Draft {
            seq,
            id: RecordId::from_random(ids[0], ids[1]),
            prev: RecordId::from_random(ids[2], ids[3]),
            at: Timestamp::from_millis(at),
            content,
            payload: payload.into(),
            object: apart,
        }
    }
}

proptest! {
    #[test]
    fn a_record_is_read_as_it_was_written(draft in drafts()) {
        let (object, header) = draft.encode().unwrap();
        let record = whole(&object);
        prop_assert!(same(&record.header, &header));
        prop_assert!(header.payload.is(&draft.payload));
        let inline = draft.object.is_none().then_some(draft.payload);
        prop_assert_eq!(record.payload, inline);
    }

    #[test]
    fn a_changed_record_is_not_taken_for_another(draft in drafts(), at: prop::sample::Index, mask in 1..=255_u8) {
        let mut object = draft.encode().unwrap().0.to_vec();
        let at = at.index(object.len());
        object[at] ^= mask;
        prop_assert!(parse(&object.into()).is_err());
    }

    #[test]
    fn a_cut_or_lengthened_record_is_not_taken_for_another(draft in drafts(), at: prop::sample::Index) {
        let object = draft.encode().unwrap().0;
        let cut = object.slice(..at.index(object.len()));
        prop_assert!(parse(&cut).is_err());
        if draft.object.is_none() {
            prop_assert!(parse(&[&object[..], b"x"].concat().into()).is_err());
        }
    }

    #[test]
    fn parsing_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300), size: u64) {
        let bytes = Bytes::from(bytes);
        let _ = parse(&bytes);
        let _ = Record::parse(&bytes, size);
    }

    #[test]
    fn parsing_json_lines_never_panics(text in "\\{(\"(format|seq|id|check|payload)\":([0-9]{1,3}|\"[a-z]{0,3}\"),?){0,6}\\}\n") {
        let _ = parse(&text.into());
    }
}
