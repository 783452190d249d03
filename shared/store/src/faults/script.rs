//! A fault hook for plain tests: a list of "the next such request meets this".

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use super::{
    After, Before, FaultHook, Hold, Request,
    hold::{Gate, gate},
};
use crate::{Operation, StoreError};

/// What a request meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: put before another rule, it spares one request.
    Pass,
    /// No connection: [`StoreError::NotSent`].
    NotSent,
    /// Lost on the way to the store: [`StoreError::Unavailable`], nothing applied.
    LoseRequest,
    /// Lost on the way back: [`StoreError::Unavailable`], applied.
    LoseAnswer,
    /// A 5xx that did nothing: [`StoreError::Unavailable`].
    ServerError,
    /// An object that broke off while it was read: [`StoreError::BrokenOff`].
    BreakOff,
    /// A 409 that did nothing.
    Conflict,
    /// A 403 that did nothing: [`StoreError::Rejected`].
    Denied,
    /// Lost, and applied when the test says so: [`crate::FaultyStore::land_postponed`].
    Postpone,
}

/// A hook that follows rules, oldest first. Requests that no rule matches pass.
///
/// ```
/// use std::sync::Arc;
/// use wadi_store::{Fault, FaultScript, FaultyStore, MemoryStore, Operation};
///
/// let script = Arc::new(FaultScript::new());
/// let inner = Arc::new(MemoryStore::new(Arc::new(Default::default)));
/// let store = FaultyStore::new(inner, script.clone());
/// script.next(Operation::Put, "/log/", Fault::LoseAnswer);
/// ```
#[derive(Debug, Default)]
pub struct FaultScript {
    rules: Mutex<Vec<Rule>>,
    /// What the answers of requests under way will meet, by the request's number.
    answers: Mutex<BTreeMap<u64, Action>>,
}

#[derive(Debug)]
struct Rule {
    operation: Operation,
    contains: String,
    action: Action,
    repeats: bool,
}

#[derive(Clone, Debug)]
enum Action {
    Fault(Fault),
    Hold(Gate),
    HoldAnswer(Gate),
}

impl FaultScript {
    /// A script without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next `operation` on a key that contains `contains`, not taken by an earlier rule, meets `fault`.
    pub fn next(&self, operation: Operation, contains: &str, fault: Fault) {
        self.add(operation, contains, Action::Fault(fault), false);
    }

    /// Every `operation` on a key that contains `contains` meets `fault`, until [`Self::clear`].
    pub fn always(&self, operation: Operation, contains: &str, fault: Fault) {
        self.add(operation, contains, Action::Fault(fault), true);
    }

    /// The next such request waits, not yet applied, until the returned hold is released or dropped.
    #[must_use = "a dropped hold releases its request at once"]
    pub fn hold(&self, operation: Operation, contains: &str) -> Hold {
        let (hold, gate) = gate();
        self.add(operation, contains, Action::Hold(gate), false);
        hold
    }

    /// The answer of the next such request waits, already applied, until the hold is released or dropped.
    #[must_use = "a dropped hold releases its answer at once"]
    pub fn hold_answer(&self, operation: Operation, contains: &str) -> Hold {
        let (hold, gate) = gate();
        self.add(operation, contains, Action::HoldAnswer(gate), false);
        hold
    }

    /// Forgets all rules. What requests under way have already met stands.
    pub fn clear(&self) {
        locked(&self.rules).clear();
    }

    fn add(&self, operation: Operation, contains: &str, action: Action, repeats: bool) {
        locked(&self.rules).push(Rule { operation, contains: contains.to_owned(), action, repeats });
    }

    /// The oldest rule for `request`, taken out unless it repeats.
    fn take(&self, request: &Request<'_>) -> Option<Action> {
        let mut rules = locked(&self.rules);
        let matches = |rule: &Rule| rule.operation == request.operation() && request.mentions(&rule.contains);
        let index = rules.iter().position(matches)?;
        if rules[index].repeats { Some(rules[index].action.clone()) } else { Some(rules.remove(index).action) }
    }
}

#[async_trait]
impl FaultHook for FaultScript {
    async fn before(&self, request: &Request<'_>) -> Before {
        match self.take(request) {
            None => Before::Proceed,
            Some(Action::Hold(gate)) => {
                gate.wait().await;
                Before::Proceed
            }
            Some(Action::Fault(fault)) if fault != Fault::LoseAnswer => fault.before(),
            Some(answers) => {
                locked(&self.answers).insert(request.number, answers);
                Before::Proceed
            }
        }
    }

    async fn after(&self, request: &Request<'_>, _applied: bool) -> After {
        let action = locked(&self.answers).remove(&request.number);
        match action {
            Some(Action::Fault(_)) => After::LoseAnswer,
            Some(Action::Hold(gate) | Action::HoldAnswer(gate)) => {
                gate.wait().await;
                After::Deliver
            }
            None => After::Deliver,
        }
    }
}

impl Fault {
    fn before(&self) -> Before {
        let reason = format!("injected fault: {self:?}");
        match self {
            Self::Pass | Self::LoseAnswer => Before::Proceed,
            Self::NotSent => Before::Fail(StoreError::NotSent { reason }),
            Self::LoseRequest | Self::ServerError => Before::Fail(StoreError::Unavailable { reason }),
            Self::BreakOff => Before::Fail(StoreError::BrokenOff { reason }),
            Self::Conflict => Before::Conflict,
            Self::Denied => {
                Before::Fail(StoreError::Rejected { status: 403, code: "AccessDenied".to_owned(), message: reason })
            }
            Self::Postpone => Before::Postpone,
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
