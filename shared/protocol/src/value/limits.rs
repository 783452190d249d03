//! The limits of the contract, each named once. Units come last in a name; a name without one counts
//! things.

/// Largest integer of the wire (epochs, sequences, incarnations): 2^53-1, exact in a double.
pub const INTEGER_MAX: u64 = (1 << 53) - 1;

/// Longest `Producer-Id`.
pub const PRODUCER_ID_BYTES_MAX: usize = 256;
/// Longest `Stream-Seq`.
pub const STREAM_SEQ_BYTES_MAX: usize = 256;

/// Shortest account name.
pub const ACCOUNT_BYTES_MIN: usize = 4;
/// Longest account name.
pub const ACCOUNT_BYTES_MAX: usize = 64;
/// Longest stream name of the hosted dialect, decoded.
pub const HOSTED_NAME_BYTES_MAX: usize = 122;
/// Longest stream name of the upstream dialect, decoded.
pub const UPSTREAM_NAME_BYTES_MAX: usize = 512;
/// Longest stream name as it is escaped in object keys. A key has at most 1,024 bytes on S3, and the
/// account, the prefix and the object's own part need the rest.
pub const NAME_KEY_BYTES_MAX: usize = 800;

/// Deepest nesting of one JSON message: a scalar has 0, `[]` and `{}` have 1.
pub const JSON_DEPTH_MAX: usize = 127;

/// Producers that a stream remembers at once.
pub const PRODUCERS_MAX: usize = 4096;
/// A producer that has written nothing for this long is forgotten: 7 days.
pub const PRODUCER_IDLE_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// A producer that has written nothing for this long may be evicted for a new one: 1 hour.
pub const PRODUCER_CAP_IDLE_MS: u64 = 60 * 60 * 1000;
/// Producers that one write evicts at most.
pub const PRODUCER_EVICTIONS_MAX: usize = 256;
/// Idle producers, other than the writer's own, that one write forgets at most.
pub const IDLE_FORGOTTEN_PER_WRITE_MAX: usize = 16;

/// Size of the unit in which writes are counted.
pub const WRITE_UNIT_BYTES: u64 = 10 * 1024;
/// Largest request body: 8 MiB. A deployment may have a lower limit.
pub const REQUEST_BYTES_MAX: u64 = 8 * MIB;
/// Largest page of a read: 8 MiB.
pub const READ_BYTES_MAX: u64 = 8 * MIB;
/// Longest stored JSON message: a request that is one message as written, and the LF that ends it.
pub const MESSAGE_BYTES_MAX: u64 = REQUEST_BYTES_MAX + 1;
/// Size of a cell of the grid of immutable chunks: 4 MiB.
pub const CHUNK_BYTES: u64 = 4 * MIB;

/// Longest content type of a snapshot: it is a header of the snapshot's object in the bucket.
pub const SNAPSHOT_TYPE_BYTES_MAX: usize = 1024;
/// Largest bootstrap, in bytes of the snapshot and of the stream: 256 MiB.
pub const BOOTSTRAP_BYTES_MAX: u64 = 256 * MIB;
/// Parts that one snapshot is made of at most.
pub const SNAPSHOT_PARTS_MAX: u64 = 4096;
/// Largest snapshot: 1 GiB.
pub const SNAPSHOT_BYTES_MAX: u64 = 1024 * MIB;
/// Longest name of a part.
pub const PART_ID_BYTES_MAX: usize = 64;
/// Longest list of the parts of a commit: each name and the LF behind it.
pub const PARTS_LIST_BYTES_MAX: u64 = SNAPSHOT_PARTS_MAX * (PART_ID_BYTES_MAX as u64 + 1);
/// Parts of an incarnation that are staged and not used yet, at most.
pub const STAGED_PARTS_MAX: u64 = 8192;
/// Bytes of such parts, at most: 2 GiB.
pub const STAGED_BYTES_MAX: u64 = 2048 * MIB;

const MIB: u64 = 1024 * 1024;

// A list of parts is far smaller than a request.
const _: () = assert!(PARTS_LIST_BYTES_MAX < REQUEST_BYTES_MAX);
const _: () = assert!(SNAPSHOT_PARTS_MAX <= STAGED_PARTS_MAX && SNAPSHOT_BYTES_MAX <= STAGED_BYTES_MAX);
// One page carries what one request brought, but for the LF that ends a JSON message.
const _: () = assert!(REQUEST_BYTES_MAX <= READ_BYTES_MAX);
// A page is a whole number of grid cells.
const _: () = assert!(READ_BYTES_MAX.is_multiple_of(CHUNK_BYTES));
const _: () = assert!(WRITE_UNIT_BYTES < REQUEST_BYTES_MAX);
// A producer can be evicted before it would have been forgotten anyway.
const _: () = assert!(PRODUCER_CAP_IDLE_MS < PRODUCER_IDLE_MS);
const _: () = assert!(IDLE_FORGOTTEN_PER_WRITE_MAX <= PRODUCER_EVICTIONS_MAX);
const _: () = assert!(PRODUCER_EVICTIONS_MAX <= PRODUCERS_MAX);
// The kinds of the open arrays and objects are kept in the bits of one u128.
const _: () = assert!(JSON_DEPTH_MAX < 128);
// Escaping makes a byte three, so no hosted name can be too long for a key.
const _: () = assert!(3 * HOSTED_NAME_BYTES_MAX <= NAME_KEY_BYTES_MAX);
const _: () = assert!(HOSTED_NAME_BYTES_MAX <= UPSTREAM_NAME_BYTES_MAX);
const _: () = assert!(UPSTREAM_NAME_BYTES_MAX <= NAME_KEY_BYTES_MAX);
// "manifest/" or "ds/", the account, "/incarnation/", a token, and an object's own part of up to 64.
const _: () = assert!(3 + ACCOUNT_BYTES_MAX + 1 + NAME_KEY_BYTES_MAX + 13 + 16 + 64 <= 1024);
