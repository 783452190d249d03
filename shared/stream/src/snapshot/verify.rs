//! Verifying the latest snapshot.

use wadi_protocol::StreamState;

use super::{body::SnapshotBody, objects::Objects};
use crate::{cell::Cell, log::LogError};

impl Cell {
    /// Reads the latest snapshot whole, piece by piece, and compares its digest. Tells what is wrong with it, if
    /// anything is. An error when the store does not answer.
    pub(crate) async fn verify_snapshot(&self, state: &StreamState) -> Result<Option<String>, LogError> {
        let Some(snapshot) = &state.snapshot else { return Ok(None) };
        let objects = Objects::new(self, state.incarnation);
        let opened = SnapshotBody::open(objects, snapshot.clone(), 0..snapshot.bytes).await?;
        let Some(mut body) = opened else {
            return Ok(Some(format!(
                "the body of the snapshot at {} is gone, or not the one published",
                snapshot.offset
            )));
        };
        while let Some(piece) = body.next().await {
            if piece.is_err() {
                return Ok(Some(format!("the snapshot at {} cannot be read to its end", snapshot.offset)));
            }
        }
        Ok(None)
    }
}
