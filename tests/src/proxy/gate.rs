//! What holds requests back until a test lets them go.

use std::sync::Arc;

use tokio::{sync::watch, time::timeout};

use crate::wait;

/// A gate, closed at first; clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate(Arc<watch::Sender<State>>);

#[derive(Clone, Copy, Debug, Default)]
struct State {
    arrived: usize,
    passed: usize,
    open: bool,
}

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(State::default())))
    }
}

impl Gate {
    /// Waits until a request stands before it.
    pub async fn arrived(&self) {
        self.reaches("a request arrives at the gate", |state| state.arrived > 0).await;
    }

    /// Lets everything through, now and later, and waits until what was held has been dealt with
    /// by the store.
    pub async fn open(&self) {
        self.0.send_modify(|state| state.open = true);
        self.reaches("what was held is through", |state| state.passed == state.arrived).await;
    }

    /// Waits until the gate is open.
    pub(super) async fn pass(&self) {
        self.0.send_modify(|state| state.arrived += 1);
        // The sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|state| state.open).await;
    }

    /// Takes note that a request that passed has reached the store and come back.
    pub(super) fn passed(&self) {
        self.0.send_modify(|state| state.passed += 1);
    }

    async fn reaches(&self, what: &str, condition: impl FnMut(&State) -> bool) {
        let mut state = self.0.subscribe();
        let reached = timeout(wait::LIMIT, state.wait_for(condition)).await;
        assert!(reached.is_ok(), "waited {:?} in vain: {what}", wait::LIMIT);
    }
}
