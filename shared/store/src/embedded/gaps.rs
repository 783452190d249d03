//! Ranges of keys of which one committed state has none, so that asking for what is not there, which is what a
//! look for the next slot of a log does, mostly needs no look into the database.

use std::{collections::BTreeMap, ops::Bound};

use crate::limits::EMBEDDED_GAPS_MAX;

/// The keys between two neighbours, both excluded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The key before it; empty where there is none.
    pub(super) after: String,
    /// The key behind it.
    pub(super) before: Option<String>,
}

/// The gaps found so far in one committed state.
#[derive(Debug, Default)]
pub(super) struct Gaps(BTreeMap<String, Option<String>>);

impl Gaps {
    /// True when `key` lies in a gap.
    pub(super) fn contain(&self, key: &str) -> bool {
        let below = (Bound::Unbounded, Bound::Excluded(key));
        let nearest = self.0.range::<str, _>(below).next_back();
        nearest.is_some_and(|(_, before)| before.as_deref().is_none_or(|before| key < before))
    }

    /// Adds one. The oldest knowledge is worth no more than the newest, so a full set starts over.
    pub(super) fn note(&mut self, gap: Gap) {
        if self.0.len() >= EMBEDDED_GAPS_MAX {
            self.0.clear();
        }
        self.0.insert(gap.after, gap.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(all: &[(&str, Option<&str>)]) -> Gaps {
        let mut gaps = Gaps::default();
        for (after, before) in all {
            gaps.note(Gap { after: (*after).to_owned(), before: before.map(str::to_owned) });
        }
        gaps
    }

    #[test]
    fn a_gap_holds_what_lies_between_its_ends_and_not_these() {
        let gaps = gaps(&[("b", Some("d")), ("f", None)]);
        for (key, inside) in [
            ("a", false),
            ("b", false),
            ("b0", true),
            ("c", true),
            ("d", false),
            ("e", false),
            ("f", false),
            ("z", true),
        ] {
            assert_eq!(gaps.contain(key), inside, "{key}");
        }
    }

    #[test]
    fn a_gap_before_the_first_key_begins_at_nothing() {
        let gaps = gaps(&[("", Some("b"))]);
        assert!(gaps.contain("a") && !gaps.contain("b"));
        assert!(!Gaps::default().contain("a"));
    }

    #[test]
    fn gaps_are_bounded() {
        let mut gaps = Gaps::default();
        for number in 0..3 * EMBEDDED_GAPS_MAX {
            let after = format!("{number:08}");
            let inside = format!("{after}+");
            gaps.note(Gap { before: Some(format!("{after}-")), after });
            assert!(gaps.contain(&inside) && gaps.0.len() <= EMBEDDED_GAPS_MAX);
        }
    }
}
