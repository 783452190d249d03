//! Numbers at the edge of what they may be.

use wadi_tests::{answer::Answer, call::Call, http::Key};

use crate::instance::{Instance, two};

/// The largest epoch and sequence number.
const LARGEST: u64 = (1 << 53) - 1;

/// Texts that are no number that fits.
const NO_NUMBER: [&str; 11] = [
    "",
    " ",
    "+1",
    "-1",
    "1.0",
    "1e3",
    "0x1",
    "１",
    "9007199254740992",
    "18446744073709551616",
    "99999999999999999999999999999999999999999999",
];

fn keyed(path: &str, producer: &str, epoch: u64, seq: u64) -> Call {
    Call::append(path).key(&Key { producer: producer.to_owned(), epoch, seq }).body("x")
}

async fn refused(via: &Instance, call: Call) -> Answer {
    call.ask(&via.streams).await.expect_status(400)
}

/// See: <https://github.com/confluentinc/librdkafka/issues/3720>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn integers_at_the_edge() {
    let [one, two] = two("integers").await;
    let path = "/v1/stream/integers";
    let _ = one.create(path).await.expect_status(201);
    nothing_else_is_a_number(&one, path).await;
    headers_come_together_and_once(&one, path).await;
    producer_ids_are_bounded(&one, path).await;
    assert_eq!(two.text(path).await, "", "nothing of it was appended");

    let _ = keyed(path, "p", LARGEST, 0).ask(&one.streams).await.expect_status(200);
    let _ = keyed(path, "p", LARGEST, 0).ask(&two.streams).await.expect_status(204);
    let _ = keyed(path, "p", LARGEST, 1).ask(&two.streams).await.expect_status(200);
    let _ = keyed(path, "p", LARGEST - 1, 0).ask(&one.streams).await.expect_status(403);
    let gap = keyed(path, "p", LARGEST, LARGEST).ask(&one.streams).await.expect_status(409);
    assert_eq!(gap.number("producer-expected-seq"), Some(2));
    assert_eq!(gap.number("producer-received-seq"), Some(LARGEST));
    let _ = keyed(path, "q", 0, 0).header("producer-epoch", "01").ask(&one.streams).await.expect_status(200);
    let again = keyed(path, "q", 1, 0).ask(&two.streams).await.expect_status(204);
    assert_eq!(again.number("producer-epoch"), Some(1), "01 is 1");
    assert_eq!(one.text(path).await, "xxx");
}

async fn nothing_else_is_a_number(via: &Instance, path: &str) {
    for text in NO_NUMBER {
        for header in ["producer-epoch", "producer-seq"] {
            let answer = refused(via, keyed(path, "p", 0, 0).header(header, text)).await;
            assert_eq!(answer.error_code().as_deref(), Some("INVALID_PRODUCER"), "{header}: {text:?}: {answer}");
        }
    }
}

async fn headers_come_together_and_once(via: &Instance, path: &str) {
    let _ = refused(via, keyed(path, "p", 0, 0).again("producer-seq", "0")).await;
    let _ = refused(via, keyed(path, "p", 0, 0).again("producer-epoch", "1")).await;
    let _ = refused(via, keyed(path, "p", 0, 0).again("producer-id", "p")).await;
    let all = [("producer-id", "p"), ("producer-epoch", "0"), ("producer-seq", "0")];
    for left_out in 0..all.len() {
        let two_of = |call: Call| {
            let kept = all.iter().enumerate().filter(|(number, _)| *number != left_out);
            kept.fold(call, |call, (_, (name, value))| call.header(name, value))
        };
        let _ = refused(via, two_of(Call::append(path).body("x"))).await;
        let _ = refused(via, two_of(Call::append(path).header("stream-closed", "true"))).await;
    }
    let head = Call::head(path).ask(&via.streams).await;
    assert!(!head.flag("stream-closed"), "{head}");
}

async fn producer_ids_are_bounded(via: &Instance, path: &str) {
    let long = keyed(path, &"p".repeat(64 * 1024), 0, 0).ask(&via.streams).await;
    assert!([400, 431].contains(&long.status.as_u16()), "{long}");
    for producer in ["", " ", "é", "日本"] {
        let answer = refused(via, keyed(path, producer, 0, 0)).await;
        assert!(answer.error_code().is_some(), "the body is whole: {answer}");
    }
    let quoted = keyed("/v1/stream/quoted", "\"><q", 0, 0);
    let _ = via.create("/v1/stream/quoted").await.expect_status(201);
    let accepted = quoted.ask(&via.streams).await.expect_status(200);
    assert!(accepted.body.is_empty() && accepted.header("producer-id").is_none(), "it is not echoed: {accepted}");
    let stale = keyed("/v1/stream/quoted", "\"><q", 0, 2).ask(&via.streams).await.expect_status(409);
    assert!(stale.error_code().is_some() && !String::from_utf8_lossy(&stale.body).contains("><q"), "{stale}");
}
