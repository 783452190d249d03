//! Snapshots that were superseded.

use wadi_protocol::{Offset, Timestamp};
use wadi_store::{ListedObject, ObjectKey};

use crate::{
    cell::Cell,
    defects::{self, Defect},
    layout::last_part,
    log::LogError,
    view::View,
};

impl Cell {
    /// Removes the copies of snapshots that a later one superseded a grace period ago: until then a reader
    /// may still be under way. As many as one listing shows. Returns how many objects that were. A copy of the
    /// latest that is missing is put in its place.
    ///
    /// A copy is put in place after its record, so one that is old has superseded all before it for as long.
    pub(super) async fn collect_snapshots(&self, view: &View, old_before: Timestamp) -> Result<u64, LogError> {
        let Some(latest) = &view.state.snapshot else { return Ok(0) };
        let prefix = format!("{}/snapshot/", self.prefix(view.state.incarnation));
        let listing = self.bucket().list(&prefix, None).await?;
        if !listing.more && !listing.objects.iter().any(|object| offset_of(object) == Some(latest.offset)) {
            self.copy_latest(view.state.incarnation, latest).await;
        }
        let at_once = defects::active(Defect::SupersededCollectedAtOnce);
        let is_old = |object: &&ListedObject| object.last_modified < old_before || at_once;
        let old = listing.objects.iter().filter(is_old).filter_map(offset_of);
        let Some(superseding) = old.filter(|offset| *offset <= latest.offset).max() else { return Ok(0) };
        let is_dead = |object: &&ListedObject| offset_of(object).is_some_and(|offset| offset < superseding);
        let dead: Vec<ObjectKey> = listing.objects.iter().filter(is_dead).map(|object| object.key.clone()).collect();
        self.bucket().delete(&dead).await?;
        Ok(dead.len() as u64)
    }
}

/// The offset that the key of a listed object ends with.
pub(super) fn offset_of(object: &ListedObject) -> Option<Offset> {
    Offset::parse_padded(last_part(&object.key)).ok()
}
