//! That a run holds says nothing if what is dangerous never happens in it.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use wadi_model::{
    Action, Property, Setup,
    checker::{Model, Step, check},
    runs,
};

type State = <Setup as Model>::State;

/// Takes note of what kinds of steps there are.
struct Watched {
    setup: Setup,
    kinds: Mutex<BTreeSet<String>>,
}

impl Model for Watched {
    type State = State;
    type Action = Action;
    type Fault = Property;

    fn initial(&self) -> State {
        Model::initial(&self.setup)
    }

    fn steps(&self, state: &State, steps: &mut Vec<Step<State, Action, Property>>) {
        self.setup.steps(state, steps);
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.extend(steps.iter().map(|step| kind(step.action)));
    }

    fn fingerprint(&self, state: &State) -> u64 {
        self.setup.fingerprint(state)
    }
}

fn kind(action: Action) -> String {
    match action {
        Action::Answer { outcome, .. } => format!("the answer to a PUT: {outcome:?}"),
        Action::ReadBack { outcome, .. } => format!("a record's slot read back: {outcome:?}"),
        Action::Read { record, believed, .. } => {
            format!("a slot read: {}, believed: {believed}", if record.is_some() { "found" } else { "missing" })
        }
        Action::Revalidate { stands, .. } => format!("revalidated: {stands}"),
        Action::PutCheckpoint { done, .. } => format!("a checkpoint: {done}"),
        Action::PutIncarnation { answered, .. } => format!("a create, answered: {answered}"),
        action => format!("{action:?}").chars().take_while(|letter| letter.is_alphabetic()).collect(),
    }
}

fn kinds_of(setup: Setup) -> BTreeSet<String> {
    let watched = Watched { setup, kinds: Mutex::default() };
    let report = check(&watched);
    assert!(report.violation.is_none());
    watched.kinds.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn everything_that_can_happen_to_a_record_happens() {
    let mut kinds = kinds_of(runs::two_writers());
    kinds.extend(kinds_of(runs::delete_and_recreate()));
    let expected = [
        "Collect",
        "FindOutCreate",
        "GiveUp",
        "Land",
        "Look",
        "Open",
        "PutTombstone",
        "RaiseFloor",
        "Send",
        "Tick",
        "TimeOut",
        "a checkpoint: false",
        "a checkpoint: true",
        "a create, answered: false",
        "a create, answered: true",
        "a record's slot read back: Landed",
        "a record's slot read back: Late",
        "a record's slot read back: Lost",
        "a record's slot read back: Open",
        "a record's slot read back: Unknown",
        "a slot read: found, believed: false",
        "a slot read: found, believed: true",
        "a slot read: missing, believed: false",
        "a slot read: missing, believed: true",
        "revalidated: false",
        "revalidated: true",
        "the answer to a PUT: Landed",
        "the answer to a PUT: Late",
        "the answer to a PUT: Open",
    ];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn other_fingerprints_tell_the_same_states_apart() {
    let one = check(&runs::delete_and_recreate());
    let other = check(&runs::delete_and_recreate().seed(1));
    assert_eq!((one.states, one.steps), (other.states, other.steps));
}
