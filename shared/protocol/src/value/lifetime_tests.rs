use proptest::prelude::*;

use super::*;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

#[test]
fn ttl_table() {
    for (text, seconds) in [("0", 0), ("1", 1), ("3600", 3600), ("18446744073709551", 18_446_744_073_709_551)] {
        assert_eq!(Lifetime::ttl(text), Ok(Lifetime::Ttl { seconds }), "{text}");
    }
    for text in ["18446744073709552", "18446744073709551615", "18446744073709551616", &"9".repeat(100)] {
        assert_eq!(Lifetime::ttl(text), Err(InvalidTtl::Overflow), "{text}");
    }
    for text in ["", " ", "00", "01", "+1", "-1", "1.0", "1e3", "0x1", "1 ", " 1", "\u{ff11}", "1s", "forever"] {
        assert!(matches!(Lifetime::ttl(text), Err(InvalidTtl::Malformed(_))), "{text:?}");
    }
}

#[test]
fn expiry() {
    assert_eq!(Lifetime::Forever.expires_at(at(5)), None);
    assert_eq!(Lifetime::Ttl { seconds: 2 }.expires_at(at(5)), Some(at(2005)));
    assert_eq!(Lifetime::Ttl { seconds: 0 }.expires_at(at(5)), Some(at(5)));
    assert_eq!(Lifetime::Ttl { seconds: u64::MAX }.expires_at(at(5)), Some(at(u64::MAX)));
    assert_eq!(Lifetime::until("1970-01-01T00:00:01+00:00").unwrap().expires_at(at(5)), Some(at(1000)));
}

#[test]
fn renewal_after_a_quarter() {
    let ttl = Lifetime::Ttl { seconds: 1 };
    for (now, due) in [(0, false), (1000, false), (1249, false), (1250, true), (1999, true), (9000, true)] {
        assert_eq!(ttl.renewal_due(at(1000), at(now)), due, "{now}");
    }
    assert!(!Lifetime::Ttl { seconds: 0 }.renewal_due(at(7), at(7)));
    assert!(!Lifetime::Ttl { seconds: u64::MAX }.renewal_due(at(0), at(1 << 60)));
    assert!(!Lifetime::Forever.renewal_due(at(0), at(u64::MAX)));
    assert!(!Lifetime::Until(at(9)).renewal_due(at(0), at(u64::MAX)));
}

#[test]
fn json() {
    for (lifetime, text) in [
        (Lifetime::Forever, r#""forever""#),
        (Lifetime::Ttl { seconds: 5 }, r#"{"ttl":{"seconds":5}}"#),
        (Lifetime::Until(at(7)), r#"{"until":7}"#),
    ] {
        assert_eq!(serde_json::to_string(&lifetime).unwrap(), text);
        assert_eq!(serde_json::from_str::<Lifetime>(text).unwrap(), lifetime);
    }
}

proptest! {
    #[test]
    fn never_panics(text in ".*", seconds: u64, last: u64, now: u64) {
        let _ = (Lifetime::ttl(&text), Lifetime::until(&text));
        let ttl = Lifetime::Ttl { seconds };
        prop_assert!(ttl.expires_at(at(last)) >= Some(at(last)));
        let _ = ttl.renewal_due(at(last), at(now));
    }

    #[test]
    fn a_renewal_is_never_due_before_its_quarter(
        seconds in 1_u64..1_000_000,
        last in 0_u64..1 << 50,
        passed in 0_u64..1_000_000_000,
    ) {
        let due = Lifetime::Ttl { seconds }.renewal_due(at(last), at(last + passed));
        prop_assert_eq!(due, passed * 4 >= seconds * 1000);
    }
}
