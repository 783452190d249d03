use super::*;

fn split(body: &str) -> Result<(String, u64), InvalidJson> {
    split_messages(body.as_bytes()).map(|messages| (String::from_utf8(messages.text.to_vec()).unwrap(), messages.count))
}

fn fault(body: &[u8]) -> Option<(JsonFault, usize)> {
    split_messages(body).err().map(|error| (error.fault, error.at))
}

#[test]
fn messages() {
    for (body, text, count) in [
        ("1", "1\n", 1),
        (" \t\r\n1 \t\r\n", "1\n", 1),
        ("\"\"", "\"\"\n", 1),
        ("true", "true\n", 1),
        ("false", "false\n", 1),
        ("null", "null\n", 1),
        ("{}", "{}\n", 1),
        ("[]", "", 0),
        (" [ ] ", "", 0),
        ("[[]]", "[]\n", 1),
        ("[ [ ] ]", "[]\n", 1),
        ("[[1,2]]", "[1,2]\n", 1),
        ("[[1, 2], [ ]]", "[1,2]\n[]\n", 2),
        ("[1,2]", "1\n2\n", 2),
        (" [ {\"a\":1} , {\"b\":2} ] \n", "{\"a\":1}\n{\"b\":2}\n", 2),
        ("{ \"a\" : [ 1 , { } ] , \"b\" : \"x y\" }", "{\"a\":[1,{}],\"b\":\"x y\"}\n", 1),
        ("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}\n", 1),
        ("{\"\":0}", "{\"\":0}\n", 1),
        ("\" [ 1 , 2 ] \"", "\" [ 1 , 2 ] \"\n", 1),
        ("[\"\u{e9}\u{1f600}\u{7f}\u{2028}\"]", "\"\u{e9}\u{1f600}\u{7f}\u{2028}\"\n", 1),
        ("{\r\n\t\"a\":\r\n\t[\r\n1\r\n]\r\n}", "{\"a\":[1]}\n", 1),
    ] {
        assert_eq!(split(body), Ok((text.to_owned(), count)), "{body:?}");
    }
}

#[test]
fn spelling_is_kept() {
    let messages = [
        "9007199254740993",
        "1e400",
        "-0",
        "1.10",
        "1E+2",
        "1.50e3",
        "0e0",
        "-0.0E-0",
        "123456789012345678901234567890",
        "{\"b\":1,\"a\":2}",
        r#""\u00e9\uD800\udc00\/\b\f\n\r\t\\\"""#,
        r#""\ud800""#,
        r#""\uDFFF\u0000""#,
    ];
    let (text, count) = split(&format!(" [ {} ] ", messages.join(" , "))).unwrap();
    assert_eq!(text, format!("{}\n", messages.join("\n")));
    assert_eq!(count, 13);
}

#[test]
fn faults() {
    use JsonFault::*;
    for (body, expected, at) in [
        ("", UnexpectedEnd, 0),
        (" ", UnexpectedEnd, 1),
        ("[1,]", ExpectedValue, 3),
        ("[,1]", ExpectedValue, 1),
        ("[1,,2]", ExpectedValue, 3),
        ("[1 2]", ExpectedCommaOrClose, 3),
        ("[[1,]]", ExpectedValue, 4),
        ("[1}", ExpectedCommaOrClose, 2),
        ("{\"a\":1]", ExpectedCommaOrClose, 6),
        ("{\"a\":[1}", ExpectedCommaOrClose, 7),
        ("{\"a\":1}{\"b\":2}", TrailingText, 7),
        ("{\"a\":1}\n{\"b\":2}", TrailingText, 8),
        ("[1]]", TrailingText, 3),
        ("[1],", TrailingText, 3),
        ("1 2", TrailingText, 2),
        ("nul", UnexpectedEnd, 3),
        ("nulL", ExpectedValue, 3),
        ("nulls", TrailingText, 4),
        ("True", ExpectedValue, 0),
        ("NaN", ExpectedValue, 0),
        ("Infinity", ExpectedValue, 0),
        ("-Infinity", InvalidNumber, 1),
        ("'x'", ExpectedValue, 0),
        ("// c\n1", ExpectedValue, 0),
        ("1 // c", TrailingText, 2),
        ("[1 /* c */]", ExpectedCommaOrClose, 3),
        ("\u{feff}1", ExpectedValue, 0),
        ("\u{a0}1", ExpectedValue, 0),
        ("\u{b}1", ExpectedValue, 0),
        ("\0", ExpectedValue, 0),
        ("1\0", TrailingText, 1),
        ("{", UnexpectedEnd, 1),
        ("{\"a\"", UnexpectedEnd, 4),
        ("{\"a\":", UnexpectedEnd, 5),
        ("{\"a\":1", UnexpectedEnd, 6),
        ("{\"a\":1,", UnexpectedEnd, 7),
        ("{\"a\":1,}", ExpectedName, 7),
        ("{,}", ExpectedName, 1),
        ("{a:1}", ExpectedName, 1),
        ("{1:1}", ExpectedName, 1),
        ("{\"a\" 1}", ExpectedColon, 5),
        ("{\"a\"}", ExpectedColon, 4),
        ("{\"a\":}", ExpectedValue, 5),
        ("[", UnexpectedEnd, 1),
        ("]", ExpectedValue, 0),
        ("}", ExpectedValue, 0),
        (":", ExpectedValue, 0),
        (",", ExpectedValue, 0),
    ] {
        assert_eq!(fault(body.as_bytes()), Some((expected, at)), "{body:?}");
    }
}

#[test]
fn number_faults() {
    use JsonFault::*;
    for (body, expected, at) in [
        ("01", TrailingText, 1),
        ("-01", TrailingText, 2),
        ("00", TrailingText, 1),
        ("+1", ExpectedValue, 0),
        (".5", ExpectedValue, 0),
        ("-", UnexpectedEnd, 1),
        ("-a", InvalidNumber, 1),
        ("1.", UnexpectedEnd, 2),
        ("1.e1", InvalidNumber, 2),
        ("[1.]", InvalidNumber, 3),
        ("1e", UnexpectedEnd, 2),
        ("1e+", UnexpectedEnd, 3),
        ("1e+-1", InvalidNumber, 3),
        ("1e1.5", TrailingText, 3),
        ("0x1", TrailingText, 1),
        ("1_0", TrailingText, 1),
        ("\u{ff11}", ExpectedValue, 0),
    ] {
        assert_eq!(fault(body.as_bytes()), Some((expected, at)), "{body:?}");
    }
}

#[test]
fn string_faults() {
    use JsonFault::*;
    let long = "x".repeat(100);
    for (body, expected, at) in [
        ("\"", UnexpectedEnd, 1),
        ("\"a", UnexpectedEnd, 2),
        ("\"a\\", UnexpectedEnd, 3),
        ("\"a\\\"", UnexpectedEnd, 4),
        ("\"\\u12", UnexpectedEnd, 5),
        ("\"\\x\"", InvalidEscape, 2),
        ("\"\\U0041\"", InvalidEscape, 2),
        ("\"\\u12g4\"", InvalidEscape, 5),
        ("\"\\u+123\"", InvalidEscape, 3),
        ("\"\\\u{e9}\"", InvalidEscape, 2),
        ("\"a\nb\"", ControlCharacter, 2),
        ("\"a\tb\"", ControlCharacter, 2),
        ("\"\0\"", ControlCharacter, 1),
        ("\"\u{1f}\"", ControlCharacter, 1),
        (&format!("\"{long}\n{long}\""), ControlCharacter, 101),
        (&format!("\"{long}\\\"{long}\u{1}\""), ControlCharacter, 203),
        (&format!("\"{long}"), UnexpectedEnd, 101),
        (&format!("{{\"{long}\n\":1}}"), ControlCharacter, 102),
    ] {
        assert_eq!(fault(body.as_bytes()), Some((expected, at)), "{body:?}");
    }
}

#[test]
fn not_utf8() {
    for (body, at) in
        [(&b"\"\xff\""[..], 1), (b"\"\xed\xa0\x80\"", 1), (b"1\xc3", 1), (b"[1,\x80", 3), (b"\xef\xbb", 0)]
    {
        assert_eq!(fault(body), Some((JsonFault::NotUtf8, at)), "{body:?}");
    }
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn depth_counts_one_message_after_flattening() {
    for (body, valid) in [
        (nested("[", "", "]", 128), true),
        (nested("[", "", "]", 129), false),
        (nested("[", "1", "]", 128), true),
        (nested("[", "1", "]", 129), false),
        (nested("{\"a\":", "1", "}", 127), true),
        (nested("{\"a\":", "1", "}", 128), false),
        (nested("{\"a\":", "{}", "}", 126), true),
        (nested("{\"a\":", "{}", "}", 127), false),
        (format!("[{}]", nested("{\"a\":", "1", "}", 127)), true),
        (format!("[{}]", nested("{\"a\":", "1", "}", 128)), false),
        (format!("[1,{0},{0}]", nested("[", "", "]", 127)), true),
        (format!("[1,{}]", nested("[", "", "]", 128)), false),
        (nested("[{\"a\":", "1", "}]", 64), true),
        (nested("[{\"a\":", "[]", "}]", 64), false),
    ] {
        let fault = fault(body.as_bytes()).map(|(fault, _)| fault);
        assert_eq!(fault, (!valid).then_some(JsonFault::TooDeep), "{body}");
    }
}

#[test]
fn millions_of_brackets_are_no_danger() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        assert_eq!(fault(open.repeat(1_000_000).as_bytes()).map(|(fault, _)| fault), Some(JsonFault::TooDeep));
    }
    let wide = format!("[{}0]", "[[]],".repeat(200_000));
    assert_eq!(split(&wide).map(|(_, count)| count), Ok(200_001));
}

#[test]
fn the_copy_is_never_longer_than_the_body_and_one() {
    for body in ["1", "[1]", "[1,2,3]", "\"\"", "[\"\",\"\"]", "[[],[]]"] {
        assert!(split(body).unwrap().0.len() <= body.len() + 1, "{body}");
    }
}

#[test]
fn errors_say_what_and_where() {
    let error = split("{\"secret\" 1}").unwrap_err();
    assert_eq!(error.to_string(), "invalid JSON at byte 10: expected a colon");
}
