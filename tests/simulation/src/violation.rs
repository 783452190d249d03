//! A broken invariant, with what a reader needs to find out why.

/// What was found broken.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The invariant's name.
    pub invariant: &'static str,
    /// What breaks it.
    pub what: String,
    /// The calls concerned, by number.
    pub(crate) calls: Vec<usize>,
    /// Text that the keys concerned contain.
    pub(crate) keys: Vec<String>,
}

impl Violation {
    pub(crate) fn new(invariant: &'static str, what: impl Into<String>) -> Self {
        Self { invariant, what: what.into(), calls: Vec::new(), keys: Vec::new() }
    }

    #[must_use]
    pub(crate) fn at_key(mut self, key: impl Into<String>) -> Self {
        self.keys.push(key.into());
        self
    }

    #[must_use]
    pub(crate) fn of_call(mut self, call: usize) -> Self {
        self.calls.push(call);
        self
    }
}
