//! Whatever happened: once nothing goes wrong any more, an instance that knows nothing reads and
//! writes every stream.

use wadi_protocol::Refusal;
use wadi_stream::limits::LEASE;

use super::Evidence;
use crate::{
    epilogue::CLIENT,
    history::{Answer, Ask, Call, Certainty},
    violation::Violation,
};

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    // Where the store's clocks disagree by more than a lease, no answer can be believed for long.
    if 2 * evidence.plan.disagreement >= LEASE {
        return Ok(());
    }
    let last = evidence.calls.iter().filter(|call| *call.client == *CLIENT);
    match last.into_iter().find(|call| !is_fine(evidence, call)) {
        Some(call) => {
            let what = format!("call {} did not succeed in a world that had healed", call.number);
            Err(Violation::new("recovers", what).of_call(call.number).at_key(call.stream.to_string()))
        }
        None => Ok(()),
    }
}

fn is_fine(evidence: &Evidence<'_>, call: &Call) -> bool {
    if call.answer.certainty() == Certainty::Definite {
        return true;
    }
    // Bytes below a checkpoint lie in sealed objects, which nobody wrote here.
    let checkpointed = evidence.ghost.names.get(&*call.stream).is_some_and(|name| !name.checkpointed.is_empty());
    checkpointed && matches!(call.ask, Ask::Read(_)) && call.answer == Answer::Page(Err(Refusal::StoreUnavailable))
}
