//! The last message of a stream reaches a live reader before the news that the stream is closed.
//!
//! See: <https://github.com/durable-streams/durable-streams/pull/376>

use std::time::Duration;

use futures::future::{join, join_all};
use serde_json::Value;
use wadi_tests::{
    bucket::Bucket,
    http::Streams,
    messages::{Kind, Stream},
    server::Launch,
};

/// How long after the readers the writer comes, at most, and the steps there.
const DELAYS_MS: std::ops::RangeInclusive<u64> = 0..=400;
const STEP_MS: usize = 10;

#[tokio::test]
async fn of_another_process_comes_before_the_end_whenever_it_is_written() {
    let bucket = Bucket::fresh("last-message");
    let here = Launch::on_s3(&bucket).start().await;
    let there = Launch::on_s3(&bucket).start().await;
    let both = (here.streams(), there.streams());
    join_all(DELAYS_MS.step_by(STEP_MS).map(|delay| one_close(&both, Duration::from_millis(delay)))).await;
}

/// Follows a stream through one process while another closes it with a last message.
async fn one_close((reading, writing): &(Streams, Streams), delay: Duration) {
    let stream = Stream::new(&format!("closed-after-{}", delay.as_millis()), Kind::Lines);
    writing.create(&stream).await;
    let mut events = reading.follow(&stream, "now").await;
    let first = events.next().await.expect("an event").expect("a whole event");
    assert_eq!(first.event, "control");

    let polls = async {
        let bytes = reading.poll(&stream, "0").await.expect_status(200);
        let end = reading.poll(&stream, &bytes.next_offset()).await;
        (bytes, end)
    };
    let close = async {
        tokio::time::sleep(delay).await;
        writing.append_and_close(&stream, "bye").await.expect_status(204)
    };
    let ((bytes, end), closed) = join(polls, close).await;
    assert_eq!((&bytes.body[..], bytes.next_offset()), (&b"bye\n"[..], closed.next_offset()), "{delay:?}");
    assert!(end.flag("stream-closed") && end.body.is_empty(), "{delay:?}: {end}");

    let mut data = String::new();
    let mut is_closed = false;
    while let Some(event) = events.next().await {
        let event = event.expect("a whole event");
        assert!(!is_closed, "{delay:?}: {event:?} after the end");
        if event.event == "data" {
            data += &event.data;
        } else {
            let control: Value = serde_json::from_str(&event.data).expect("JSON");
            is_closed = control["streamClosed"] == true;
            assert!(!is_closed || data == "bye\n", "{delay:?}: closed after {data:?}");
        }
    }
    assert!(is_closed, "{delay:?}: the connection ended without the end of the stream");
}
