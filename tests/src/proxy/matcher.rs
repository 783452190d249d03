//! Which requests are meant.

use super::{Condition, Seen, Verb};

/// A description of requests; what it does not name does not matter.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    verb: Option<Verb>,
    condition: Option<Condition>,
    parts: Vec<String>,
    end: String,
}

impl Matcher {
    /// Every request.
    pub fn any() -> Self {
        Self::default()
    }

    /// Reads of objects.
    pub fn get() -> Self {
        Self { verb: Some(Verb::Get), ..Self::default() }
    }

    /// Writes of objects.
    pub fn put() -> Self {
        Self { verb: Some(Verb::Put), ..Self::default() }
    }

    /// Writes of records.
    pub fn record() -> Self {
        Self::put().key_has("/log/")
    }

    /// Writes of manifests.
    pub fn manifest() -> Self {
        Self::put().key_has("manifest/")
    }

    /// Whose key contains `part`, as well as what was asked for before.
    #[must_use]
    pub fn key_has(mut self, part: &str) -> Self {
        self.parts.push(part.to_owned());
        self
    }

    /// Whose key ends with `end`.
    #[must_use]
    pub fn key_ends(mut self, end: &str) -> Self {
        end.clone_into(&mut self.end);
        self
    }

    /// With this condition.
    #[must_use]
    pub fn with(mut self, condition: Condition) -> Self {
        self.condition = Some(condition);
        self
    }

    /// Whether a request is meant.
    pub fn fits(&self, seen: &Seen) -> bool {
        self.verb.is_none_or(|verb| verb == seen.verb)
            && self.condition.is_none_or(|condition| condition == seen.condition)
            && self.parts.iter().all(|part| seen.key.contains(part))
            && seen.key.ends_with(&self.end)
    }
}
