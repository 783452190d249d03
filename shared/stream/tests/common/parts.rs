//! Staging parts and committing them in tests.

use bytes::Bytes;
use wadi_protocol::{
    CommitRequest, ContentType, Offset, PartId, PartsRequest, Published, Refusal, SnapshotDigest, state::SnapshotName,
};
use wadi_store::{GetOptions, GetOutcome, ObjectKey, ObjectStore, StoredObject};

use super::{Process, World, key};

pub const ANY_LIFE: PartsRequest = PartsRequest { incarnation: None };

/// Bytes without a pattern that pieces in another order would share.
pub fn noise(size: usize) -> Bytes {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes.into()
}

/// A process that has written ten bytes to `s` and staged a body of three parts.
pub async fn staged(world: &World) -> (Process, Bytes, Vec<PartId>) {
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "0123456789").await.unwrap();
    let body = noise(17 << 20);
    let parts = process.stage_all("s", &body, 6 << 20).await;
    (process, body, parts)
}

/// A commit at an offset of what `body` is, in so many parts.
pub fn commit(at: u64, body: &[u8], parts: usize) -> CommitRequest {
    let content_type = ContentType::parse("text/plain").unwrap();
    let name = SnapshotName { offset: Offset::new(at), digest: SnapshotDigest::of(&content_type, body) };
    CommitRequest { incarnation: None, name, content_type, parts: parts as u64 }
}

impl Process {
    pub async fn stage(&self, name: &str, body: impl Into<Bytes>) -> Result<PartId, Refusal> {
        let body = body.into();
        let admission = self.engine.admit_part(&key(name), ANY_LIFE, body.len() as u64).await?;
        Ok(self.engine.stage(admission, body).await?.part)
    }

    /// Stages a body in parts of this size.
    pub async fn stage_all(&self, name: &str, body: &Bytes, size: usize) -> Vec<PartId> {
        let mut parts = Vec::new();
        for start in (0..body.len()).step_by(size) {
            parts.push(self.stage(name, body.slice(start..body.len().min(start + size))).await.unwrap());
        }
        parts
    }

    pub async fn commit(&self, name: &str, at: u64, body: &[u8], parts: &[PartId]) -> Result<Published, Refusal> {
        let request = commit(at, body, parts.len());
        if let Some(published) = self.engine.check_commit(&key(name), &request).await? {
            return Ok(published);
        }
        self.engine.commit(&key(name), request, parts.to_vec()).await
    }
}

impl World {
    /// How many objects of one kind the streams have.
    pub async fn count(&self, kind: &str) -> usize {
        self.keys("ds/", &format!("/{kind}/")).await.len()
    }

    pub async fn stored(&self, key: &ObjectKey) -> StoredObject {
        match self.bucket.get(key, GetOptions::default()).await.unwrap() {
            GetOutcome::Found(object) => object,
            other => panic!("{key}: {other:?}"),
        }
    }
}
