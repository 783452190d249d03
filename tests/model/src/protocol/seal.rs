//! Putting a checkpoint in place.

use super::{Moves, scan::fold};
use crate::{
    Action,
    action::record_of,
    properties::check_checkpoint,
    state::{Object, View},
};

impl Moves<'_> {
    /// GET of the next record, or the compare-and-set of the manifest with what was read so far.
    /// An empty slot tells a sealer nothing.
    pub(crate) fn seal(&mut self, process: usize) {
        let Some(view) = self.process(process).view else { return };
        if let Some(object) = self.from.object(view.incarnation, view.next()) {
            self.read_to_seal(process, &view, object);
        }
        self.put_checkpoint(process, &view);
    }

    fn read_to_seal(&mut self, process: usize, view: &View, object: Object) {
        let believed = self.believes_get(view.validated);
        let action = Action::Read { process, slot: view.next(), record: record_of(Some(object)), believed };
        self.add(action, |next| {
            if !believed || object.prev != view.fold.last() {
                return next.unknown(process);
            }
            fold(next, process, object);
        });
    }

    /// Sealed objects are written just before the manifest, so what is folded must be right even
    /// if the manifest turns out to have changed.
    fn put_checkpoint(&mut self, process: usize, view: &View) {
        let is_current = self.process(process).is_manifest_current;
        let seq = view.fold.len();
        if is_current && seq <= self.from.manifest.checkpoint {
            return;
        }
        let age = if self.setup.rules.grace_from_publication { 0 } else { view.validated.min(self.setup.grace()) };
        self.add(Action::PutCheckpoint { process, seq, done: is_current }, |next| {
            next.expect(check_checkpoint(&next.state, view));
            next.unknown(process);
            if is_current {
                next.state.manifest.publish(seq, age);
                next.state.manifest_changed();
            }
        });
    }
}
