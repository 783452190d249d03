//! What the executor knows: tasks, groups, timers, and which tasks are ready.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::Waker,
    time::Duration,
};

use futures::{future::BoxFuture, task::ArcWake};

use super::Group;
use crate::random::Rng;

pub(super) struct State {
    pub(super) now: Duration,
    pub(super) tick: u64,
    pub(super) polls: u64,
    pub(super) rng: Rng,
    pub(super) groups: Vec<GroupState>,
    pub(super) tasks: BTreeMap<u64, Task>,
    pub(super) ids: u64,
}

#[derive(Default)]
pub(super) struct GroupState {
    pub(super) paused: bool,
    pub(super) killed: bool,
    /// The group's own time when it was last resumed, and when that was.
    pub(super) local: Duration,
    pub(super) since: Duration,
    pub(super) timers: BTreeMap<(Duration, u64), Waker>,
}

impl GroupState {
    pub(super) fn local(&self, now: Duration) -> Duration {
        if self.paused { self.local } else { self.local + now.saturating_sub(self.since) }
    }
}

pub(super) struct Task {
    pub(super) group: Group,
    /// Taken out while it is polled.
    pub(super) future: Option<BoxFuture<'static, ()>>,
    pub(super) waker: Arc<TaskWaker>,
}

#[derive(Default)]
pub(super) struct Ready(Mutex<Vec<Vec<u64>>>);

impl Ready {
    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Vec<u64>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct TaskWaker {
    pub(super) id: u64,
    pub(super) group: Group,
    pub(super) queued: AtomicBool,
    pub(super) ready: Arc<Ready>,
}

impl ArcWake for TaskWaker {
    fn wake_by_ref(this: &Arc<Self>) {
        if !this.queued.swap(true, Ordering::Relaxed) {
            this.ready.lock()[this.group].push(this.id);
        }
    }
}

impl State {
    pub(super) fn draw(&mut self, ready: &mut [Vec<u64>]) -> Option<u64> {
        let runs = |group: &GroupState| !group.paused && !group.killed;
        let count: usize =
            self.groups.iter().zip(ready.iter()).filter(|(group, _)| runs(group)).map(|(_, ids)| ids.len()).sum();
        let mut index = (count > 0).then(|| self.rng.index(count))?;
        for (_, ids) in self.groups.iter().zip(ready.iter_mut()).filter(|(group, _)| runs(group)) {
            if index < ids.len() {
                return Some(ids.swap_remove(index));
            }
            index -= ids.len();
        }
        None
    }
}
