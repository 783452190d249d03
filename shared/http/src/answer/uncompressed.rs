//! What stands for compression where it was left out of the program. Never asked: no setting turns it on.

use std::io;

use bytes::Bytes;

use super::Coding;

/// None of the codings.
pub(crate) fn compressed(_: Coding, _: &[u8]) -> io::Result<Bytes> {
    Err(io::ErrorKind::Unsupported.into())
}
