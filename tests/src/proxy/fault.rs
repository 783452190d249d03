//! What can befall a request.

use std::time::Duration;

use super::{Condition, Gate, Seen};

/// A fault. Where it concerns the answer, the store has dealt with the request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The connection breaks before the store hears of it (with a reset).
    Reset,
    /// The store never hears of it, and nothing comes back.
    StalledRequest,
    /// The connection breaks in place of the answer.
    AnswerLost,
    /// Half of the answer comes, and then the end of the connection.
    HalfAnswer,
    /// Half of the answer's body comes, and then nothing; without a body, nothing comes.
    StalledAnswer,
    /// 409 `ConditionalRequestConflict`; the store never hears of it.
    Conflict,
    /// 412; the store never hears of it.
    PreconditionFailed,
    /// 503 `SlowDown`; the store never hears of it.
    SlowDown,
    /// It reaches the store twice; the second answer comes back.
    Twice,
    /// The connection breaks, and the store hears of it this much later.
    Late(Duration),
    /// Its condition gets lost.
    Unconditional,
    /// It waits at the gate for its way to the store.
    Hold(Gate),
    /// Its answer waits at the gate.
    HoldAnswer(Gate),
}

impl Fault {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::StalledRequest => "stalled request",
            Self::AnswerLost => "answer lost",
            Self::HalfAnswer => "half an answer",
            Self::StalledAnswer => "stalled answer",
            Self::Conflict => "409",
            Self::PreconditionFailed => "412",
            Self::SlowDown => "503",
            Self::Twice => "twice",
            Self::Late(_) => "late",
            Self::Unconditional => "unconditional",
            Self::Hold(_) => "held",
            Self::HoldAnswer(_) => "answer held",
        }
    }

    /// Whether a deck deals it for this request: not where a store that keeps the rules could not answer
    /// so, nor where it takes long until it is noticed (silence in answer to a read).
    pub(super) fn suits(&self, seen: &Seen) -> bool {
        match self {
            Self::Conflict | Self::PreconditionFailed => seen.writes() && seen.condition != Condition::Always,
            Self::Twice | Self::Late(_) | Self::StalledRequest | Self::StalledAnswer => seen.writes(),
            _ => true,
        }
    }
}
