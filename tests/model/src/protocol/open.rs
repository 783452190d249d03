//! Opening, and revalidating a view.

use super::{Moves, Next, idle::reading_phase};
use crate::{
    Action, Task,
    action::Found,
    state::{Manifest, Phase, State, View},
};

impl Moves<'_> {
    /// GET of the manifest, by a process that has no view.
    pub(crate) fn open(&mut self, process: usize) {
        let found = found(&self.from.manifest);
        self.add(Action::Open { process, found }, |next| {
            next.begin(process);
            if next.state.manifest.is_tombstone { nothing_lives(next, process) } else { at_checkpoint(next, process) }
        });
    }

    /// GET of the manifest, to learn whether a view still stands.
    pub(crate) fn revalidate(&mut self, process: usize) {
        let Some(view) = self.process(process).view else { return };
        let stands = self.stands(&view);
        self.add(Action::Revalidate { process, stands }, |next| {
            next.begin(process);
            if stands {
                next.process(process).view = Some(View { validated: 0, ..view });
            } else {
                next.discard(process);
            }
        });
    }

    /// A view stands when its incarnation lives and no checkpoint has overtaken it.
    fn stands(&self, view: &View) -> bool {
        let State { manifest, .. } = self.from;
        let least = if self.setup.rules.below_checkpoint_discarded {
            manifest.checkpoint
        } else {
            self.from.log(view.incarnation).floor
        };
        manifest.lives(view.incarnation) && view.fold.len() >= least
    }
}

pub(crate) fn found(manifest: &Manifest) -> Found {
    match manifest {
        Manifest { is_tombstone: true, .. } => Found::Tombstone,
        Manifest { incarnation, checkpoint, .. } => Found::Live { incarnation: *incarnation, checkpoint: *checkpoint },
    }
}

/// The view at the checkpoint of the manifest just read.
fn at_checkpoint(next: &mut Next<'_>, process: usize) {
    let State { manifest, .. } = next.state;
    let fold = next.state.log(manifest.incarnation).ghost.prefix(manifest.checkpoint);
    let phase = reading_phase(next.task(process));
    let here = next.process(process);
    here.view = Some(View { incarnation: manifest.incarnation, fold, validated: 0 });
    here.phase = phase;
    here.is_manifest_current = phase == Phase::Sealing;
}

/// The manifest just read is a tombstone.
fn nothing_lives(next: &mut Next<'_>, process: usize) {
    match next.task(process) {
        Some(Task::Create) => next.process(process).phase = Phase::Creating,
        Some(Task::Read) => next.answer_read_of_nothing(process),
        _ => next.process(process).finish(),
    }
}
