//! Whatever happened: once nothing goes wrong any more, an instance that knows nothing reads and
//! writes every stream.

use super::Evidence;
use crate::{epilogue::CLIENT, history::Certainty, violation::Violation};

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    if !evidence.plan.heals() {
        return Ok(());
    }
    let last = evidence.calls.iter().filter(|call| *call.client == *CLIENT);
    match last.into_iter().find(|call| call.answer.certainty() != Certainty::Definite) {
        Some(call) => {
            let what = format!("call {} did not succeed in a world that had healed", call.number);
            Err(Violation::new("recovers", what).of_call(call.number).at_key(call.stream.to_string()))
        }
        None => Ok(()),
    }
}
