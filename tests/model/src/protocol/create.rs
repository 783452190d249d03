//! Creating an incarnation in place of a tombstone.

use super::{Moves, Next};
use crate::{
    Action,
    state::{INCARNATIONS, Manifest, Mark, Phase, State, View},
};

impl Moves<'_> {
    /// The compare-and-set, answered or not. The answer to one that did not land is lost in the
    /// same way as if it had never been sent.
    pub(crate) fn put_incarnation(&mut self, process: usize) {
        let incarnation = self.from.manifest.incarnation + 1;
        if usize::from(incarnation) >= INCARNATIONS {
            return self.give_up_creating(process);
        }
        for answered in [true, false] {
            self.add(Action::PutIncarnation { process, answered }, |next| {
                replace_manifest(next, process, incarnation);
                if answered {
                    created(next, process, incarnation, true);
                } else {
                    next.process(process).phase = Phase::FindingOutCreate;
                }
            });
        }
    }

    /// GET of the manifest. There is no third incarnation, so it still tells who made the second.
    pub(crate) fn find_out_create(&mut self, process: usize) {
        let State { manifest, .. } = *self.from;
        debug_assert!(usize::from(manifest.creator) == process);
        self.add(Action::FindOutCreate { process }, |next| created(next, process, manifest.incarnation, false));
    }

    fn give_up_creating(&mut self, process: usize) {
        self.add(Action::GiveUp { process }, |next| next.unknown(process));
    }
}

fn replace_manifest(next: &mut Next<'_>, process: usize, incarnation: u8) {
    let dropped = next.state.manifest.dropped;
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 5 processes")]
    let creator = process as u8;
    next.state.manifest = Manifest { incarnation, creator, dropped, ..Manifest::default() };
    next.process(process).phase = Phase::Idle;
    next.state.manifest_changed();
}

fn created(next: &mut Next<'_>, process: usize, incarnation: u8, with_view: bool) {
    let view = View { incarnation, ..View::default() };
    next.process(process).view = with_view.then_some(view);
    next.acknowledge(process, Mark { incarnation, slot: 0 });
}
