//! A single-threaded executor with virtual time and groups of tasks.
//!
//! Which of the tasks that are ready runs next is drawn at random; time moves on only when none is.
//! A group stands for a process: it can be paused (its tasks and its clock stand still), resumed and
//! killed (its tasks are dropped wherever they wait). Group 0 is the world outside.

mod sleep;
mod state;

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
    time::Duration,
};

use futures::{
    FutureExt,
    future::BoxFuture,
    task::{ArcWake, waker},
};

use self::{
    sleep::Sleep,
    state::{GroupState, Ready, State, Task, TaskWaker},
};
use crate::random::Rng;

/// A group of tasks.
pub(crate) type Group = usize;

/// The group of everything that is no process: it is never paused.
pub(crate) const WORLD: Group = 0;

/// Polls after which a simulation is taken for one that never ends.
const POLLS_MAX: u64 = 20_000_000;

/// The executor. Clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct Sim(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    ready: Arc<Ready>,
}

/// A task that was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskId(u64);

/// How a run of the executor ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Its task is done.
    Done,
    /// Nothing is ready and no timer is set: the task waits for ever.
    Stuck,
    /// It went on and on.
    Endless,
}

impl Sim {
    pub(crate) fn new(rng: Rng) -> Self {
        let ready = Arc::new(Ready::default());
        let state =
            State { now: Duration::ZERO, tick: 0, polls: 0, rng, groups: Vec::new(), tasks: BTreeMap::new(), ids: 0 };
        let sim = Self(Arc::new(Inner { state: Mutex::new(state), ready }));
        sim.group();
        sim
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new group, running.
    pub(crate) fn group(&self) -> Group {
        let mut state = self.state();
        let since = state.now;
        state.groups.push(GroupState { since, ..GroupState::default() });
        self.0.ready.lock().push(Vec::new());
        state.groups.len() - 1
    }

    /// World time.
    pub(crate) fn now(&self) -> Duration {
        self.state().now
    }

    /// The time of a group's own clock.
    pub(crate) fn local(&self, group: Group) -> Duration {
        let state = self.state();
        state.groups[group].local(state.now)
    }

    /// The number of an event: later events have larger ones.
    pub(crate) fn tick(&self) -> u64 {
        let mut state = self.state();
        state.tick += 1;
        state.tick
    }

    /// Starts a task. In a group that was killed it is dropped at once.
    pub(crate) fn spawn(&self, group: Group, future: BoxFuture<'static, ()>) -> TaskId {
        let mut state = self.state();
        state.ids += 1;
        let id = state.ids;
        if state.groups[group].killed {
            drop(state);
            drop(future);
            return TaskId(id);
        }
        let waker = Arc::new(TaskWaker { id, group, queued: AtomicBool::new(false), ready: self.0.ready.clone() });
        state.tasks.insert(id, Task { group, future: Some(future), waker: waker.clone() });
        drop(state);
        ArcWake::wake_by_ref(&waker);
        TaskId(id)
    }

    /// Drops a task wherever it waits.
    pub(crate) fn abort(&self, task: TaskId) {
        let task = self.state().tasks.remove(&task.0);
        drop(task);
    }

    /// Stops a group's tasks and its clock.
    pub(crate) fn pause(&self, group: Group) {
        let mut state = self.state();
        let now = state.now;
        let group = &mut state.groups[group];
        group.local = group.local(now);
        group.paused = true;
    }

    /// Lets a paused group go on.
    pub(crate) fn resume(&self, group: Group) {
        let mut state = self.state();
        let now = state.now;
        let group = &mut state.groups[group];
        if std::mem::take(&mut group.paused) {
            group.since = now;
        }
    }

    pub(crate) fn is_running(&self, group: Group) -> bool {
        let state = self.state();
        !state.groups[group].paused && !state.groups[group].killed
    }

    pub(crate) fn is_alive(&self, group: Group) -> bool {
        !self.state().groups[group].killed
    }

    /// Drops a group's tasks, for ever.
    pub(crate) fn kill(&self, group: Group) {
        let mut state = self.state();
        state.groups[group].killed = true;
        let ids: Vec<u64> = state.tasks.iter().filter(|(_, task)| task.group == group).map(|(id, _)| *id).collect();
        let tasks: Vec<Option<Task>> = ids.iter().map(|id| state.tasks.remove(id)).collect();
        drop(state);
        drop(tasks);
    }

    /// Drops everything, so that no task keeps the executor alive that holds it.
    pub(crate) fn shut_down(&self) {
        let groups = self.state().groups.len();
        (0..groups).for_each(|group| self.kill(group));
    }

    /// Waits in a group's own time.
    pub(crate) fn sleep(&self, group: Group, duration: Duration) -> Sleep {
        let mut state = self.state();
        state.ids += 1;
        let deadline = state.groups[group].local(state.now) + duration;
        Sleep { sim: self.clone(), group, timer: (deadline, state.ids), set: false }
    }

    /// Runs until the task is done.
    pub(crate) fn run(&self, task: impl Future<Output = ()> + Send + 'static) -> Ended {
        let done = Arc::new(AtomicBool::new(false));
        let mark = done.clone();
        self.spawn(WORLD, async move { task.map(|()| mark.store(true, Ordering::Relaxed)).await }.boxed());
        while !done.load(Ordering::Relaxed) {
            if self.poll_one() {
                if self.state().polls > POLLS_MAX {
                    return Ended::Endless;
                }
            } else if !self.advance() {
                return Ended::Stuck;
            }
        }
        Ended::Done
    }

    /// Polls a random task of those that are ready. False when none is.
    fn poll_one(&self) -> bool {
        let mut state = self.state();
        let Some(id) = state.draw(&mut self.0.ready.lock()) else { return false };
        state.polls += 1;
        let Some(task) = state.tasks.get_mut(&id) else { return true };
        let Some(mut future) = task.future.take() else { return true };
        let task_waker = task.waker.clone();
        task_waker.queued.store(false, Ordering::Relaxed);
        drop(state);
        let waker = waker(task_waker);
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        let mut state = self.state();
        let finished = match state.tasks.get_mut(&id) {
            Some(task) if polled.is_pending() => {
                task.future = Some(future);
                return true;
            }
            Some(_) => state.tasks.remove(&id),
            None => None,
        };
        drop(state);
        drop(finished);
        true
    }

    /// Moves time on to the next timer of a running group. False when there is none.
    fn advance(&self) -> bool {
        let mut state = self.state();
        let now = state.now;
        let next = state
            .groups
            .iter()
            .filter(|group| !group.paused && !group.killed)
            .filter_map(|group| Some(now + group.timers.keys().next()?.0.saturating_sub(group.local(now))))
            .min();
        let Some(next) = next else { return false };
        state.now = next;
        let mut due = Vec::new();
        for group in state.groups.iter_mut().filter(|group| !group.paused && !group.killed) {
            let local = group.local(next);
            while group.timers.first_key_value().is_some_and(|((deadline, _), _)| *deadline <= local) {
                due.extend(group.timers.pop_first().map(|(_, waker)| waker));
            }
        }
        drop(state);
        due.iter().for_each(Waker::wake_by_ref);
        true
    }
}
