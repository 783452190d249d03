//! Nothing lies in the bucket that nothing accounts for, and nothing is gone that is needed.

use std::collections::BTreeSet;

use super::Evidence;
use crate::{
    ghost::{Ghost, Life, Name, Place},
    history::Ask,
    violation::Violation,
};

const NAME: &str = "garbage is bounded";

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    let mut orphans = 0;
    let mut spare_bodies = 0;
    for key in evidence.keys {
        let broken = |what: &str| Err(Violation::new(NAME, format!("{key}: {what}")).at_key(key.clone()));
        match Place::of(key) {
            None => return broken("a key of no known kind"),
            Some(Place::Manifest(_)) => {}
            Some(Place::Slot { name, token, seq }) => {
                let Some(name) = evidence.ghost.names.get(name) else { return broken("a slot of no stream") };
                let Some(life) = name.lives.get(&token) else { return broken("a slot of no incarnation") };
                if life.born.is_none() {
                    orphans += 1;
                } else if is_collected(name, life, seq) && !evidence.ghost.strays.contains(key) {
                    return broken("a slot that was collected is still there");
                }
            }
            Some(Place::Body { name, token, id }) => {
                let life = evidence.ghost.names.get(name).and_then(|name| name.lives.get(&token));
                let named =
                    life.is_some_and(|life| life.records.iter().any(|record| record.object.as_deref() == Some(id)));
                spare_bodies += usize::from(!named);
            }
        }
    }
    let creates = evidence.calls.iter().filter(|call| matches!(call.ask, Ask::Create(_)) && call.ask.body().is_some());
    // A create tries three times at most, each time under a token of its own.
    if orphans > creates.count() * 3 {
        return Err(Violation::new(NAME, format!("{orphans} first records of streams that were never created")));
    }
    let large = evidence.calls.iter().filter(|call| call.ask.body().is_some_and(|body| body.len() > 256 * 1024));
    if spare_bodies > large.count() * 400 {
        return Err(Violation::new(NAME, format!("{spare_bodies} bodies that no record names")));
    }
    nothing_is_missing(evidence.ghost, evidence.keys)
}

/// Whether a slot has been deleted for good: below the floor of a manifest, or of a life that is
/// gone from it.
fn is_collected(name: &Name, life: &Life, seq: u64) -> bool {
    let (Some(manifest), Some(state)) = (&name.manifest, life.state()) else { return false };
    if manifest.incarnation() == state.incarnation {
        return seq <= manifest.log.collected;
    }
    state.deleted.is_some() && manifest.dropped.iter().all(|dropped| dropped.incarnation != state.incarnation)
}

/// Every record above the checkpoint of a living stream is in its slot.
fn nothing_is_missing(ghost: &Ghost, keys: &[String]) -> Result<(), Violation> {
    let keys: BTreeSet<&str> = keys.iter().map(String::as_str).collect();
    for (stream, name) in &ghost.names {
        let Some(manifest) = name.manifest.as_ref().filter(|manifest| !manifest.is_tombstone()) else { continue };
        let Some(life) = name.lives.get(&manifest.incarnation()) else { continue };
        for record in life.records.iter().filter(|record| record.seq > manifest.log.floor) {
            let key = format!("ds/{stream}/incarnation/{}/log/{:020}.rec", manifest.incarnation(), record.seq);
            if !keys.contains(key.as_str()) {
                return Err(Violation::new("nothing needed is collected", format!("{key} is gone")).at_key(key));
            }
        }
    }
    Ok(())
}
