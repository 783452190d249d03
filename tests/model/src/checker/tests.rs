use super::{Model, Step, check};

/// Two counters that go up to a bound; a pair of values may be forbidden.
struct Counters {
    bound: u32,
    forbidden: Option<(u32, u32)>,
}

impl Model for Counters {
    type State = (u32, u32);
    type Action = char;
    type Fault = &'static str;

    fn initial(&self) -> (u32, u32) {
        (0, 0)
    }

    fn steps(&self, (a, b): &(u32, u32), steps: &mut Vec<Step<(u32, u32), char, &'static str>>) {
        for (action, state) in [('a', (a + 1, *b)), ('b', (*a, b + 1)), ('c', (0, 0))] {
            if state.0 <= self.bound && state.1 <= self.bound {
                let fault = (Some(state) == self.forbidden).then_some("forbidden");
                steps.push(Step { action, state, fault });
            }
        }
    }

    fn fingerprint(&self, (a, b): &(u32, u32)) -> u64 {
        u64::from(*a) << 32 | u64::from(*b)
    }
}

#[test]
fn every_state_is_visited_once() {
    let report = check(&Counters { bound: 99, forbidden: None });
    assert_eq!((report.states, report.depth), (10_000, 199));
    assert!(report.violation.is_none());
}

#[test]
fn a_violation_is_told_by_the_fewest_steps_to_it() {
    let report = check(&Counters { bound: 99, forbidden: Some((3, 40)) });
    let actions = report.violation.map(|violation| violation.actions).unwrap_or_default();
    assert_eq!(actions.len(), 43);
    assert_eq!(actions.iter().filter(|action| **action == 'a').count(), 3);
    assert!(!actions.contains(&'c'));
}
