//! What manifests have said of collection: what may go, and what has gone.

use std::{collections::BTreeSet, time::Duration};

use wadi_protocol::{Incarnation, Offset};
use wadi_stream::{Dropped, Manifest};

use super::{Kind, Name, When};
use crate::violation::Violation;

/// A checkpoint that was published.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Published {
    pub(crate) seq: u64,
    pub(crate) tick: u64,
    time: Duration,
    /// Up to where the stream is sealed there.
    pub(crate) sealed: Offset,
    /// Where the chunks begin that it names.
    chunks_start: Offset,
}

impl Name {
    /// Takes note of the checkpoint of a living incarnation.
    pub(super) fn checkpoint(&mut self, manifest: &Manifest, when: When) {
        let (seq, sealed, chunks_start) =
            (manifest.log.checkpoint.seq, manifest.sealed.end(), manifest.sealed.chunks_start);
        let all = self.checkpoints.entry(manifest.incarnation()).or_default();
        if all.last().is_none_or(|last| last.seq < seq) {
            all.push(Published { seq, tick: when.tick, time: when.time, sealed, chunks_start });
        }
    }

    /// What a manifest says of collection that the one before does not.
    pub(crate) fn changes(&self, manifest: &Manifest) -> [(&'static str, usize); 5] {
        let tokens = |list: &[Dropped]| list.iter().map(|dropped| dropped.incarnation).collect::<BTreeSet<_>>();
        let (dropped, orphans) =
            self.manifest.as_ref().map(|before| (tokens(&before.dropped), tokens(&before.orphans))).unwrap_or_default();
        let (still, listed) = (tokens(&manifest.dropped), tokens(&manifest.orphans));
        let goes_on = |before: &&Manifest| before.incarnation() == manifest.incarnation() && !manifest.is_tombstone();
        let before = self.manifest.as_ref().filter(goes_on);
        let merged = before.map_or(0, |before| {
            before.sealed.segments.iter().filter(|segment| !manifest.sealed.segments.contains(segment)).count()
        });
        let let_go = before.is_some_and(|before| before.sealed.chunks_start < manifest.sealed.chunks_start);
        [
            ("incarnations collected", dropped.difference(&still).count()),
            ("orphans collected", orphans.difference(&listed).count()),
            ("orphans listed", listed.difference(&orphans).count()),
            ("segments merged", merged),
            ("chunks let go of", usize::from(let_go)),
        ]
    }

    /// A floor rises only to what a checkpoint has covered for a grace period.
    pub(super) fn raise_floor(
        &mut self,
        manifest: &Manifest,
        when: When,
        grace_min: Duration,
    ) -> Result<(), Violation> {
        let token = manifest.incarnation();
        let floor = self.floors.entry(token).or_default();
        let raised = manifest.log.floor > *floor;
        *floor = (*floor).max(manifest.log.floor);
        let covered = self.checkpoints.get(&token).is_some_and(|all| {
            all.iter().any(|cover| cover.seq >= manifest.log.floor && cover.time + grace_min <= when.time)
        });
        if raised && !covered {
            let what = format!("the floor {} was not covered for a grace period", manifest.log.floor);
            return Err(Violation::new("nothing needed is collected", what));
        }
        Ok(())
    }

    /// Chunks are let go of only where retention has left behind all that they hold and the byte that follows,
    /// and never come back.
    pub(super) fn lets_go_of_chunks(&self, manifest: &Manifest, retained: Offset) -> Result<(), Violation> {
        let before = self.manifest.as_ref().filter(|before| before.incarnation() == manifest.incarnation());
        let start = manifest.sealed.chunks_start;
        let what = if start > Offset::ZERO && start >= retained {
            format!("the chunks begin at {start}, the stream at {retained}")
        } else if let Some(before) = before.filter(|before| before.sealed.chunks_start > start) {
            format!("the chunks begin at {start} after {}", before.sealed.chunks_start)
        } else {
            return Ok(());
        };
        Err(Violation::new("nothing needed is collected", what))
    }

    /// Whether the chunk that begins at `start` has been let go of for a grace period.
    fn was_let_go(&self, token: Incarnation, start: Offset, now: Duration, grace_min: Duration) -> bool {
        let covers = self.checkpoints(token).iter();
        covers.filter(|cover| cover.time + grace_min <= now).any(|cover| cover.chunks_start > start)
    }

    /// Whether an incarnation can never live again, as some manifest said.
    pub(crate) fn is_gone(&self, token: Incarnation) -> bool {
        self.dropped.contains_key(&token) || self.orphans.contains(&token)
    }

    /// The checkpoints that an incarnation had while it lived.
    pub(crate) fn checkpoints(&self, token: Incarnation) -> &[Published] {
        self.checkpoints.get(&token).map_or(&[], Vec::as_slice)
    }

    /// Why an object that was first put `put` may not be deleted now by what manifests have said so
    /// far, if it may not: a slot lies above the floor, a chunk was named until now, a snapshot
    /// is the latest or was until now, or a life ended just now.
    pub(crate) fn why_not_collect(
        &self,
        token: Incarnation,
        kind: Kind<'_>,
        put: Duration,
        now: Duration,
        grace_min: Duration,
    ) -> Option<&'static str> {
        let is_old = |since: Duration| since + grace_min <= now;
        let floor = self.floors.get(&token).copied().unwrap_or(0);
        match (kind, self.dropped.get(&token)) {
            (Kind::Slot(seq), _) if seq <= floor => None,
            (_, _) if self.orphans.contains(&token) => None,
            (Kind::Chunk(start), _) if self.was_let_go(token, start, now, grace_min) => None,
            // What was dead before its stream ended may go as it might have otherwise.
            (Kind::Body(_) | Kind::Segment(..) | Kind::State(_), ended) => {
                let ended_long_ago = ended.is_some_and(|ended| is_old(*ended));
                (!is_old(put) && !ended_long_ago).then_some("before its time")
            }
            (Kind::Snapshot(offset), ended) => {
                let life = self.lives.get(&token);
                let superseded = life.is_some_and(|life| life.was_superseded(offset, grace_min, now));
                let ended_long_ago = ended.is_some_and(|ended| is_old(*ended));
                (!superseded && !ended_long_ago).then_some("before its time")
            }
            (_, Some(ended)) => (!is_old(*ended)).then_some("before its time"),
            (Kind::Slot(_), None) => Some("that lies above the floor"),
            (Kind::Chunk(_), None) => Some("that is still needed"),
        }
    }
}
