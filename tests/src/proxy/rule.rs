//! What befalls which requests.

use super::{Fault, Matcher, Seen};

/// A rule: the fault for the next request that fits, unless another number of them is named.
#[derive(Clone, Debug)]
pub struct Rule {
    matcher: Matcher,
    fault: Fault,
    skip: usize,
    left: usize,
}

impl Rule {
    /// For the next request that fits.
    pub fn new(matcher: Matcher, fault: Fault) -> Self {
        Self { matcher, fault, skip: 0, left: 1 }
    }

    /// Lets the first `count` that fit pass.
    #[must_use]
    pub fn after(self, count: usize) -> Self {
        Self { skip: count, ..self }
    }

    /// For the next `count` that fit.
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        Self { left: count, ..self }
    }

    /// For all that fit.
    #[must_use]
    pub fn always(self) -> Self {
        self.times(usize::MAX)
    }

    /// The fault for this request, if the rule has one for it.
    pub(super) fn fate(&mut self, seen: &Seen) -> Option<Fault> {
        if self.left == 0 || !self.matcher.fits(seen) {
            return None;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        self.left -= 1;
        Some(self.fault.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;
    use crate::proxy::{Condition, Fault, Matcher, Seen, Verb};

    fn put(key: &str) -> Seen {
        Seen { verb: Verb::Put, key: key.to_owned(), condition: Condition::IfNoneMatch, fault: None, status: None }
    }

    #[test]
    fn a_rule_is_for_the_requests_it_names() {
        let matcher = Matcher::record().key_has("/a/").key_ends("2.rec").with(Condition::IfNoneMatch);
        let mut rule = Rule::new(matcher, Fault::Reset).after(1).times(2);
        let fates = ["ds/a/log/2.rec", "ds/a/log/1.rec", "ds/b/log/2.rec", "ds/a/log/2.rec", "ds/a/log/12.rec"]
            .map(|key| rule.fate(&put(key)).is_some());
        assert_eq!(fates, [false, false, false, true, true]);
        assert!(rule.fate(&put("ds/a/log/2.rec")).is_none(), "it is used up");
    }

    #[test]
    fn conditions_and_verbs_must_be_those_named() {
        let seen = put("manifest/x");
        assert!(Matcher::manifest().fits(&seen));
        assert!(!Matcher::manifest().with(Condition::IfMatch).fits(&seen));
        assert!(!Matcher::get().fits(&seen));
        assert!(Matcher::any().fits(&seen));
    }
}
