use proptest::prelude::*;

use super::*;

fn read_tag(array: bool, end: End) -> ReadTag {
    ReadTag { incarnation: Incarnation::from_random(0), start: Offset::new(5), next: Offset::new(10), array, end }
}

fn ends() -> impl Strategy<Value = End> {
    prop_oneof![Just(End::BelowTail), Just(End::OpenTail), Just(End::ClosedTail)]
}

#[test]
fn read_tags() {
    for (array, end, expected) in [
        (false, End::BelowTail, "\"4503599627370496:5:10\""),
        (true, End::BelowTail, "\"4503599627370496:5:10:a\""),
        (false, End::OpenTail, "\"4503599627370496:5:10:t\""),
        (true, End::OpenTail, "\"4503599627370496:5:10:a:t\""),
        (false, End::ClosedTail, "\"4503599627370496:5:10:t:c\""),
        (true, End::ClosedTail, "\"4503599627370496:5:10:a:t:c\""),
    ] {
        assert_eq!(read_tag(array, end).to_string(), expected);
    }
}

#[test]
fn end_tags() {
    let mut tag = EndTag { incarnation: Incarnation::from_random(0), end: Offset::ZERO, closed: false };
    assert_eq!(tag.to_string(), "\"4503599627370496:0\"");
    tag.closed = true;
    assert_eq!(tag.to_string(), "\"4503599627370496:0:c\"");
}

#[test]
fn other_texts_are_no_tags() {
    for text in [
        "",
        ":",
        "::",
        "1:2:3:",
        "1:2:3:c",
        "1:2:3:t:a",
        "1:2:3:a:c",
        "1:2:3:x",
        "1:02:3",
        "0:2:3",
        "1:+2:3",
        "1:2:3:t:c:c",
        "1:2:18446744073709551616",
    ] {
        assert_eq!(ReadTag::parse_opaque(text), None, "{text}");
    }
    for text in ["", "1", "1:", "1:2:3", "1:2:t", "1:2:c:c", "1:02", "0:2", "01:2", "1: 2", "9007199254740992:1"] {
        assert_eq!(EndTag::parse_opaque(text), None, "{text}");
    }
}

#[test]
fn only_a_read_up_to_the_tail_tells_the_end() {
    let end = |closed| Some(EndTag { incarnation: Incarnation::from_random(0), end: Offset::new(10), closed });
    for array in [false, true] {
        assert_eq!(read_tag(array, End::BelowTail).end_tag(), None);
        assert_eq!(read_tag(array, End::OpenTail).end_tag(), end(false));
        assert_eq!(read_tag(array, End::ClosedTail).end_tag(), end(true));
    }
}

proptest! {
    #[test]
    fn tags_return(bits: u64, start: u64, next: u64, array: bool, closed: bool, end in ends()) {
        let incarnation = Incarnation::from_random(bits);
        let read = ReadTag { incarnation, start: Offset::new(start), next: Offset::new(next), array, end };
        prop_assert_eq!(ReadTag::parse_opaque(&read.opaque()), Some(read));
        prop_assert_eq!(EndTag::parse_opaque(&read.opaque()), None);
        let stream = EndTag { incarnation, end: Offset::new(next), closed };
        prop_assert_eq!(EndTag::parse_opaque(&stream.opaque()), Some(stream));
        prop_assert_eq!(ReadTag::parse_opaque(&stream.opaque()), None);
    }

    #[test]
    fn one_text_for_one_tag(text in prop_oneof![".*", "[0-9]{1,3}(:[0-9]{1,2}){1,2}(:[atcx]){0,3}"]) {
        if let Some(tag) = ReadTag::parse_opaque(&text) {
            prop_assert_eq!(tag.opaque(), text.clone());
        }
        if let Some(tag) = EndTag::parse_opaque(&text) {
            prop_assert_eq!(tag.opaque(), text);
        }
    }
}
