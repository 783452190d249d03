//! What a producer is answered.

use super::steps::{
    Shown,
    Step::{Ask, Pass},
    shown,
};

pub(super) const FIRST: &str =
    "POST {s}\nproducer-id: p\nproducer-epoch: 3\nproducer-seq: 0\ncontent-type: text/plain\n\nx";
pub(super) const SECOND: &str =
    "POST {s}\nproducer-id: p\nproducer-epoch: 3\nproducer-seq: 1\ncontent-type: text/plain\n\ny";
pub(super) const CLAIM: &str =
    "POST {s}\nproducer-id: p\nproducer-epoch: 4\nproducer-seq: 0\ncontent-type: text/plain\n\nz";
const NAMED: &str = "POST {s}\nstream-incarnation: {token}\nproducer-id: p\nproducer-epoch: 3\nproducer-seq: 1\n\
                     content-type: text/plain\n\ny";
const EIGHT_DAYS_SECONDS: u64 = 8 * 24 * 60 * 60;

const PRODUCERS: &str = "Producers";

pub(super) const ROWS: &[Shown] = &[
    shown(
        PRODUCERS,
        &["unknown", "names the incarnation, epoch at or below one the stream has forgotten"],
        &[Ask(FIRST, "200"), Pass(EIGHT_DAYS_SECONDS), Ask(NAMED, "403 PRODUCER_EXPIRED\nproducer-epoch: 3")],
    ),
    shown(PRODUCERS, &["unknown", "sequence 0"], &[Ask(FIRST, "200\nproducer-epoch: 3")]),
    shown(
        PRODUCERS,
        &["unknown", "sequence above 0"],
        &[Ask(SECOND, "409 PRODUCER_SEQ_CONFLICT\nproducer-expected-seq: 0\nproducer-received-seq: 1")],
    ),
    shown(
        PRODUCERS,
        &["known, came back under a forgotten epoch"],
        &[
            Ask(FIRST, "200"),
            Pass(EIGHT_DAYS_SECONDS),
            Ask(FIRST, "200"),
            Ask(NAMED, "403 PRODUCER_EXPIRED"),
            Ask(SECOND, "200"),
        ],
    ),
    shown(
        PRODUCERS,
        &["known", "the epoch just replaced"],
        &[
            Ask(FIRST, "200"),
            Ask(SECOND, "200"),
            Ask(CLAIM, "200"),
            Ask(
                SECOND,
                "403 PRODUCER_EPOCH_CLOSED\nproducer-outcome: epoch-closed;by=claim\nproducer-epoch: 4\n\
                 producer-closed-epoch: 3\nproducer-closed-seq: 1",
            ),
        ],
    ),
    shown(
        PRODUCERS,
        &["known", "an older epoch"],
        &[
            Ask(CLAIM, "200"),
            Ask(FIRST, "403 PRODUCER_EPOCH_STALE\nproducer-epoch: 4"),
            Ask(SECOND, "403 PRODUCER_EPOCH_STALE\nproducer-epoch: 4"),
        ],
    ),
    shown(
        PRODUCERS,
        &["known", "a higher epoch, sequence 0"],
        &[Ask(FIRST, "200"), Ask(CLAIM, "200\nproducer-epoch: 4\nproducer-closed-epoch: 3")],
    ),
    shown(
        PRODUCERS,
        &["known", "a higher epoch, sequence above 0"],
        &[
            Ask(FIRST, "200"),
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 5\nproducer-seq: 1\ncontent-type: text/plain\n\nx",
                "400 INVALID_PRODUCER\nproducer-expected-seq: 0",
            ),
        ],
    ),
    shown(
        PRODUCERS,
        &["known", "sequence 0 or the newest, another digest"],
        &[
            Ask(FIRST, "200"),
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 3\nproducer-seq: 0\ncontent-type: text/plain\n\
                 producer-digest: d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24\n\nhello world",
                "403 PRODUCER_KEY_CONFLICT",
            ),
        ],
    ),
    shown(PRODUCERS, &["known", "the newest sequence"], &[Ask(FIRST, "200"), Ask(FIRST, "204\nstream-offset: @3")]),
    shown(
        PRODUCERS,
        &["known", "an older sequence"],
        &[Ask(FIRST, "200"), Ask(SECOND, "200"), Ask(FIRST, "204\nproducer-outcome: receipt-evicted")],
    ),
    shown(PRODUCERS, &["known", "the next sequence"], &[Ask(FIRST, "200"), Ask(SECOND, "200\nstream-offset: @4")]),
    shown(
        PRODUCERS,
        &["known", "beyond the next"],
        &[
            Ask(CLAIM, "200"),
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 4\nproducer-seq: 2\ncontent-type: text/plain\n\nx",
                "409 PRODUCER_SEQ_CONFLICT\nproducer-expected-seq: 1\nproducer-received-seq: 2",
            ),
        ],
    ),
];
