use proptest::prelude::*;

use super::*;

const MAX: &str = "18446744073709551615";

#[test]
fn displays_twenty_digits() {
    assert_eq!(Offset::ZERO.to_string(), "00000000000000000000");
    assert_eq!(Offset::new(5).to_string(), "00000000000000000005");
    assert_eq!(Offset::new(u64::MAX).to_string(), MAX);
}

#[test]
fn padded_takes_twenty_digits_only() {
    for (text, expected) in [
        ("00000000000000000000", Some(0)),
        ("00000000000000000005", Some(5)),
        (MAX, Some(u64::MAX)),
        ("18446744073709551616", None),
        ("99999999999999999999", None),
        ("0000000000000000005", None),
        ("000000000000000000005", None),
        ("+0000000000000000005", None),
        ("-0000000000000000001", None),
        ("0000000000000000000 ", None),
        ("5", None),
        ("", None),
        ("-1", None),
        ("now", None),
    ] {
        assert_eq!(Offset::parse_padded(text).ok().map(Offset::get), expected, "{text:?}");
    }
}

#[test]
fn decimal_takes_any_padding() {
    for (text, expected) in [
        ("0", Some(0)),
        ("5", Some(5)),
        ("0005", Some(5)),
        ("00000000000000000000000005", Some(5)),
        (MAX, Some(u64::MAX)),
        ("18446744073709551616", None),
        ("", None),
        ("+5", None),
        ("-1", None),
        ("now", None),
        ("5,6", None),
        ("5 ", None),
        ("1e3", None),
        ("\u{ff15}", None),
    ] {
        assert_eq!(Offset::parse_decimal(text).ok().map(Offset::get), expected, "{text:?}");
    }
}

#[test]
fn read_from_table() {
    let at = |value| Some(ReadFrom::At(Offset::new(value)));
    for (text, expected) in [
        ("-1", Some(ReadFrom::Start)),
        ("now", Some(ReadFrom::Now)),
        ("0", at(0)),
        ("007", at(7)),
        ("+5", at(5)),
        (MAX, at(u64::MAX)),
        ("18446744073709551616", None),
        ("", None),
        ("+", None),
        ("++5", None),
        ("+-1", None),
        (" 5", None),
        ("-2", None),
        ("-01", None),
        ("-0", None),
        ("Now", None),
        ("NOW", None),
        ("now ", None),
        ("0_0", None),
    ] {
        assert_eq!(ReadFrom::parse(text).ok(), expected, "{text:?}");
    }
}

#[test]
fn addition_stops_at_the_end() {
    assert_eq!(Offset::new(1).checked_add(2), Some(Offset::new(3)));
    assert_eq!(Offset::new(u64::MAX).checked_add(1), None);
    assert_eq!(Offset::new(u64::MAX).saturating_add(1), Offset::new(u64::MAX));
}

#[test]
fn json_is_a_number() {
    assert_eq!(serde_json::to_string(&Offset::new(u64::MAX)).unwrap(), MAX);
    assert_eq!(serde_json::from_str::<Offset>("7").unwrap(), Offset::new(7));
    assert!(serde_json::from_str::<Offset>("-1").is_err());
}

proptest! {
    #[test]
    fn text_order_is_offset_order(a: u64, b: u64) {
        let (left, right) = (Offset::new(a), Offset::new(b));
        prop_assert_eq!(left.to_string().cmp(&right.to_string()), a.cmp(&b));
        prop_assert_eq!(Offset::parse_padded(&left.to_string()), Ok(left));
        prop_assert_eq!(Offset::parse_decimal(&a.to_string()), Ok(left));
    }

    #[test]
    fn never_panics(text in ".*") {
        let _ = (Offset::parse_padded(&text), Offset::parse_decimal(&text), ReadFrom::parse(&text));
    }
}
