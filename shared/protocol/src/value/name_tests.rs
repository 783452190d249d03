use proptest::prelude::*;

use super::*;

#[test]
fn accounts() {
    let longest = "a".repeat(64);
    for text in ["default", "abcd", "a_-9", "____", longest.as_str()] {
        assert_eq!(Account::parse(text).unwrap().as_str(), text);
    }
    for text in ["", "abc", &"a".repeat(65), "Abcd", "ab cd", "ab.cd", "ab/cd", "abc\u{e9}", "abcd\n", "%61bcd"] {
        assert!(Account::parse(text).is_err(), "{text:?}");
    }
    assert_eq!(Account::parse("default").unwrap(), Account::default_account());
}

#[test]
fn hosted_names() {
    let longest = "x".repeat(122);
    for text in [
        "a",
        "a b",
        "%",
        "a%2Fb",
        "a?b#c",
        "caf\u{e9}",
        "a\\b",
        "a\tb",
        "__ds",
        "a$",
        "streams1",
        "a.",
        ".a",
        "bootstrap",
        longest.as_str(),
    ] {
        assert_eq!(StreamName::hosted(text).unwrap().as_str(), text);
    }
    for text in
        ["", "a/b", "/", "a\0b", "..", "a..b", "...", ".", "streams", "$", "$a", &"x".repeat(123), &"\u{e9}".repeat(62)]
    {
        assert!(StreamName::hosted(text).is_err(), "{text:?}");
    }
}

#[test]
fn upstream_names() {
    let longest = "x".repeat(512);
    for text in
        ["a", "a/b/c", "%", "a..b", "...", "a/.b", "$a", "streams", "a/__ds", "__dsx", "a\\b", " ", longest.as_str()]
    {
        assert_eq!(StreamName::upstream(text).unwrap().as_str(), text);
    }
    for text in
        ["", "/", "/a", "a/", "a//b", ".", "..", "a/.", "a/../b", "./a", "__ds", "__ds/a", "a\0", &"x".repeat(513)]
    {
        assert!(StreamName::upstream(text).is_err(), "{text:?}");
    }
}

#[test]
fn escaped_names_fit_in_a_key() {
    // 400 of two bytes as written are 1,200 bytes escaped; 266 are 798.
    for (text, valid) in [
        ("%".repeat(266), true),
        ("%".repeat(267), false),
        ("\u{85}".repeat(133), true),
        ("\u{85}".repeat(134), false),
        ("\u{e9}".repeat(256), true),
        (format!("{}aa", "%".repeat(266)), true),
        (format!("{}aaa", "%".repeat(266)), false),
    ] {
        assert_eq!(StreamName::upstream(&text).is_ok(), valid, "{}", text.len());
    }
    assert!(StreamName::hosted(&"%".repeat(122)).is_ok());
}

fn key(name: &str) -> StreamKey {
    StreamKey { account: Account::default_account(), name: StreamName::of_either_dialect(name).unwrap() }
}

#[test]
fn key_texts() {
    for (name, expected) in [
        ("orders", "default/orders"),
        ("a/b", "default/a%2Fb"),
        ("a%2Fb", "default/a%252Fb"),
        ("a\\b", "default/a%5Cb"),
        ("a\tb\u{7f}", "default/a%09b%7F"),
        ("a\u{85}b", "default/a%C2%85b"),
        ("caf\u{e9} ?#+&", "default/caf\u{e9} ?#+&"),
    ] {
        assert_eq!(key(name).key_text(), expected);
        assert_eq!(StreamKey::parse_key_text(expected), Ok(key(name)));
    }
}

#[test]
fn a_bucket_serves_the_names_that_are_written_in_keys_as_they_are_in_paths() {
    for (name, served) in [
        ("orders", true),
        ("caf\u{e9} ?#+&", true),
        (&"x".repeat(122), true),
        (&"x".repeat(123), false),
        ("a/b", false),
        ("a%2Fb", false),
        ("a\\b", false),
        ("a\tb", false),
    ] {
        assert_eq!(key(name).is_path_of_hosted_url(), served, "{name}");
    }
}

#[test]
fn other_key_texts_are_refused() {
    for text in [
        "",
        "default",
        "default/",
        "abc/x",
        "default/a/b",
        "default/a%2fb",
        "default/%61",
        "default/%",
        "default/%2",
        "default/a\\b",
        "default/a\tb",
        "default/%00",
        "default/%FF",
        "default/.",
        "default/%2F",
        "/default/a",
    ] {
        assert!(StreamKey::parse_key_text(text).is_err(), "{text:?}");
    }
}

#[test]
fn json_is_checked() {
    assert_eq!(serde_json::to_string(&key("a/b")).unwrap(), r#""default/a%2Fb""#);
    assert_eq!(serde_json::from_str::<StreamKey>(r#""default/a%2Fb""#).unwrap(), key("a/b"));
    assert!(serde_json::from_str::<StreamKey>(r#""default/a/b""#).is_err());
    assert_eq!(serde_json::from_str::<StreamName>(r#""__ds""#).unwrap(), StreamName::hosted("__ds").unwrap());
    assert!(serde_json::from_str::<StreamName>(r#""a//b""#).is_err());
    assert!(serde_json::from_str::<Account>(r#""abc""#).is_err());
}

/// Names that are likely to be confused with each other.
fn names() -> impl Strategy<Value = StreamName> {
    let text = prop_oneof!["[ab/%\\\\2F5C.\t]{1,8}", ".{1,20}", "[a-z/]{1,12}"];
    text.prop_filter_map("no name", |text| StreamName::of_either_dialect(&text).ok())
}

fn keys() -> impl Strategy<Value = StreamKey> {
    (prop_oneof![Just("default"), Just("defaul"), Just("default-2")], names())
        .prop_map(|(account, name)| StreamKey { account: Account::parse(account).unwrap(), name })
}

proptest! {
    #[test]
    fn key_text_returns(key in keys()) {
        let text = key.key_text();
        prop_assert_eq!(text.len(), key.account.as_str().len() + 1 + key_text::escaped_len(key.name.as_str()));
        prop_assert_eq!(StreamKey::parse_key_text(&text), Ok(key));
    }

    #[test]
    fn no_key_lies_inside_another(a in keys(), b in keys()) {
        let (left, right) = (a.key_text(), b.key_text());
        prop_assert_eq!(left == right, a == b);
        let inside = format!("{left}/");
        prop_assert!(!right.starts_with(&inside));
    }

    #[test]
    fn never_panics(text in ".*", odd in "[a-z/%0-9A-F\\\\]{0,16}") {
        for text in [text.as_str(), odd.as_str()] {
            let _ = (Account::parse(text), StreamName::hosted(text), StreamName::upstream(text));
            if let Ok(key) = StreamKey::parse_key_text(text) {
                prop_assert_eq!(key.key_text(), text);
            }
        }
    }
}
