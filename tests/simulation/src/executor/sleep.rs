//! Waiting in virtual time.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use super::{Group, Sim};

/// A wait in a group's own time.
pub(crate) struct Sleep {
    pub(super) sim: Sim,
    pub(super) group: Group,
    /// When it ends, and a number of its own.
    pub(super) timer: (Duration, u64),
    /// Whether the executor knows of it.
    pub(super) set: bool,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let mut state = this.sim.state();
        let now = state.now;
        let group = &mut state.groups[this.group];
        if group.local(now) >= this.timer.0 {
            return Poll::Ready(());
        }
        group.timers.insert(this.timer, context.waker().clone());
        this.set = true;
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if self.set {
            let waker = self.sim.state().groups[self.group].timers.remove(&self.timer);
            drop(waker);
        }
    }
}
