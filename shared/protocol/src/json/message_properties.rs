//! `split_messages` against `serde_json`, over generated text.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::json::oracle::expected;

/// JSON with white space in every place that allows it.
fn json() -> impl Strategy<Value = String> {
    let blank = || "[ \t\r\n]{0,2}";
    let string = || r#""([ !#-\[\]-~é\u{1f600}]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,24}""#;
    let scalar =
        prop_oneof![string(), "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?", "true|false|null",];
    let spaced = (blank(), scalar, blank()).prop_map(|(before, text, after)| before + &text + &after);
    spaced.prop_recursive(6, 48, 6, move |inner| {
        let member = (blank(), string(), blank(), inner.clone())
            .prop_map(|(before, name, after, value)| format!("{before}{name}{after}:{value}"));
        let array = prop::collection::vec(inner, 0..6).prop_map(|elements| format!("[{}]", elements.join(",")));
        let object = prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(",")));
        (blank(), prop_oneof![array, object], blank()).prop_map(|(before, text, after)| before + &text + &after)
    })
}

/// JSON with one character changed, put in or taken out.
fn nearly_json() -> impl Strategy<Value = String> {
    (json(), any::<prop::sample::Index>(), "[\\[\\]{},:\"0-9eE+. \\\\tn\u{1}\u{feff}-]{0,1}", any::<bool>()).prop_map(
        |(text, place, with, replace)| {
            let mut chars: Vec<char> = text.chars().collect();
            let at = place.index(chars.len());
            chars.splice(at..at + usize::from(replace), with.chars());
            chars.into_iter().collect()
        },
    )
}

fn check(body: &str) -> Result<(), TestCaseError> {
    let found = split_messages(body.as_bytes());
    let Some(expected) = expected(body) else {
        prop_assert!(found.is_err(), "accepted {body:?}");
        return Ok(());
    };
    let found = found.map_err(|error| TestCaseError::fail(format!("{error} in {body:?}")))?;
    let lines: Vec<&str> = std::str::from_utf8(&found.text).unwrap().split_terminator('\n').collect();
    prop_assert_eq!(&lines, &expected);
    prop_assert_eq!(found.count, expected.len() as u64);
    prop_assert_eq!(found.text.len(), expected.iter().map(|message| message.len() + 1).sum::<usize>());
    same_values(body, &lines)
}

/// The messages have the values of the elements, where `serde_json` can hold them (not 1e400, for one).
fn same_values(body: &str, lines: &[&str]) -> Result<(), TestCaseError> {
    let Ok(whole) = serde_json::from_str::<Value>(body) else { return Ok(()) };
    let elements = if let Value::Array(elements) = whole { elements } else { vec![whole] };
    let values: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    prop_assert_eq!(values, elements);
    Ok(())
}

proptest! {
    #[test]
    fn agrees_on_json(body in json()) {
        prop_assert!(expected(&body).is_some());
        check(&body)?;
    }

    #[test]
    fn agrees_on_nearly_json(body in nearly_json()) {
        check(&body)?;
    }

    #[test]
    fn agrees_on_tokens(body in "([\\[\\]{},:]|\"a\"|\"\\\\|1|-|0|\\.|e|true|null| |\n){0,12}") {
        check(&body)?;
    }

    #[test]
    fn agrees_on_depth(arrays in 100_usize..140, objects in 0_usize..40) {
        let (open, close) = ("[".repeat(arrays), "]".repeat(arrays));
        let (begin, end) = ("{\"a\":".repeat(objects), "}".repeat(objects));
        check(&format!("{open}{begin}1{end}{close}"))?;
        check(&format!("{begin}{open}1{close}{end}"))?;
    }

    #[test]
    fn splitting_a_message_again_changes_nothing(body in json()) {
        let first = split_messages(body.as_bytes()).unwrap();
        let again = split_messages(&crate::array_of(&first.text));
        prop_assert_eq!(again, Ok(first));
    }

    #[test]
    fn never_panics(bytes: Vec<u8>, text in ".*") {
        let _ = (split_messages(&bytes), split_messages(text.as_bytes()));
    }

    #[test]
    fn faults_are_inside_the_body(body in nearly_json()) {
        if let Err(error) = split_messages(body.as_bytes()) {
            prop_assert!(error.at <= body.len());
        }
    }
}
