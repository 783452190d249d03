//! Keyed writes.

use crate::harness::{Service, Stream};

fn keyed(epoch: u64, seq: u64, more: &str, body: &str) -> String {
    let key = format!("producer-id: p\nproducer-epoch: {epoch}\nproducer-seq: {seq}");
    format!("POST {{s}}\n{key}\ncontent-type: text/plain\n{more}\n\n{body}").replace("\n\n\n", "\n\n")
}

async fn wrote(stream: &Stream<'_>, epoch: u64, seq: u64) {
    stream.expect(&keyed(epoch, seq, "", "x"), "200").await;
}

#[tokio::test]
async fn malformed_keys_are_refused_and_change_nothing() {
    let service = Service::new();
    for stream in service.both("keys", "text/plain", "abc").await {
        for value in ["", " ", "+1", "-1", "1.0", "1e3", "0x1", "\u{ff11}", "9007199254740992", "18446744073709551616"]
        {
            for (epoch, seq) in [(value, "0"), ("0", value)] {
                let key = format!("producer-id: p\nproducer-epoch: {epoch}\nproducer-seq: {seq}");
                let request = format!("POST {{s}}\n{key}\ncontent-type: text/plain\n\nx");
                stream.refuses(&request, "400 INVALID_PRODUCER\n!producer-epoch\n!producer-expected-seq").await;
            }
        }
        let (id, epoch, seq) = ("producer-id: p", "producer-epoch: 0", "producer-seq: 0");
        let digest = format!("producer-digest: {}", "0".repeat(64));
        for (key, expected) in [
            (id.to_owned(), "400 INVALID_PRODUCER"),
            (format!("{id}\n{epoch}"), "400 INVALID_PRODUCER"),
            (format!("{epoch}\n{seq}"), "400 INVALID_PRODUCER"),
            (digest.clone(), "400 INVALID_PRODUCER"),
            (format!("{id}\n{digest}"), "400 INVALID_PRODUCER"),
            (format!("producer-id: \n{epoch}\n{seq}"), "400 INVALID_PRODUCER"),
            (format!("producer-id: \u{e9}\n{epoch}\n{seq}"), "400 INVALID_PRODUCER"),
            (format!("producer-id: {}\n{epoch}\n{seq}", "x".repeat(257)), "400 INVALID_PRODUCER"),
            (format!("producer-id: {}\n{epoch}\n{seq}", "x".repeat(65_536)), "400 INVALID_PRODUCER"),
            (format!("{id}\n{epoch}\n{seq}\nproducer-digest: abc"), "400 INVALID_PRODUCER"),
            (format!("{id}\n{epoch}\n{seq}\nproducer-digest: {}", "A".repeat(64)), "400 INVALID_PRODUCER"),
            (format!("{id}\n{id}\n{epoch}\n{seq}"), "400 INVALID_HEADER"),
            (format!("{id}\n{epoch}\n{seq}\n{seq}"), "400 INVALID_HEADER"),
            (format!("{id}\n{epoch}\n{seq}\n{digest}\n{digest}"), "400 INVALID_HEADER"),
        ] {
            stream.refuses(&format!("POST {{s}}\n{key}\ncontent-type: text/plain\n\nx"), expected).await;
            stream.refuses(&format!("POST {{s}}\n{key}\nstream-closed: true"), expected).await;
        }
    }
}

#[tokio::test]
async fn the_largest_numbers_and_leading_zeros_are_fine() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/edge", "text/plain", "").await;
    let key = "producer-id: \"q\" \\ p\nproducer-epoch: 0009007199254740991\nproducer-seq: 00";
    let applied = "200\nproducer-epoch: 9007199254740991\nproducer-seq: 0";
    stream.expect(&format!("POST {{s}}\n{key}\ncontent-type: text/plain\n\nx"), applied).await;
    let key = key.replace("0009007199254740991", "9007199254740992");
    stream.refuses(&format!("POST {{s}}\n{key}\ncontent-type: text/plain\n\nx"), "400 INVALID_PRODUCER").await;
}

#[tokio::test]
async fn a_write_applies_once_and_repeats_get_its_receipt() {
    let service = Service::new();
    for stream in service.both("once", "text/plain", "").await {
        let receipt = "producer-epoch: 0\nproducer-seq: 0\nstream-incarnation: {token}\nstream-offset: @0\n\
                       stream-next-offset: @3\netag: \"{token}:3\"\n!stream-closed\n!producer-closed-epoch\n!producer-outcome";
        stream.expect(&keyed(0, 0, "", "abc"), &format!("200\n{receipt}")).await;
        stream.expect(&keyed(0, 0, "", "abc"), &format!("204\n{receipt}")).await;
        // The repeat is answered before anything of its own: type, JSON, If-Match, Stream-Seq.
        let garbage = keyed(0, 0, "stream-seq: !\nif-match: \"no\"", "{").replace("text/plain", "application/json");
        stream.expect(&garbage, &format!("204\n{receipt}")).await;

        wrote(&stream, 0, 1).await;
        let evicted = "204\nproducer-epoch: 0\nproducer-seq: 1\nproducer-outcome: receipt-evicted\n\
                       stream-incarnation: {token}\n!stream-offset\n!stream-next-offset\n!stream-closed\n!etag";
        stream.expect(&keyed(0, 0, "", "abc"), evicted).await;
        assert_eq!(stream.ask("GET {s}").await.text(), "abcx");
    }
}

#[tokio::test]
async fn refusals_of_the_producer_name_what_to_do_and_change_nothing() {
    let service = Service::new();
    for stream in service.both("refused", "text/plain", "").await {
        let unknown =
            "409 PRODUCER_SEQ_CONFLICT\nproducer-expected-seq: 0\nproducer-received-seq: 3\n!stream-next-offset";
        stream.refuses(&keyed(0, 3, "", "x"), unknown).await;
        wrote(&stream, 1, 0).await;
        wrote(&stream, 1, 1).await;
        let gap = "409 PRODUCER_SEQ_CONFLICT\nproducer-expected-seq: 2\nproducer-received-seq: 7\n!stream-incarnation";
        stream.refuses(&keyed(1, 7, "", "x"), gap).await;
        stream.refuses(&keyed(2, 1, "", "x"), "400 INVALID_PRODUCER\nproducer-expected-seq: 0").await;
        let stale = "403 PRODUCER_EPOCH_STALE\nproducer-epoch: 1\nproducer-outcome: stale-epoch\n!stream-incarnation";
        stream.refuses(&keyed(0, 0, "", "x"), stale).await;

        let claim = "200\nproducer-epoch: 3\nproducer-seq: 0\nproducer-closed-epoch: 1\nproducer-closed-seq: 1";
        stream.expect(&keyed(3, 0, "", "x"), claim).await;
        stream.expect(&keyed(3, 0, "", "x"), &claim.replace("200", "204")).await;
        let closed = "403 PRODUCER_EPOCH_CLOSED\nproducer-epoch: 3\nproducer-outcome: epoch-closed;by=claim\n\
                      producer-closed-epoch: 1\nproducer-closed-seq: 1\n!stream-incarnation";
        stream.refuses(&keyed(1, 1, "", "x"), closed).await;
        stream.refuses(&keyed(0, 0, "", "x"), "403 PRODUCER_EPOCH_STALE\nproducer-epoch: 3").await;
    }
}

#[tokio::test]
async fn a_digest_is_of_the_body_received() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/digest", "application/json", "").await;
    let digest = "producer-digest: 7c9dc47b3b7a928e86b42605f7de4f4d48ce4fcd8c52f9e691acd38c7ff00037";
    let json = |seq, more: &str, body: &str| keyed(0, seq, more, body).replace("text/plain", "application/json");
    stream.refuses(&json(0, digest, "{\"n\":1}"), "400 PRODUCER_DIGEST_MISMATCH\n!producer-epoch").await;
    // A body that does not match is no JSON either; the digest is told first.
    stream.refuses(&json(0, digest, "{"), "400 PRODUCER_DIGEST_MISMATCH").await;
    stream.expect(&json(0, digest, "{\"n\":0}"), "200").await;
    stream.expect(&json(0, digest, "{\"n\":0}"), "204").await;
    let conflict = "403 PRODUCER_KEY_CONFLICT\nproducer-epoch: 0\nproducer-outcome: key-conflict";
    stream.refuses(&json(0, "", "{\"n\":0}"), conflict).await;

    let empty = "producer-digest: af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
    let close = format!("POST {{s}}\nproducer-id: p\nproducer-epoch: 0\nproducer-seq: 1\nstream-closed: true\n{empty}");
    stream.expect(&close, "204\nstream-closed: true").await;
}

#[tokio::test]
async fn faults_of_a_keyed_body_come_after_the_producer_and_change_nothing() {
    let service = Service::new();
    for stream in service.both("faults", "text/plain", "").await {
        wrote(&stream, 0, 0).await;
        let bare = |seq: u64| format!("POST {{s}}\nproducer-id: p\nproducer-epoch: 0\nproducer-seq: {seq}");
        for (request, expected) in [
            (format!("{}\n\nx", bare(1)), "400 MISSING_CONTENT_TYPE"),
            (bare(1), "400 EMPTY_APPEND"),
            (format!("{}\ncontent-type: nonsense\n\nx", bare(1)), "400 INVALID_HEADER"),
            (format!("{}\ncontent-type: application/json\n\n[]", bare(1)), "400 INVALID_RECORD_BOUNDARIES"),
            (format!("{}\ncontent-type: text/html\n\nx", bare(1)), "409 CONTENT_TYPE_MISMATCH\nstream-next-offset: @1"),
            (format!("{}\n\nx", bare(5)), "409 PRODUCER_SEQ_CONFLICT"),
        ] {
            stream.refuses(&request, expected).await;
        }
    }
}
