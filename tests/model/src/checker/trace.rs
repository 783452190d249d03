//! Playing a violation again, to tell its steps.

use super::{Counterexample, Model, search::Broken, seen::Seen};

/// The steps that lead to a violation.
pub(super) fn replay<M: Model>(model: &M, seen: &Seen, broken: &Broken<M>) -> Counterexample<M::Action, M::Fault> {
    let mut state = model.initial();
    let mut actions = Vec::new();
    let mut steps = Vec::new();
    for next in seen.way_to(broken.from).into_iter().skip(1) {
        steps.clear();
        model.steps(&state, &mut steps);
        let step = steps.iter().find(|step| step.fault.is_none() && model.fingerprint(&step.state) == next);
        let Some(step) = step else { break };
        actions.push(step.action);
        state = step.state;
    }
    actions.push(broken.action);
    Counterexample { fault: broken.fault, actions }
}
