//! Where the messages of a JSON stream end.

use super::Decision;
use crate::{Offset, SnapshotRefusal, StreamState};

/// What a decision cannot be made without: the byte at this offset. No byte ever changes, so one that was
/// read serves again when the decision is made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsByte(pub Offset);

/// `decision`, where `offset`, which the stream holds, lies between two messages; else a refusal.
///
/// `byte_before`: the byte before it, once it was asked for. It is not asked for in a stream without
/// messages, nor at the ends of what the stream keeps.
pub(super) fn at_boundary<T>(
    state: &StreamState,
    offset: Offset,
    byte_before: Option<u8>,
    decision: impl FnOnce() -> Decision<T>,
) -> Result<Decision<T>, NeedsByte> {
    let at_an_end = [Offset::ZERO, state.retained, state.tail].contains(&offset);
    if !state.content_type.is_json() || at_an_end {
        return Ok(decision());
    }
    match byte_before {
        None => Err(NeedsByte(Offset::new(offset.get().saturating_sub(1)))),
        Some(b'\n') => Ok(decision()),
        Some(_) => Ok(Decision::refuse(SnapshotRefusal::InsideMessage { tail: state.tail }.into())),
    }
}
