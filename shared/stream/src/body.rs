//! Payloads that are stored apart from their record, once a write has lost its races.

use std::sync::Arc;

use wadi_protocol::{Digest, Timestamp};

use crate::{
    batch::Decided,
    cell::Cell,
    limits::{CONTENDED_PAYLOAD_BYTES_MAX, LEASE, LOST_RACES_BEFORE_BODY},
    log::{Body, LogError},
};

/// The body object last uploaded, to be named again if the same bytes are tried again.
///
/// A record may name a body only while it is young: one that no record names is removed a grace
/// period after its upload.
#[derive(Debug, Default)]
pub(crate) struct BodyUpload {
    last: Option<Upload>,
}

#[derive(Debug)]
struct Upload {
    prefix: wadi_protocol::Incarnation,
    blake3: Digest,
    object: String,
    uploaded: Timestamp,
    /// Nothing was done since.
    is_new: bool,
}

impl BodyUpload {
    /// The body object that a record is to name, uploaded if need be; `None` while its payload
    /// travels in the record.
    pub(crate) async fn place(
        &mut self,
        cell: &Arc<Cell>,
        decided: &Decided,
        losses: u32,
    ) -> Result<Option<String>, LogError> {
        if losses < LOST_RACES_BEFORE_BODY || decided.payload.len() <= CONTENDED_PAYLOAD_BYTES_MAX {
            return Ok(None);
        }
        let incarnation = decided.view.state.incarnation;
        let blake3 = Digest::of(&decided.payload);
        if let Some(last) = &self.last
            && last.prefix == incarnation
            && last.blake3 == blake3
            && cell.bucket().is_warm(last.uploaded)
        {
            return Ok(Some(last.object.clone()));
        }
        let runtime = cell.bucket().runtime();
        let object = format!("{:016x}{:016x}", runtime.random(), runtime.random());
        let uploaded = cell.slots(&decided.view).put_body(&object, decided.payload.clone()).await?;
        self.last = Some(Upload { prefix: incarnation, blake3, object: object.clone(), uploaded, is_new: true });
        Ok(Some(object))
    }

    /// Whether a body was uploaded since this was last asked, and will be named again if the same
    /// bytes are tried again.
    pub(crate) fn took_time(&mut self, cell: &Cell) -> bool {
        let last = self.last.as_mut().filter(|last| cell.bucket().is_warm(last.uploaded));
        last.is_some_and(|last| std::mem::take(&mut last.is_new))
    }

    /// Whether a record with this payload, landed at `date`, names a body that was young enough.
    pub(crate) fn vouches_for(&self, payload: &Body, date: Timestamp) -> bool {
        let Some(object) = &payload.object else { return true };
        self.last.as_ref().is_some_and(|last| last.object == *object && date.since(last.uploaded) <= LEASE)
    }
}
