//! The end of an incarnation: whoever folds a delete record puts the tombstone in place.

use super::{Moves, open::found};
use crate::{Action, setup::SLOTS, state::Phase};

impl Moves<'_> {
    /// GET of the manifest: is it still this incarnation's?
    pub(crate) fn look_to_bury(&mut self, process: usize) {
        let Some(mut view) = self.process(process).view else { return };
        let found = found(&self.from.manifest);
        let is_to_do = self.from.manifest.lives(view.incarnation);
        self.add(Action::Look { process, found }, |next| {
            if is_to_do {
                view.validated = 0;
                next.process(process).view = Some(view);
                next.process(process).phase = Phase::BuryingInPlace;
            } else {
                next.discard(process);
            }
        });
    }

    /// The compare-and-set. Had the manifest changed since it was read, this process would be back
    /// at reading it.
    pub(crate) fn put_tombstone(&mut self, process: usize) {
        let Some(view) = self.process(process).view else { return };
        let age = if self.setup.rules.grace_from_publication { 0 } else { view.validated.min(self.setup.grace()) };
        self.add(Action::PutTombstone { process }, |next| {
            next.discard(process);
            next.state.manifest.is_tombstone = true;
            next.state.manifest.forget_covers(SLOTS);
            next.state.manifest.dropped[usize::from(view.incarnation)] = age;
            next.state.manifest_changed();
        });
    }
}
