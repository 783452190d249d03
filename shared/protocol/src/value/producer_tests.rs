use proptest::prelude::*;

use super::*;

#[test]
fn ids() {
    let longest = "x".repeat(256);
    for (value, expected) in [
        ("a", Some("a")),
        (" \ta b\tc \t", Some("a b\tc")),
        ("q\"uote", Some("q\"uote")),
        ("~!", Some("~!")),
        (longest.as_str(), Some(longest.as_str())),
        (&format!(" {longest} "), Some(longest.as_str())),
        (&"x".repeat(257), None),
        (&"x".repeat(65_536), None),
        ("", None),
        (" ", None),
        ("\t", None),
        ("caf\u{e9}", None),
        ("a\nb", None),
        ("a\n", None),
        ("a\0", None),
        ("a\u{7f}", None),
    ] {
        let parsed = ProducerId::parse(value).ok();
        assert_eq!(parsed.as_ref().map(ProducerId::as_str), expected, "{value:?}");
    }
}

#[test]
fn numbers() {
    for (text, expected) in [
        ("0", Some(0)),
        ("01", Some(1)),
        ("000000000000000000000000000001", Some(1)),
        ("9007199254740991", Some(9_007_199_254_740_991)),
        ("9007199254740992", None),
        ("18446744073709551615", None),
        ("18446744073709551616", None),
        ("", None),
        (" ", None),
        ("+1", None),
        ("-1", None),
        ("1.0", None),
        ("1e3", None),
        ("0x1", None),
        ("\u{ff11}", None),
        ("1, 2", None),
    ] {
        assert_eq!(Epoch::parse(text).ok().map(Epoch::get), expected, "{text:?}");
        assert_eq!(ProducerSeq::parse(text).ok().map(ProducerSeq::get), expected, "{text:?}");
    }
}

#[test]
fn the_last_number_has_no_next() {
    assert_eq!(ProducerSeq::ZERO.next().map(ProducerSeq::get), Some(1));
    assert_eq!(ProducerSeq::new(INTEGER_MAX).and_then(ProducerSeq::next), None);
    assert_eq!(Epoch::new(INTEGER_MAX + 1), None);
}

#[test]
fn json_is_checked() {
    let key = ProducerKey {
        id: ProducerId::parse("w 1").unwrap(),
        epoch: Epoch::new(2).unwrap(),
        seq: ProducerSeq::ZERO,
        digest: None,
    };
    let json = serde_json::to_string(&key).unwrap();
    assert_eq!(json, r#"{"id":"w 1","epoch":2,"seq":0}"#);
    assert_eq!(serde_json::from_str::<ProducerKey>(&json).unwrap(), key);
    for bad in [r#"{"id":"","epoch":2,"seq":0}"#, r#"{"id":"w","epoch":9007199254740992,"seq":0}"#] {
        assert!(serde_json::from_str::<ProducerKey>(bad).is_err(), "{bad}");
    }
}

proptest! {
    #[test]
    fn ids_return(value in "[ -~\t]{0,300}") {
        if let Ok(id) = ProducerId::parse(&value) {
            prop_assert_eq!(ProducerId::parse(id.as_str()), Ok(id));
        }
    }

    #[test]
    fn numbers_return(value in 0..=INTEGER_MAX) {
        let seq = ProducerSeq::new(value).unwrap();
        prop_assert_eq!(ProducerSeq::parse(&seq.to_string()), Ok(seq));
    }

    #[test]
    fn never_panics(text in ".*") {
        let _ = (ProducerId::parse(&text), Epoch::parse(&text), ProducerSeq::parse(&text));
    }
}
