//! The first request of a task.

use super::Moves;
use crate::{
    Action, Task,
    state::{Phase, View},
};

impl Moves<'_> {
    /// Starts a task, or starts it over: with a view if there is one, however old it is. The
    /// engine sends nothing on a view that it knows to be old, but it may be paused after it
    /// looked: so here it may start on any.
    pub(crate) fn start(&mut self, process: usize) {
        let Some(task) = self.task(process) else { return };
        self.share(process);
        let Some(view) = self.process(process).view else { return self.open(process) };
        match task {
            Task::Seal => self.open(process),
            Task::Read | Task::Create => self.probe(process),
            // A repeat is answered once a probe has proved the view current.
            Task::Append { .. } if self.repeats(process) => self.probe(process),
            Task::Append { .. } | Task::Delete => self.send(process),
        }
        if view.validated > 0 && task != Task::Seal {
            self.revalidate(process);
        }
    }

    /// Goes on from what another task of the same process knows.
    fn share(&mut self, process: usize) {
        if process >= self.setup.sharing {
            return;
        }
        let mine = self.process(process).view;
        for other in (0..self.setup.sharing).filter(|other| *other != process) {
            let Some(merged) = self.process(other).shared().and_then(|view| View::merged(mine, view)) else { continue };
            self.add(Action::Share { process, slot: merged.fold.len() }, |next| {
                next.process(process).view = Some(merged);
            });
        }
    }

    fn repeats(&self, process: usize) -> bool {
        let here = self.process(process);
        here.view.is_some_and(|view| self.setup.repeated(view.fold, process, here.task).is_some())
    }
}

/// Where a process that folds records goes on.
pub(crate) fn reading_phase(task: Option<Task>) -> Phase {
    if task == Some(Task::Seal) { Phase::Sealing } else { Phase::Scanning }
}
