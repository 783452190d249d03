//! One operation after the other: appends over HTTP, and what the store itself takes for the same bytes.

mod append;
mod loopback;
mod read;
mod store;

pub(crate) use append::{AppendSlot, Appended};
pub(crate) use loopback::LoopbackSlot;
pub(crate) use read::ReadSlot;
pub(crate) use store::{GetSlot, PutSlot};

use bytes::Bytes;

/// Bytes that do not compress, the same for everyone.
pub(crate) fn noise(bytes: usize) -> Bytes {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let words = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.flatten().take(bytes).collect::<Vec<u8>>().into()
}
