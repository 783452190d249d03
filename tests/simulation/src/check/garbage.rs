//! Nothing lies in the bucket that nothing accounts for, and nothing is gone that is needed.

use std::collections::BTreeSet;

use wadi_protocol::{Incarnation, Offset};

use super::Evidence;
use crate::{
    ghost::{Ghost, Kind, Name, Place, needed},
    violation::Violation,
};

/// Every slot above the floor of a living stream is there, and so is all that its manifest names.
pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    let keys: BTreeSet<&str> = evidence.keys.iter().map(String::as_str).collect();
    for (stream, name) in &evidence.ghost.names {
        let Some(manifest) = name.manifest.as_ref().filter(|manifest| !manifest.is_tombstone()) else { continue };
        let Some(life) = name.lives.get(&manifest.incarnation()) else { continue };
        let slots = life.records.iter().filter(|record| record.seq > manifest.log.floor);
        let slots = slots
            .map(|record| format!("ds/{stream}/incarnation/{}/log/{:020}.rec", manifest.incarnation(), record.seq));
        let mut all = slots.chain(needed(stream, name));
        if let Some(key) = all.find(|key| !keys.contains(key.as_str())) {
            return Err(Violation::new("nothing needed is collected", format!("{key} is gone")).at_key(key));
        }
    }
    Ok(())
}

/// When all is sealed and collected: beside manifests there is nothing but what living streams need,
/// slots that are not collected, and those that something landed in that came too late.
pub(crate) fn left(ghost: &Ghost, keys: &[String]) -> Result<(), Violation> {
    for key in keys {
        let broken = |what: &str| {
            let what = format!("{key}: {what}");
            Err(Violation::new("garbage is bounded", what).at_key(key.clone()))
        };
        let (stream, token, kind) = match Place::of(key) {
            None => return broken("a key of no known kind"),
            Some(Place::Manifest(_)) => continue,
            Some(Place::Of { name, token, kind }) => (name, token, kind),
        };
        let Some(name) = ghost.names.get(stream) else { return broken("an object of no stream") };
        let living = name.manifest.as_ref().filter(|manifest| !manifest.is_tombstone());
        let Some(manifest) = living.filter(|manifest| manifest.incarnation() == token) else {
            return broken("an object of no living stream is still there");
        };
        let fine = match kind {
            Kind::Slot(seq) => seq > manifest.log.collected || ghost.strays.contains(key),
            Kind::Snapshot(offset) => is_kept(name, token, offset),
            Kind::Body(_) | Kind::Chunk(_) | Kind::Segment(..) | Kind::State(_) => needed(stream, name).contains(key),
        };
        if !fine {
            return broken("an object that nothing needs is still there");
        }
    }
    Ok(())
}

/// Whether a snapshot is the latest.
fn is_kept(name: &Name, token: Incarnation, offset: Offset) -> bool {
    let latest = name.lives.get(&token).and_then(|life| life.state()?.snapshot.as_ref());
    latest.is_some_and(|snapshot| snapshot.offset == offset)
}
