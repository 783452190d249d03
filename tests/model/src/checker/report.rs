//! What a search found.

use std::time::Duration;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report<A, F> {
    /// States visited.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// Levels: the longest of the shortest ways to any state.
    pub depth: usize,
    /// How long it took.
    pub elapsed: Duration,
    /// The shortest way to break something; `None` when nothing can be broken.
    pub violation: Option<Counterexample<A, F>>,
}

/// A way to break something.
#[derive(Clone, Debug)]
pub struct Counterexample<A, F> {
    /// What it breaks.
    pub fault: F,
    /// What is done, in order.
    pub actions: Vec<A>,
}
