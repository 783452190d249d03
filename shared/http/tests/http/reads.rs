//! `GET`: catch-up reads.

use crate::harness::Service;

const BELOW: &str = "cache-control: public, max-age=60, stale-while-revalidate=300";

#[tokio::test]
async fn a_page_says_where_it_ends() {
    let service = Service::new();
    for stream in service.both("page", "text/plain", "hello world").await {
        for (query, body, expected) in [
            (
                "",
                "hello world",
                "stream-next-offset: @11\nstream-up-to-date: true\netag: \"{token}:0:11:t\"\ncache-control: no-store",
            ),
            ("?offset=-1", "hello world", "stream-next-offset: @11\netag: \"{token}:0:11:t\""),
            ("?offset=6", "world", "stream-next-offset: @11\netag: \"{token}:6:11:t\""),
            ("?offset=00000000000000000006", "world", "stream-next-offset: @11"),
            ("?offset=%2B6", "world", "stream-next-offset: @11"),
            ("?max_bytes=5", "hello", "stream-next-offset: @5\n!stream-up-to-date\netag: \"{token}:0:5\"\nBELOW"),
            (
                "?offset=5&max_bytes=3",
                " wo",
                "stream-next-offset: @8\n!stream-up-to-date\netag: \"{token}:5:8\"\nBELOW",
            ),
            ("?max_bytes=0", "", "stream-next-offset: @0\n!stream-up-to-date\nBELOW"),
            ("?max_bytes=x&unknown=1&consistency=leader", "hello world", "stream-next-offset: @11"),
            (
                "?offset=11",
                "",
                "stream-next-offset: @11\nstream-up-to-date: true\netag: \"{token}:11:11:t\"\ncache-control: no-store",
            ),
            ("?offset=now", "", "stream-next-offset: @11\nstream-up-to-date: true\n!etag\ncache-control: no-store"),
        ] {
            let common = "content-type: text/plain\nstream-incarnation: {token}\n!stream-closed\n!stream-cursor\n!vary";
            let expected = format!("200\n{common}\n{}", expected.replace("BELOW", BELOW));
            let reply = stream.expect(&format!("GET {{s}}{query}"), &expected).await;
            assert_eq!(reply.text(), body, "{query}");
        }
    }
}

#[tokio::test]
async fn only_a_page_that_reaches_the_end_of_a_closed_stream_says_closed() {
    let service = Service::new();
    for stream in service.both("end", "text/plain", "abcdef").await {
        stream.expect("POST {s}\nstream-closed: true", "204").await;
        let end = "200\nstream-closed: true\nstream-up-to-date: true\nstream-next-offset: @6\ncache-control: no-store";
        for (query, expected) in [
            ("", format!("{end}\netag: \"{{token}}:0:6:t:c\"")),
            ("?offset=6", format!("{end}\netag: \"{{token}}:6:6:t:c\"")),
            ("?offset=now", format!("{end}\n!etag")),
            ("?max_bytes=5", format!("200\n!stream-closed\n!stream-up-to-date\n{BELOW}")),
        ] {
            stream.expect(&format!("GET {{s}}{query}"), &expected).await;
        }
    }
}

#[tokio::test]
async fn a_malformed_read_is_refused_in_the_order_of_its_faults() {
    let service = Service::new();
    for stream in service.both("faults", "text/plain", "abc").await {
        for (request, expected) in [
            ("GET {s}?offset=1&offset=1\nif-match: *", "400 INVALID_QUERY"),
            ("GET {s}?offset=x\nif-match: *\nstream-incarnation: x", "400 UNSUPPORTED"),
            ("GET {s}?offset=x&consistency=x\nstream-incarnation: x", "400 INVALID_HEADER"),
            ("GET {s}?offset=x&consistency=x", "400 INVALID_QUERY"),
            ("GET {s}?offset=x&consistency=leader&live=sse", "400 INVALID_QUERY"),
            ("GET {s}?live=sse", "400 INVALID_QUERY"),
            ("GET {s}?live=nonsense", "400 INVALID_QUERY"),
            ("GET {s}?offset=x&live=nonsense", "400 INVALID_OFFSET"),
            ("GET {s}?offset=", "400 INVALID_OFFSET"),
            ("GET {s}?offset=a,b", "400 INVALID_OFFSET"),
            ("GET {s}?offset=1%202", "400 INVALID_OFFSET"),
            ("GET {s}?offset=-2", "400 INVALID_OFFSET"),
            ("GET {s}?offset=0x1", "400 INVALID_OFFSET"),
            ("GET {s}?offset=18446744073709551616", "400 INVALID_OFFSET"),
            ("GET {s}?offset=1&live=nonsense", "400 INVALID_QUERY"),
            ("GET {s}?offset=now&live=", "400 INVALID_QUERY"),
            (
                "GET {s}?offset=4\nstream-incarnation: 5",
                "416 OFFSET_OUT_OF_RANGE\nstream-next-offset: @3\nstream-incarnation: {token}",
            ),
            ("GET {s}?offset=18446744073709551615", "416 OFFSET_OUT_OF_RANGE\nstream-next-offset: @3"),
            (
                "GET {s}?offset=3\nstream-incarnation: 5\nif-none-match: *",
                "412 INCARNATION_MISMATCH\nstream-incarnation: {token}\n!stream-next-offset",
            ),
            ("GET {s}?offset=now\nstream-incarnation: 5", "412 INCARNATION_MISMATCH"),
        ] {
            stream.refuses(request, expected).await;
        }
    }
}

#[tokio::test]
async fn a_live_read_is_checked_like_any_read_before_it_is_refused() {
    let service = Service::new();
    for path in ["/v1/stream/none", "/ds/acct/none"] {
        for (query, expected) in [
            ("offset=now&live=sse", "404 STREAM_NOT_FOUND"),
            ("offset=0&live=long-poll", "404 STREAM_NOT_FOUND"),
            ("offset=now&live=nonsense", "404 STREAM_NOT_FOUND"),
            ("offset=0&live=nonsense", "400 INVALID_QUERY"),
            ("offset=x&live=sse", "400 INVALID_OFFSET"),
        ] {
            service.ask(&format!("GET {path}?{query}")).await.check(query, expected);
        }
    }
    service.ask("GET /ds/BAD/x?offset=x").await.check("its own faults first", "400 INVALID_OFFSET");
    service.ask("GET /ds/BAD/x?offset=now").await.check("then the name", "400 INVALID_BUCKET_ID");
}

#[tokio::test]
async fn json_reads_differ_by_mount_and_by_accept() {
    let service = Service::new();
    for stream in service.both("json", "application/json; charset=utf-8", "[1,{\"a\":2}]").await {
        let hosted = stream.path.starts_with("/ds/");
        let lines = ("application/x-ndjson", "1\n{\"a\":2}\n", "");
        let array = ("application/json", "[1,{\"a\":2}]", ":a");
        for (accept, (content_type, body, flag)) in [
            ("*/*", if hosted { lines } else { array }),
            ("text/html", if hosted { lines } else { array }),
            ("application/json", array),
            ("application/x-ndjson", lines),
        ] {
            let expected = format!(
                "200\ncontent-type: {content_type}\nvary: accept\nstream-next-offset: @10\netag: \"{{token}}:0:10{flag}:t\""
            );
            let reply = stream.expect(&format!("GET {{s}}\naccept: {accept}"), &expected).await;
            assert_eq!(reply.text(), body, "{accept} {}", stream.path);
        }
        for (query, tag) in [("offset=10", true), ("offset=now", false)] {
            let reply = stream.ask(&format!("GET {{s}}?{query}")).await;
            assert_eq!(reply.text(), if hosted { "" } else { "[]" });
            assert_eq!(reply.header("etag").is_some(), tag);
            assert_eq!(reply.header("vary"), Some("accept"));
        }
    }
}

#[tokio::test]
async fn lines_may_be_cut_anywhere_and_arrays_never_inside_a_message() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/cut", "application/json", "[11,22,33]").await;
    for (query, accept, body, next) in [
        ("max_bytes=4", "application/x-ndjson", "11\n2", 4),
        ("offset=4&max_bytes=100", "application/x-ndjson", "2\n33\n", 9),
        ("max_bytes=4", "application/json", "[11]", 3),
        ("offset=3&max_bytes=6", "application/json", "[22,33]", 9),
        // One message is never too long to be read.
        ("offset=3&max_bytes=1", "application/json", "[22]", 6),
        ("offset=9&max_bytes=1", "application/json", "[]", 9),
    ] {
        let reply = stream.ask(&format!("GET {{s}}?{query}\naccept: {accept}")).await;
        reply.check(query, &format!("200\nstream-next-offset: @{next}"));
        assert_eq!(reply.text(), body, "{query} {accept}");
    }
    let inside = "400 NOT_JSON_BOUNDARY\nstream-next-offset: @9";
    stream.refuses("GET {s}?offset=4\naccept: application/json", inside).await;
}

#[tokio::test]
async fn a_range_is_ignored() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/range", "text/plain", "hello").await;
    let reply = stream.expect("GET {s}\nrange: bytes=1-2", "200\n!content-range\n!accept-ranges").await;
    assert_eq!(reply.text(), "hello");
}
