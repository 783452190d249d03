use proptest::prelude::*;

use super::*;
use crate::End;

const TOKEN: &str = "4503599627370496";

fn token() -> Incarnation {
    Incarnation::from_random(0)
}

/// Whether the header holds for the stream at tail 10, open and closed.
fn holds(lines: &[&str]) -> (bool, bool) {
    let condition = IfMatch::parse(lines);
    (condition.holds(token(), Offset::new(10), false), condition.holds(token(), Offset::new(10), true))
}

#[test]
fn if_match_table() {
    let tag = |text: &str| text.replace('E', TOKEN);
    for (line, open, closed) in [
        ("*", true, true),
        (" * ", true, true),
        ("\"E:10\"", true, false),
        ("\"E:10:c\"", false, true),
        ("\"E:5:10:t\"", true, false),
        ("\"E:10:10:t\"", true, false),
        ("\"E:5:10:a:t\"", true, false),
        ("\"E:5:10:t:c\"", false, true),
        ("\"E:5:10:a:t:c\"", false, true),
        ("\"E:10\", \"E:10:c\"", true, true),
        ("\"x\",\"E:10\"", true, false),
        ("\"a,b\", \"E:10\"", true, false),
        (",, ,\"E:10\",", true, false),
        // Reads below the tail, other ends, other incarnations.
        ("\"E:5:10\"", false, false),
        ("\"E:5:10:a\"", false, false),
        ("\"E:9\"", false, false),
        ("\"E:010\"", false, false),
        ("\"4503599627370497:10\"", false, false),
        // Weak, unknown, unquoted, broken.
        ("W/\"E:10\"", false, false),
        ("W/\"E:5:10:t\"", false, false),
        ("\"x\"", false, false),
        ("E:10", false, false),
        ("\"E:10", false, false),
        ("\"E:10\"x", false, false),
        ("x\"E:10\"", false, false),
        ("\"*\"", false, false),
        ("*, \"x\"", false, false),
        ("", false, false),
    ] {
        assert_eq!(holds(&[&tag(line)]), (open, closed), "{line}");
    }
    assert_eq!(holds(&["\"x\"", &tag("\"E:10\"")]), (true, false));
    assert_eq!(holds(&["*", "\"x\""]), (false, false));
}

#[test]
fn if_none_match_table() {
    for (lines, expected) in [
        (&["\"E\""][..], true),
        (&["W/\"E\""], true),
        (&["\"x\", \"E\""], true),
        (&["\"x\",W/\"E\""], true),
        (&["\"x\"", "W/\"E\""], true),
        (&["\"a,b\",\"E\""], true),
        (&["garbage, \"E\""], true),
        (&["garbage", "\"E\""], true),
        (&["\t*"], true),
        (&["*"], true),
        (&["\"x\""], false),
        (&["\"a,E\""], false),
        (&["E"], false),
        (&["\"E"], false),
        (&["w/\"E\""], false),
        (&["W/ \"E\""], false),
        (&["\"E\"x"], false),
        (&["\"E-gzip\""], false),
        (&["\"\""], false),
        (&["\"*\""], false),
        (&["*, \"x\""], false),
        (&[""], false),
        (&[" , ,"], false),
        (&[], false),
    ] {
        assert_eq!(IfNoneMatch::parse(lines).matches("E"), expected, "{lines:?}");
    }
    assert!(IfNoneMatch::parse(&["\"a,b\""]).matches("a,b"));
    assert!(IfNoneMatch::parse(&["\"\""]).matches(""));
}

proptest! {
    #[test]
    fn a_tag_is_found_among_others(
        others in prop::collection::vec("[ -!#-~]{0,6}", 0..4),
        place: prop::sample::Index,
        weak: bool,
    ) {
        let mut members: Vec<String> = others.iter().map(|other| format!("\"{other}\"")).collect();
        let (start, next) = (Offset::ZERO, Offset::new(10));
        let tag = ReadTag { incarnation: token(), start, next, array: false, end: End::OpenTail };
        members.insert(place.index(members.len() + 1), format!("{}{tag}", if weak { "W/" } else { "" }));
        let line = members.join(", ");
        prop_assert!(IfNoneMatch::parse(&[&line]).matches(&tag.opaque()));
        prop_assert_eq!(IfMatch::parse(&[&line]).holds(token(), Offset::new(10), false), !weak);
    }

    #[test]
    fn never_panics(line in ".*", odd in "[\",*W/ a\u{e9}]{0,12}") {
        let _ = (IfMatch::parse(&[&line, &odd]), IfNoneMatch::parse(&[&odd, &line]));
    }
}
