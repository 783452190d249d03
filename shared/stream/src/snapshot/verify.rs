//! Verifying the latest snapshot.

use wadi_protocol::{StreamState, state::Snapshot};
use wadi_store::{GetOptions, GetOutcome};

use super::{
    body::SnapshotBody,
    objects::{Objects, Source},
};
use crate::{cell::Cell, log::LogError};

impl Cell {
    /// Reads the latest snapshot whole, piece by piece, where it was uploaded to and at its own key, where whoever
    /// serves the bucket finds it, and compares its digest. Tells what is wrong with either, in words.
    ///
    /// A copy that is not there is nothing wrong: its publisher may have gone away before it was made. An error
    /// when the store does not answer.
    pub(crate) async fn problems_of_snapshot(&self, state: &StreamState) -> Result<Vec<String>, LogError> {
        let Some(snapshot) = &state.snapshot else { return Ok(Vec::new()) };
        let objects = Objects::new(self, state.incarnation);
        let mut problems = Vec::new();
        for (source, what) in [(Source::Canonical, "copy"), (Source::Upload, "body")] {
            let fault = match objects.has(snapshot, source).await? {
                false if source == Source::Canonical => continue,
                false => "is gone",
                true if SnapshotBody::is_whole(objects.clone(), snapshot.clone(), source).await? => continue,
                true => "is not what was committed",
            };
            problems.push(format!("the {what} of the snapshot at {} {fault}", snapshot.offset));
        }
        Ok(problems)
    }
}

impl Objects {
    /// Whether anything is there.
    async fn has(&self, snapshot: &Snapshot, source: Source) -> Result<bool, LogError> {
        let first = GetOptions { range: Some(0..1), if_none_match: None };
        Ok(!matches!(self.bucket.get(&self.key(snapshot, source), first).await?, GetOutcome::Missing { .. }))
    }
}
