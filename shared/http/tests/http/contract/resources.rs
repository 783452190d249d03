//! Mounts, what a create takes, and what a read takes and who may keep its answer.

use super::steps::{
    Shown,
    Step::{Ask, Pass},
    shown,
};

const PUT_EXPIRING: &str = "PUT {s}-t\nstream-expires-at: 2030-01-01T00:00:00Z";

const MOUNTS: &str = "Mounts and names";
const CREATE: &str = "Create: `PUT {stream}`";
const READ: &str = "Read: `GET {stream}`";
const CACHING: &str = "Caching";

pub(super) const ROWS: &[Shown] = &[
    shown(
        MOUNTS,
        &["`/v1/stream/{path}`"],
        &[
            Ask("PUT /v1/stream/a/b%2Fc\ncontent-type: application/json\n\n[1]", "201"),
            Ask("GET /v1/stream/a/b/c", "200\ncontent-type: application/json"),
            Ask("PUT /v1/stream/a//b", "400 INVALID_STREAM_ID"),
            Ask("PUT /v1/stream/__ds/x", "400 INVALID_STREAM_ID"),
            Ask("DELETE /v1/stream/a/b/c", "204"),
        ],
    ),
    shown(
        MOUNTS,
        &["`/ds/{account}/{name}`"],
        &[
            Ask("PUT /ds/acct/json-of-rows\ncontent-type: application/json\n\n[1]", "201"),
            Ask("GET /ds/acct/json-of-rows", "200\ncontent-type: application/x-ndjson"),
            Ask("PUT /ds/acct/a%2Fb", "400 INVALID_STREAM_ID"),
            Ask("PUT /ds/acct/streams", "400 INVALID_STREAM_ID"),
            Ask("PUT /ds/abc/x", "400 INVALID_BUCKET_ID"),
        ],
    ),
    shown(
        CREATE,
        &["`Content-Type`"],
        &[
            Ask("PUT {s}-typed\ncontent-type: TEXT/Plain ;  X=y", "201\ncontent-type: text/plain; x=y"),
            Ask("PUT {s}-untyped", "201\ncontent-type: application/octet-stream"),
        ],
    ),
    shown(
        CREATE,
        &["`Stream-TTL`"],
        &[
            Ask("PUT {s}-ttl\nstream-ttl: 60", "201\nstream-ttl: 60\n!stream-expires-at"),
            Ask("PUT {s}-sign\nstream-ttl: +60", "400 INVALID_HEADER"),
            Ask("PUT {s}-zero\nstream-ttl: 060", "400 INVALID_HEADER"),
            Pass(63),
            Ask("HEAD {s}-ttl", "404"),
        ],
    ),
    shown(
        CREATE,
        &["`Stream-Expires-At`"],
        &[
            Ask(PUT_EXPIRING, "201\nstream-expires-at: 2030-01-01T00:00:00.000Z\n!stream-ttl"),
            Ask(PUT_EXPIRING, "200"),
            Ask("PUT {s}-both\nstream-ttl: 60\nstream-expires-at: 2030-01-01T00:00:00Z", "400 INVALID_HEADER"),
            Ask("PUT {s}-day\nstream-expires-at: tomorrow", "400 INVALID_HEADER"),
        ],
    ),
    shown(
        CREATE,
        &["`Stream-Closed: true`"],
        &[
            Ask("PUT {s}-closed\nstream-closed: true\n\nabc", "201\nstream-closed: true\nstream-next-offset: @3"),
            Ask("POST {s}-closed\ncontent-type: application/octet-stream\n\nx", "409 STREAM_CLOSED"),
        ],
    ),
    shown(
        CREATE,
        &["`Stream-Seq`"],
        &[
            Ask("PUT {s}-seq\ncontent-type: text/plain\nstream-seq: 5", "201"),
            Ask("POST {s}-seq\ncontent-type: text/plain\nstream-seq: 5\n\nx", "409 STREAM_SEQ_CONFLICT"),
            Ask("POST {s}-seq\ncontent-type: text/plain\nstream-seq: 6\n\nx", "204"),
        ],
    ),
    shown(
        CREATE,
        &["`If-None-Match: *`"],
        &[
            Ask("PUT {s}\ncontent-type: text/plain", "200"),
            Ask("PUT {s}\ncontent-type: text/plain\nif-none-match: *", "412 PRECONDITION_FAILED"),
            Ask("PUT {s}-new\nif-none-match: *", "201"),
        ],
    ),
    shown(
        READ,
        &["`offset`"],
        &[
            Ask("GET {s}", "200\netag: \"{token}:0:3:t\""),
            Ask("GET {s}?offset=-1", "200\netag: \"{token}:0:3:t\""),
            Ask("GET {s}?offset=00000000000000000002", "200\netag: \"{token}:2:3:t\""),
            Ask("GET {s}?offset=now", "200\nstream-next-offset: @3\n!etag"),
        ],
    ),
    shown(READ, &["`max_bytes`"], &[Ask("GET {s}?max_bytes=2", "200\nstream-next-offset: @2\n!stream-up-to-date")]),
    shown(
        READ,
        &["`live`"],
        &[
            Ask("GET {s}?live=sse", "400 INVALID_QUERY"),
            Ask("GET {s}?offset=0&live=long-poll", "200\nstream-next-offset: @3"),
            Ask("GET {s}?offset=0&live=sse", "200\ncontent-type: text/event-stream"),
        ],
    ),
    shown(
        READ,
        &["`timeout_ms`"],
        &[Ask("GET {s}?offset=3&live=long-poll&timeout_ms=100", "204\nstream-up-to-date: true")],
    ),
    shown(
        READ,
        &["`cursor`"],
        &[Ask("GET {s}?offset=0&live=long-poll&cursor=9007199254740993", "200\nstream-cursor: 9007199254740994")],
    ),
    shown(
        CACHING,
        &["a page that ends below the tail"],
        &[Ask("GET {s}?max_bytes=2", "200\ncache-control: public, max-age=60, stale-while-revalidate=300")],
    ),
    shown(
        CACHING,
        &["a long-poll with bytes"],
        &[Ask("GET {s}?offset=0&live=long-poll", "200\ncache-control: public, max-age=60")],
    ),
    shown(
        CACHING,
        &["events"],
        &[Ask("GET {s}?offset=0&live=sse", "200\ncache-control: no-cache, no-store, no-transform")],
    ),
    shown(
        CACHING,
        &["everything else"],
        &[
            Ask("GET {s}", "200\ncache-control: no-store"),
            Ask("HEAD {s}", "200\ncache-control: no-store"),
            Ask("GET {s}?offset=9", "416 OFFSET_OUT_OF_RANGE\ncache-control: no-store"),
            Ask("POST {s}\ncontent-type: text/plain\n\nx", "204\ncache-control: no-store"),
            Ask("DELETE {s}", "204\ncache-control: no-store"),
        ],
    ),
];
