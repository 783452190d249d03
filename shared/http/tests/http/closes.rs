//! Closing.

use crate::harness::Service;

const TYPE: &str = "content-type: text/plain";
const KEY0: &str = "producer-id: p\nproducer-epoch: 0\nproducer-seq: 0";
const KEY1: &str = "producer-id: p\nproducer-epoch: 0\nproducer-seq: 1";
const KEY2: &str = "producer-id: p\nproducer-epoch: 0\nproducer-seq: 2";

#[tokio::test]
async fn an_unkeyed_close_answers_the_same_however_often() {
    let service = Service::new();
    for stream in service.both("close", "text/plain", "abc").await {
        let closed =
            "204\nstream-next-offset: @3\nstream-incarnation: {token}\nstream-closed: true\netag: \"{token}:3:c\"";
        // A close ignores the content type, and on a closed stream Stream-Seq too.
        stream.expect("POST {s}\nstream-closed: true\ncontent-type: garbage\nstream-seq: 5", closed).await;
        stream.expect("POST {s}\nstream-closed: True\nstream-seq: 1", closed).await;
        stream.expect("POST {s}\nstream-closed: true", closed).await;
        stream.expect("HEAD {s}", "200\nstream-closed: true").await;
    }
}

#[tokio::test]
async fn a_closed_stream_takes_nothing_more() {
    let service = Service::new();
    for stream in service.both("closed", "text/plain", "abc").await {
        stream.expect("POST {s}\nstream-closed: true\nstream-seq: 5", "204").await;
        let refused = "409 STREAM_CLOSED\nstream-closed: true\nstream-next-offset: @3\n!stream-incarnation\n!etag";
        for headers in [
            TYPE.to_owned(),
            format!("{TYPE}\nstream-closed: true"),
            // Closed hides a type that differs, and a sequence that does not rise.
            "content-type: text/html".to_owned(),
            format!("{TYPE}\nstream-seq: 1"),
            format!("{KEY0}\n{TYPE}"),
            format!("{KEY0}\n{TYPE}\nproducer-digest: {}", "0".repeat(64)),
        ] {
            stream.refuses(&format!("POST {{s}}\n{headers}\n\nx"), refused).await;
        }
        stream.refuses(&format!("POST {{s}}\n{KEY0}\nstream-closed: true"), refused).await;
    }
}

#[tokio::test]
async fn stream_seq_of_a_close_of_an_open_stream_must_rise() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/seq", "text/plain", "").await;
    stream.expect(&format!("POST {{s}}\n{TYPE}\nstream-seq: 5\n\nx"), "204").await;
    stream.refuses("POST {s}\nstream-closed: true\nstream-seq: 5", "409 STREAM_SEQ_CONFLICT\nstream-last-seq: 5").await;
    stream.expect("POST {s}\nstream-closed: true\nstream-seq: 6", "204").await;
}

#[tokio::test]
async fn a_keyed_close_is_a_write_with_a_receipt() {
    let service = Service::new();
    for stream in service.both("keyed", "text/plain", "").await {
        stream.expect(&format!("POST {{s}}\n{KEY0}\n{TYPE}\n\nab"), "200\n!stream-closed").await;
        let receipt = "204\nstream-offset: @2\nstream-next-offset: @2\nstream-closed: true\nproducer-epoch: 0\n\
                       producer-seq: 1\nstream-incarnation: {token}\netag: \"{token}:2:c\"\n!producer-outcome";
        stream.expect(&format!("POST {{s}}\n{KEY1}\nstream-closed: true"), receipt).await;
        stream.expect(&format!("POST {{s}}\n{KEY1}\nstream-closed: true"), receipt).await;
        // A repeat of another kind gets the receipt that is kept.
        stream.expect(&format!("POST {{s}}\n{KEY1}\n{TYPE}\n\nother"), receipt).await;
        stream.refuses(&format!("POST {{s}}\n{KEY2}\nstream-closed: true"), "409 STREAM_CLOSED").await;
        let evicted = "204\nproducer-outcome: receipt-evicted\n!stream-closed\n!stream-next-offset\n!etag";
        stream.expect(&format!("POST {{s}}\n{KEY0}\n{TYPE}\n\nab"), evicted).await;
    }
}

#[tokio::test]
async fn only_the_write_that_closed_says_so_when_repeated() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/who", "text/plain", "").await;
    stream.expect(&format!("POST {{s}}\n{KEY0}\n{TYPE}\n\nab"), "200").await;
    stream.expect("POST {s}\nstream-closed: true", "204").await;
    stream.expect(&format!("POST {{s}}\n{KEY0}\n{TYPE}\n\nab"), "204\nstream-next-offset: @2\n!stream-closed").await;

    let closing = service.stream("/v1/stream/closing", "text/plain", "").await;
    let write = format!("POST {{s}}\n{KEY0}\n{TYPE}\nstream-closed: true\n\nab");
    let receipt = "stream-offset: @0\nstream-next-offset: @2\nstream-closed: true\netag: \"{token}:2:c\"";
    closing.expect(&write, &format!("200\n{receipt}")).await;
    closing.expect(&write, &format!("204\n{receipt}")).await;
}
