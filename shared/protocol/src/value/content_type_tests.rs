use proptest::prelude::*;

use super::*;

fn parsed(value: &str) -> ContentType {
    ContentType::parse(value).unwrap()
}

#[test]
fn normal_forms() {
    for (value, expected) in [
        ("text/plain", "text/plain"),
        ("  Text/Plain\t", "text/plain"),
        ("Application/JSON", "application/json"),
        ("text/plain;charset=UTF-8", "text/plain; charset=utf-8"),
        ("text/plain ;; Charset=\"UTF-8\" ; ", "text/plain; charset=\"utf-8\""),
        ("text/plain;a=1;b=2", "text/plain; a=1; b=2"),
        (";text/plain", "text/plain"),
        ("application/vnd.x+json; v=1", "application/vnd.x+json; v=1"),
        ("*/*", "*/*"),
        ("a!#$%&'*+-.^_`|~/b", "a!#$%&'*+-.^_`|~/b"),
    ] {
        assert_eq!(parsed(value).as_str(), expected, "{value:?}");
    }
}

#[test]
fn no_media_type() {
    for value in [
        "",
        " ",
        ";",
        " ; ; ",
        "garbage",
        "a/b/c",
        "/",
        "/plain",
        "text/",
        "text /plain",
        "text/ plain",
        "text/plain, text/html",
        "text/pl\"ain",
        "te(xt)/plain",
        "text/plain; charset=caf\u{e9}",
        "t\u{e9}xt/plain",
        "text/plain\n",
        "text/plain;\0",
    ] {
        assert!(ContentType::parse(value).is_err(), "{value:?}");
    }
}

#[test]
fn kinds() {
    for (value, json, text) in [
        ("application/json", true, false),
        ("application/json; charset=utf-8", true, false),
        ("application/jsonl", false, false),
        ("application/x-ndjson", false, false),
        ("text/plain; charset=utf-8", false, true),
        ("text/event-stream", false, true),
        ("textual/plain", false, false),
        ("application/octet-stream", false, false),
    ] {
        let content_type = parsed(value);
        assert_eq!((content_type.is_json(), content_type.is_text()), (json, text), "{value}");
    }
    assert_eq!(ContentType::json(), parsed("application/json"));
    assert_eq!(ContentType::octet_stream(), parsed("application/octet-stream"));
}

#[test]
fn comparisons() {
    for (left, right, exactly, media_type) in [
        ("Application/JSON", "application/json", true, true),
        ("application/json; charset=utf-8", "application/json", false, true),
        ("text/plain;CHARSET=utf-8", "text/plain; charset=UTF-8", true, true),
        ("text/plain", "text/html", false, false),
    ] {
        let (left, right) = (parsed(left), parsed(right));
        assert_eq!(left.matches_exactly(&right), exactly, "{left} {right}");
        assert_eq!(left.matches_media_type(&right), media_type, "{left} {right}");
    }
}

#[test]
fn json_is_checked() {
    assert_eq!(serde_json::from_str::<ContentType>("\"TEXT/plain\"").unwrap().as_str(), "text/plain");
    assert!(serde_json::from_str::<ContentType>("\"garbage\"").is_err());
}

proptest! {
    #[test]
    fn normal_form_is_stable(value in "[a-zA-Z]{1,4}/[a-zA-Z+.]{1,4}([ \t]*;[ -~\t]{0,8}){0,3}") {
        let content_type = parsed(&value);
        prop_assert_eq!(parsed(content_type.as_str()), content_type);
    }

    #[test]
    fn never_panics(text in ".*") {
        let _ = ContentType::parse(&text);
    }
}
