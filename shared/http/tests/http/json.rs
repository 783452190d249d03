//! JSON streams: messages are text, never values.

use crate::{
    follower::{Follower, data_of},
    harness::Service,
};

/// See: <https://github.com/rest-sh/restish/issues/397>
#[tokio::test]
async fn numbers_members_and_escapes_come_back_as_they_were_written() {
    let service = Service::new();
    let messages = [
        "9007199254740993",
        "1e400",
        "-0",
        "1.10",
        "1E+2",
        "123456789012345678901234567890",
        r#"{"b":1,"a":2,"b":3}"#,
        r#""\u00e9 \ud800 \/ é""#,
        "[]",
    ];
    for stream in service.both("text", "application/json", "").await {
        let body = format!(" [ {} ] \n", messages.join(" ,\t"));
        stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n{body}"), "204").await;
        let lines = stream.ask("GET {s}\naccept: application/x-ndjson").await;
        assert_eq!(lines.text(), messages.join("\n") + "\n");
        let array = stream.ask("GET {s}\naccept: application/json").await;
        assert_eq!(array.text(), format!("[{}]", messages.join(",")));
    }
}

#[tokio::test]
async fn one_array_is_flattened_once() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/flat", "application/json", "[]").await;
    stream.expect("GET {s}", "200\nstream-next-offset: @0").await;
    for (body, read) in [
        (" [ {\"a\":1} , {\"b\":2} ] \n", r#"[{"a":1},{"b":2}]"#),
        ("[[1,2]]", r#"[{"a":1},{"b":2},[1,2]]"#),
        ("[[]]", r#"[{"a":1},{"b":2},[1,2],[]]"#),
        ("\"x\"", r#"[{"a":1},{"b":2},[1,2],[],"x"]"#),
    ] {
        stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n{body}"), "204").await;
        assert_eq!(stream.ask("GET {s}").await.text(), read);
    }
}

#[tokio::test]
async fn what_is_not_one_json_value_is_refused_and_changes_nothing() {
    let service = Service::new();
    for stream in service.both("invalid", "application/json", "[1]").await {
        for body in [
            "[1,]",
            "[1 2]",
            "{\"a\":1}{\"b\":2}",
            "{\"a\":1}\n{\"b\":2}",
            " ",
            "nul",
            "NaN",
            "'x'",
            "// c\n1",
            "[]",
            "\u{feff}1",
            "\"\t\"",
        ] {
            for closing in ["", "stream-closed: true\n"] {
                let request = format!("POST {{s}}\ncontent-type: application/json\n{closing}\n{body}");
                stream.refuses(&request, "400 INVALID_RECORD_BOUNDARIES\n!stream-next-offset").await;
            }
        }
        let secret = stream.ask("POST {s}\ncontent-type: application/json\n\n{\"secret\": hunter2}").await;
        assert!(!secret.text().contains("hunter2"), "a message repeats the body");
    }
}

#[tokio::test]
async fn depth_is_counted_for_each_message() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/depth", "application/json", "").await;
    let arrays = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let objects = |depth| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    for (body, expected) in [
        (arrays(128), "204"),
        (arrays(129), "400 INVALID_RECORD_BOUNDARIES"),
        (objects(127), "204"),
        (objects(128), "400 INVALID_RECORD_BOUNDARIES"),
    ] {
        stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n{body}"), expected).await;
    }
}

#[tokio::test]
async fn a_large_body_is_examined_like_a_small_one() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/large", "application/json", "").await;
    let elements = vec!["\"0123456789\""; 100_000].join(",");
    stream
        .expect(
            &format!("POST {{s}}\ncontent-type: application/json\n\n[{elements}]"),
            "204\nstream-next-offset: @1300000",
        )
        .await;
    stream
        .refuses(
            &format!("POST {{s}}\ncontent-type: application/json\n\n[{elements},]"),
            "400 INVALID_RECORD_BOUNDARIES",
        )
        .await;
    assert_eq!(stream.ask("GET {s}").await.text(), format!("[{elements}]"));
}

/// See: <https://github.com/rest-sh/restish/issues/397>, <https://github.com/rhysd/fixjson/issues/19>
#[tokio::test]
async fn every_kind_of_read_gives_the_text_of_messages_and_no_event_is_an_empty_array() {
    let service = Service::new();
    let messages =
        ["9007199254740993", "1e400", "-0", "1.10", "1E+2", "123456789012345678901234567890", r#"{"b":1,"a":2}"#];
    let body = messages.join(" , ");
    let expected = format!("[{}]", messages.join(","));
    let stream = service.stream("/v1/stream/kinds", "application/json", "[]").await;
    let poll = "GET {s}?offset=0&live=long-poll&timeout_ms=1";
    stream.expect(poll, "204").await;
    assert_eq!(stream.ask("GET {s}").await.text(), "[]");
    let mut follower = Follower::open(&service, "GET /v1/stream/kinds?offset=-1&live=sse").await;
    follower.expect("control").await;

    stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n [{body}]\n"), "204").await;
    for read in ["GET {s}", poll] {
        assert_eq!(stream.ask(read).await.text(), expected, "{read}");
    }
    assert_eq!(follower.expect("data").await, expected);
    follower.expect("control").await;
    stream.expect("POST {s}\ncontent-type: application/json\nstream-closed: true\n\n[[]]", "204").await;
    assert_eq!(follower.expect("data").await, "[[]]", "one message, which is an empty array");
    assert_eq!(follower.rest().await.len(), 1, "and the control event that ends it");

    // However little an event may hold, it is an array of whole messages.
    for bytes_max in [1, 5, 20, 1000] {
        let request = format!("GET /v1/stream/kinds?offset=-1&live=sse&max_bytes={bytes_max}");
        let events = Follower::open(&service, &request).await.rest().await;
        for event in events.iter().filter(|event| event.event == "data") {
            let array: Vec<&serde_json::value::RawValue> = serde_json::from_str(&event.data).expect("an array");
            assert!(!array.is_empty(), "an empty array stalls a reader that waits for messages");
        }
        let joined = data_of(&events).replace("][", ",");
        assert_eq!(joined, expected.replace("}]", "},[]]"), "{bytes_max}");
    }
}

#[tokio::test]
async fn where_lines_are_read_events_carry_whole_lines() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/lines", "application/json", "[11,22,33]").await;
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    for (bytes_max, parts) in [(4, vec!["11\n", "22\n", "33\n"]), (6, vec!["11\n22\n", "33\n"])] {
        let request = format!("GET /ds/acct/lines?offset=-1&live=sse&max_bytes={bytes_max}");
        let mut follower = Follower::open(&service, &request).await;
        assert_eq!(follower.header("stream-data-content-type"), Some("application/x-ndjson"));
        let events = follower.rest().await;
        let data: Vec<&str> = events.iter().filter(|event| event.event == "data").map(|event| &*event.data).collect();
        assert_eq!(data, parts);
    }
}
