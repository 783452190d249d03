//! What an append takes, and what it is answered.

use super::{
    producers::{CLAIM, FIRST, SECOND},
    steps::{Shown, Step::Ask, shown},
};

const APPEND: &str = "Append and close: `POST {stream}`";

pub(super) const ROWS: &[Shown] = &[
    shown(
        APPEND,
        &["`Content-Type`"],
        &[
            Ask("POST {s}\ncontent-type: TEXT/PLAIN\n\nx", "204"),
            Ask("POST {s}\ncontent-type: text/plain; x=y\n\nx", "409 CONTENT_TYPE_MISMATCH"),
        ],
    ),
    shown(
        APPEND,
        &["`Producer-Id`"],
        &[
            Ask(FIRST, "200\nproducer-epoch: 3\nproducer-seq: 0"),
            Ask("POST {s}\nproducer-id: p\nproducer-epoch: 3\n\nx", "400 INVALID_PRODUCER"),
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 9007199254740992\nproducer-seq: 0\n\nx",
                "400 INVALID_PRODUCER",
            ),
        ],
    ),
    shown(
        APPEND,
        &["`Producer-Digest`"],
        &[
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 0\nproducer-seq: 0\ncontent-type: text/plain\n\
                 producer-digest: d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24\n\nhello world",
                "200",
            ),
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 0\nproducer-seq: 0\ncontent-type: text/plain\n\
                 producer-digest: D74981EFA70A0C880B8D8C1985D075DBCBF679B99A5F9914E5AAF96B831A9E24\n\nhello world",
                "400 INVALID_PRODUCER",
            ),
        ],
    ),
    shown(
        APPEND,
        &["`Stream-Seq`"],
        &[
            Ask("POST {s}\ncontent-type: text/plain\nstream-seq: 9\n\nx", "204"),
            Ask(
                "POST {s}\ncontent-type: text/plain\nstream-seq: 10\n\nx",
                "409 STREAM_SEQ_CONFLICT\nstream-last-seq: 9",
            ),
        ],
    ),
    shown(
        APPEND,
        &["`Stream-Closed: true`"],
        &[
            Ask("POST {s}\ncontent-type: text/plain\nstream-closed: no\n\nx", "204\n!stream-closed"),
            Ask("POST {s}\ncontent-type: text/plain\nstream-closed: true\n\nx", "204\nstream-closed: true"),
            Ask("POST {s}\nstream-closed: true", "204\nstream-closed: true\nstream-next-offset: @5"),
        ],
    ),
    shown(
        APPEND,
        &["`If-Match`"],
        &[
            Ask("POST {s}\ncontent-type: text/plain\nif-match: \"{token}:3\"\n\nx", "204\netag: \"{token}:4\""),
            Ask("POST {s}\ncontent-type: text/plain\nif-match: \"{token}:3\"\n\nx", "412 IF_MATCH_FAILED"),
            Ask("POST {s}\ncontent-type: text/plain\nif-match: *\n\nx", "204"),
        ],
    ),
    shown(
        APPEND,
        &["`Stream-Incarnation`"],
        &[
            Ask("POST {s}\ncontent-type: text/plain\nstream-incarnation: {token}\n\nx", "204"),
            Ask(
                "POST {s}\ncontent-type: text/plain\nstream-incarnation: 5\n\nx",
                "412 INCARNATION_MISMATCH\nstream-incarnation: {token}",
            ),
        ],
    ),
    shown(
        APPEND,
        &["204", "unkeyed, applied"],
        &[Ask(
            "POST {s}\ncontent-type: text/plain\n\nx",
            "204\nstream-incarnation: {token}\nstream-next-offset: @4\netag: \"{token}:4\"\n!stream-offset",
        )],
    ),
    shown(
        APPEND,
        &["200; 204 for a close", "keyed, applied now"],
        &[
            Ask(
                FIRST,
                "200\nproducer-epoch: 3\nproducer-seq: 0\nstream-offset: @3\nstream-next-offset: @4\n\
                 etag: \"{token}:4\"\n!stream-closed\n!producer-closed-epoch",
            ),
            Ask(CLAIM, "200\nproducer-epoch: 4\nproducer-closed-epoch: 3\nproducer-closed-seq: 0"),
            Ask(
                "POST {s}\nproducer-id: p\nproducer-epoch: 4\nproducer-seq: 1\nstream-closed: true",
                "204\nproducer-seq: 1\nstream-offset: @5\nstream-next-offset: @5\nstream-closed: true",
            ),
        ],
    ),
    shown(
        APPEND,
        &["204", "keyed, the producer's newest write again"],
        &[
            Ask(FIRST, "200\nstream-offset: @3\nstream-next-offset: @4"),
            Ask(FIRST, "204\nproducer-epoch: 3\nproducer-seq: 0\nstream-offset: @3\nstream-next-offset: @4"),
        ],
    ),
    shown(
        APPEND,
        &["204", "keyed, an older write again"],
        &[
            Ask(FIRST, "200"),
            Ask(SECOND, "200"),
            Ask(
                FIRST,
                "204\nproducer-epoch: 3\nproducer-seq: 1\nproducer-outcome: receipt-evicted\n!stream-offset\n\
                 !stream-next-offset",
            ),
        ],
    ),
];
