//! What is to happen, and what did.

use super::{Deck, Fault, Rule, Seen, clock::Clock};

/// More requests than any test makes; beyond them a test has gone wild.
const MOST_SEEN: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) rules: Vec<Rule>,
    pub(super) deck: Deck,
    /// What the store's dates are turned into, where they are not left as they are.
    pub(super) clock: Option<Clock>,
    /// Parts of keys to which nothing happens any more.
    pub(super) spared: Vec<String>,
    seen: Vec<Seen>,
    /// Requests that were forgotten; numbers go on.
    forgotten: usize,
}

impl Script {
    /// Takes note of a request. Returns its number and what befalls it: the first rule decides.
    pub(super) fn admit(&mut self, mut seen: Seen) -> (usize, Option<Fault>) {
        assert!(self.seen.len() < MOST_SEEN, "more than {MOST_SEEN} requests to the store");
        let fault = if self.spared.iter().any(|part| seen.key.contains(part)) {
            None
        } else {
            self.rules.iter_mut().find_map(|rule| rule.fate(&seen)).or_else(|| self.deck.draw(&seen))
        };
        seen.fault = fault.as_ref().map(Fault::name);
        self.seen.push(seen);
        (self.forgotten + self.seen.len() - 1, fault)
    }

    /// Takes note of the store's answer.
    pub(super) fn answered(&mut self, number: usize, status: u16) {
        let place = number.checked_sub(self.forgotten).and_then(|index| self.seen.get_mut(index));
        if let Some(seen) = place {
            seen.status = Some(status);
        }
    }

    pub(super) fn forget(&mut self) {
        self.forgotten += self.seen.len();
        self.seen.clear();
    }

    pub(super) fn seen(&self) -> &[Seen] {
        &self.seen
    }
}
