//! What a process did without the rule that a record of unknown fate is left alone: it asked the
//! manifest, and took its record for void if a checkpoint covered the slot.

use super::{Moves, commit::again};
use crate::{Action, state::Phase};

impl Moves<'_> {
    /// GET of the manifest, after the lease.
    pub(crate) fn suspect(&mut self, process: usize) {
        let Some(view) = self.process(process).view else { return };
        let manifest = self.from.manifest;
        let is_overtaken = !manifest.lives(view.incarnation);
        let covered = manifest.checkpoint >= view.next();
        self.add(Action::Suspect { process, covered }, |next| match (is_overtaken, covered) {
            (true, _) => next.unknown(process),
            (false, true) => next.process(process).phase = Phase::Voiding,
            (false, false) => next.landed(process, 0),
        });
    }

    /// DELETE of its own record, which is then committed again.
    pub(crate) fn void(&mut self, process: usize) {
        let Some(view) = self.process(process).view else { return };
        self.add(Action::Void { process, slot: view.next() }, |next| {
            next.state.log_mut(view.incarnation).delete(view.next());
            next.discard(process);
            again(next, process);
        });
    }
}
