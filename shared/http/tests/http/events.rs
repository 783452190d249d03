//! Server-sent events: what they carry, and how a connection ends.

use tokio::task::yield_now;

use crate::{
    follower::{Follower, data_of, json},
    harness::{Service, open_lifecycle},
};

const TYPE: &str = "content-type: text/plain";

/// Reads what is there, up to the control event that says so.
async fn caught_up(follower: &mut Follower) -> Vec<eventsource_stream::Event> {
    let mut events = Vec::new();
    loop {
        let event = follower.next().await.expect("a control event that says up to date");
        let up_to_date = event.event == "control" && json(&event.data)["upToDate"] == true;
        events.push(event);
        if up_to_date {
            return events;
        }
    }
}

#[tokio::test]
async fn what_is_there_comes_first_and_then_every_append() {
    let service = Service::new();
    for stream in service.both("follow", "text/plain", "abc").await {
        let mut follower = Follower::open(&service, &format!("GET {}?offset=1&live=sse", stream.path)).await;
        assert_eq!(follower.status, 200);
        for (name, value) in [
            ("content-type", "text/event-stream"),
            ("stream-data-content-type", "text/plain"),
            ("stream-incarnation", &*stream.token),
            ("cache-control", "no-cache, no-store, no-transform"),
            ("x-accel-buffering", "no"),
        ] {
            assert_eq!(follower.header(name), Some(value), "{name}");
        }
        for absent in ["content-length", "content-encoding", "connection", "etag", "stream-sse-data-encoding"] {
            assert_eq!(follower.header(absent), None, "{absent}");
        }
        assert_eq!(follower.expect("data").await, "bc");
        let control = json(&follower.expect("control").await);
        assert_eq!(control["streamNextOffset"], format!("{:020}", 3));
        assert_eq!((&control["upToDate"], control.get("streamClosed")), (&true.into(), None));
        assert!(control["streamCursor"].as_str().unwrap().parse::<u64>().is_ok());

        stream.expect(&format!("POST {{s}}\n{TYPE}\n\ndef"), "204").await;
        assert_eq!(follower.expect("data").await, "def");
        assert_eq!(json(&follower.expect("control").await)["streamNextOffset"], format!("{:020}", 6));
        stream.expect(&format!("POST {{s}}\n{TYPE}\nstream-closed: true\n\nbye"), "204").await;
        assert_eq!(follower.expect("data").await, "bye");
        let last = json(&follower.expect("control").await);
        assert_eq!((&last["streamClosed"], last.get("streamCursor")), (&true.into(), None));
        assert!(follower.next().await.is_none(), "the connection ends with the stream");
    }
}

#[tokio::test]
async fn readers_that_stand_together_each_get_their_own_form_and_cursor() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/together", "application/json", "[1]").await;
    let lines = "/ds/default/together";
    let mut readers = Vec::new();
    for (path, cursor, data, control_cursor) in [
        ("/v1/stream/together", "", "[2,3]", None),
        (lines, "", "2\n3\n", None),
        ("/v1/stream/together", "&cursor=999999999", "[2,3]", Some("1000000000")),
        (lines, "&cursor=999999998", "2\n3\n", Some("999999999")),
        ("/v1/stream/together", "", "[2,3]", None),
    ] {
        let request = format!("GET {path}?offset=now&live=sse{cursor}");
        let mut reader = Follower::open(&service, &request).await;
        reader.expect("control").await;
        readers.push((reader, data, control_cursor));
    }
    stream.expect("POST {s}\ncontent-type: application/json\n\n[2,3]", "204").await;
    for (mut reader, data, cursor) in readers {
        assert_eq!(reader.expect("data").await, data);
        let control = json(&reader.expect("control").await);
        assert_eq!((&control["streamNextOffset"], &control["upToDate"]), (&format!("{:020}", 6).into(), &true.into()));
        let told = control["streamCursor"].as_str().unwrap();
        assert!(cursor.map_or(told.len() < 9, |cursor| told == cursor), "{told}, not {cursor:?}");
    }
}

#[tokio::test]
async fn a_reader_at_the_tail_is_told_so_at_once() {
    let service = Service::new();
    for stream in service.both("idle", "text/plain", "abc").await {
        for offset in ["3", "now"] {
            let mut follower = Follower::open(&service, &format!("GET {}?offset={offset}&live=sse", stream.path)).await;
            let control = json(&follower.expect("control").await);
            assert_eq!(
                (&control["streamNextOffset"], &control["upToDate"]),
                (&format!("{:020}", 3).into(), &true.into())
            );
        }
    }
}

#[tokio::test]
async fn text_is_never_split_inside_a_character() {
    let service = Service::new();
    let text = "a\u{fc}\u{20ac}\u{1f30a} line\n\n: no comment\ndata: no field\n \u{fc}\n";
    for stream in service.both("text", "text/plain; charset=utf-8", text).await {
        stream.expect("POST {s}\nstream-closed: true", "204").await;
        for bytes_max in [1, 4, 5, 6, 7, 1000] {
            let request = format!("GET {}?offset=-1&live=sse&max_bytes={bytes_max}", stream.path);
            let events = Follower::open(&service, &request).await.rest().await;
            assert_eq!(data_of(&events), text, "{bytes_max}");
        }
    }
}

#[tokio::test]
async fn what_no_event_can_carry_is_dropped_and_forges_none() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/forged", "text/plain", "").await;
    stream.expect(&format!("POST {{s}}\n{TYPE}\n\na\r\n\r\nevent: control\rdata: {{}}\0\n"), "204").await;
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    let events = Follower::open(&service, "GET /v1/stream/forged?offset=-1&live=sse").await.rest().await;
    let kinds: Vec<&str> = events.iter().map(|event| event.event.as_str()).collect();
    assert_eq!(kinds, ["data", "control"]);
    assert_eq!(events[0].data, "a\n\nevent: controldata: {}\n");
}

#[tokio::test]
async fn bytes_travel_in_base64() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    let service = Service::new();
    let stream = service.stream("/v1/stream/bytes", "application/octet-stream", "\u{1}\r\n\u{7f}bytes").await;
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    let mut follower = Follower::open(&service, "GET /v1/stream/bytes?offset=-1&live=sse&max_bytes=4").await;
    assert_eq!(follower.header("stream-sse-data-encoding"), Some("base64"));
    assert_eq!(follower.header("stream-data-content-type"), Some("application/octet-stream"));
    let events = follower.rest().await;
    let decoded =
        events.iter().filter(|event| event.event == "data").map(|event| STANDARD.decode(&event.data).unwrap());
    assert_eq!(decoded.collect::<Vec<_>>().concat(), b"\x01\r\n\x7fbytes");
}

#[tokio::test]
async fn an_offset_that_the_stream_does_not_have_is_told_by_an_event() {
    let service = Service::new();
    for stream in service.both("beyond", "text/plain", "abc").await {
        let mut follower = Follower::open(&service, &format!("GET {}?offset=4&live=sse", stream.path)).await;
        assert_eq!((follower.status.as_u16(), follower.header("content-type")), (200, Some("text/event-stream")));
        assert_eq!(json(&follower.expect("error").await)["error"]["code"], "OFFSET_OUT_OF_RANGE");
        assert!(follower.next().await.is_none());
        // The precondition comes before it, as a plain error.
        let other = "GET {s}?offset=4&live=sse\nstream-incarnation: 5";
        stream.expect(other, "412 INCARNATION_MISMATCH\nstream-incarnation: {token}").await;
    }
}

#[tokio::test]
async fn a_deleted_stream_ends_its_events_though_it_is_created_again() {
    let service = Service::new();
    for stream in service.both("deleted", "text/plain", "abc").await {
        let mut follower = Follower::open(&service, &format!("GET {}?offset=-1&live=sse", stream.path)).await;
        caught_up(&mut follower).await;
        stream.expect("DELETE {s}", "204").await;
        stream.expect(&format!("PUT {{s}}\n{TYPE}\n\nanother life"), "201").await;
        assert_eq!(json(&follower.expect("error").await)["error"]["code"], "STREAM_NOT_FOUND");
        assert!(follower.next().await.is_none());
    }
}

#[tokio::test]
async fn a_page_that_is_gone_gives_its_place_back() {
    let service = Service::with(wadi_http::Settings { live_reads_max: 1, ..open_lifecycle() });
    let stream = service.stream("/v1/stream/places", "text/plain", "abc").await;
    let request = "GET /v1/stream/places?offset=3&live=sse";
    for _ in 0..3 {
        let follower = Follower::open(&service, request).await;
        assert_eq!(follower.status, 200);
        stream.expect(request, "503 LIVE_READ_BACKPRESSURE\nretry-after: 1").await;
        drop(follower);
        yield_now().await;
    }
}

/// See: <https://github.com/EventSource/eventsource/issues/291>, <https://github.com/athrvk/vayu/issues/21>,
/// <https://github.com/r3labs/sse/issues/52>
#[tokio::test]
async fn a_page_that_comes_back_with_its_last_event_id_goes_on_where_it_was() {
    let service = Service::new();
    for stream in service.both("resume", "text/plain", "abcdefghijkl").await {
        let url = format!("GET {}?offset=-1&live=sse&max_bytes=4", stream.path);
        let mut follower = Follower::open(&service, &url).await;
        let seen = caught_up(&mut follower).await;
        let ids: Vec<&str> = seen.iter().map(|event| event.id.as_str()).collect();
        let offset = |at: u64| format!("{at:020}");
        assert_eq!(ids, [offset(4), offset(4), offset(8), offset(8), offset(12), offset(12)]);
        for pair in seen.chunks(2) {
            assert_eq!(json(&pair[1].data)["streamNextOffset"], pair[0].id, "both name the offset after them");
        }
        // The same URL again: the header wins over the offset in it.
        for (at, id) in ids.iter().enumerate() {
            let again = format!("{url}\nlast-event-id: {id}");
            let rest = caught_up(&mut Follower::open(&service, &again).await).await;
            let read: u64 = id.parse().unwrap();
            assert_eq!(data_of(&rest), "abcdefghijkl"[usize::try_from(read).unwrap()..], "after event {at}");
        }
        for malformed in ["", "x", "-1", "now", "4x", "18446744073709551616", "4 4"] {
            let again = format!("{url}\nlast-event-id: {malformed}");
            let whole = caught_up(&mut Follower::open(&service, &again).await).await;
            assert_eq!(data_of(&whole), "abcdefghijkl", "{malformed:?} is ignored");
        }
        stream.expect("POST {s}\nstream-closed: true", "204").await;
        let stops = "204\nstream-closed: true\nstream-next-offset: @12\ncache-control: no-store\n!content-type";
        stream.expect(&format!("{}\nlast-event-id: {}", url.replace(&stream.path, "{s}"), offset(12)), stops).await;
        let events = Follower::open(&service, &format!("{url}\nlast-event-id: {}", offset(8))).await.rest().await;
        assert_eq!(data_of(&events), "ijkl", "before the end there is still something to tell");
    }
}

/// See: <https://github.com/jshttp/fresh/issues/17>
#[tokio::test]
async fn events_are_not_conditional() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/conditional", "text/plain", "abc").await;
    for tags in ["*", "\"{token}:0:3:t\""] {
        let tags = tags.replace("{token}", &stream.token);
        let request = format!("GET /v1/stream/conditional?offset=-1&live=sse\nif-none-match: {tags}");
        let mut follower = Follower::open(&service, &request).await;
        assert_eq!((follower.status.as_u16(), follower.header("etag")), (200, None), "{tags}");
        assert_eq!(follower.expect("data").await, "abc");
    }
}
