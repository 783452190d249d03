//! Breadth-first search through all states of a model.
//!
//! The search goes level by level, with all cores on one level: so the first violation it meets is
//! one with the fewest steps. Of a state that was left only its fingerprint is kept, and that of
//! the state it was first reached from: by these a counterexample is played again.

mod report;
mod search;
mod seen;
mod trace;

#[cfg(test)]
mod tests;

pub use report::{Counterexample, Report};
pub use search::check;

/// A system of states and steps.
pub trait Model: Sync {
    /// A state.
    type State: Copy + Send + Sync;
    /// What a step does, to be told to people.
    type Action: Copy + Send;
    /// What a step may break.
    type Fault: Copy + Send + Ord;

    /// Where it starts.
    fn initial(&self) -> Self::State;

    /// All steps that can be taken from `state`, appended to `steps`.
    fn steps(&self, state: &Self::State, steps: &mut Vec<Step<Self::State, Self::Action, Self::Fault>>);

    /// 64 bits that tell states apart.
    fn fingerprint(&self, state: &Self::State) -> u64;
}

/// A step and where it leads.
#[derive(Clone, Copy, Debug)]
pub struct Step<S, A, F> {
    /// What it does.
    pub action: A,
    /// Where it leads.
    pub state: S,
    /// What it breaks.
    pub fault: Option<F>,
}

/// The step type of a model.
pub type StepOf<M> = Step<<M as Model>::State, <M as Model>::Action, <M as Model>::Fault>;
