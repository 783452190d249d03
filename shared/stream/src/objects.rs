//! Reading what was sealed. Every object is verified: one that is missing, short or damaged makes
//! the read fail, and never puts a hole or wrong bytes into it.

use bytes::Bytes;
use wadi_protocol::{Digest, StreamState};
use wadi_store::{GetOptions, GetOutcome, ObjectKey};

use crate::{
    cell::Cell,
    layout::{sealed_key, state_key},
    limits::STATE_BYTES_MAX,
    log::LogError,
    manifest::{Manifest, StateObject},
    sealed::SealedObject,
    view::View,
};

/// The user metadata of a chunk that holds the BLAKE3-256 of its bytes, in hexadecimal.
pub(crate) const CHUNK_DIGEST: &str = "blake3";

/// The `Cache-Control` of what never changes. Not whether it is public: that is no function of the log.
pub(crate) const CACHE_FOR_EVER: &str = "max-age=31536000, immutable";

/// An object as read.
struct Read {
    bytes: Bytes,
    named: Option<Digest>,
}

impl Cell {
    /// The bytes of a sealed object, verified. [`LogError::Stale`] when it is gone: what named it is
    /// out of date.
    pub(crate) async fn sealed_bytes(&self, view: &View, object: &SealedObject) -> Result<Bytes, LogError> {
        let key = sealed_key(&self.prefix(view.state.incarnation), object);
        let read = self.read_object(&key, object.len()).await?;
        let digest = match object {
            SealedObject::Chunk { .. } => read.named,
            SealedObject::Segment { blake3, .. } => Some(*blake3),
        };
        verified(&key, read.bytes, object.len(), digest)
    }

    /// The state at the checkpoint of a manifest just read.
    pub(crate) async fn state_at(&self, manifest: &Manifest) -> Result<StreamState, LogError> {
        let Some(StateObject { blake3 }) = manifest.state_object else { return Ok(manifest.state_at_checkpoint()) };
        let key = state_key(&self.prefix(manifest.incarnation()), manifest.log.checkpoint.seq);
        let read = self.read_object(&key, STATE_BYTES_MAX).await?;
        let len = read.bytes.len() as u64;
        let bytes = verified(&key, read.bytes, len, Some(blake3))?;
        serde_json::from_slice(&bytes).map_err(|error| LogError::Damaged(format!("{key}: {error}")))
    }

    async fn read_object(&self, key: &ObjectKey, bytes_max: u64) -> Result<Read, LogError> {
        let range = GetOptions { range: Some(0..bytes_max), if_none_match: None };
        match self.bucket().get(key, range).await? {
            GetOutcome::Found(object) if object.size == object.body.len() as u64 => {
                let named = object.attributes.metadata.get(CHUNK_DIGEST);
                Ok(Read { bytes: object.body, named: named.and_then(|text| Digest::parse(text).ok()) })
            }
            GetOutcome::Missing { .. } => Err(LogError::Stale),
            _ => Err(LogError::Damaged(format!("{key} does not have the size that is known"))),
        }
    }
}

fn verified(key: &ObjectKey, bytes: Bytes, len: u64, digest: Option<Digest>) -> Result<Bytes, LogError> {
    if bytes.len() as u64 == len && digest == Some(Digest::of(&bytes)) {
        Ok(bytes)
    } else {
        Err(LogError::Damaged(format!("{key} does not hold the bytes that are known")))
    }
}
