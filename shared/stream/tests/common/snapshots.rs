//! Publishing and reading snapshots in tests.

use bytes::Bytes;
use wadi_protocol::{ContentType, Offset, PublishRequest, Published, Refusal, SnapshotRequest};
use wadi_stream::SnapshotAnswer;

use super::{Process, key};

/// A publish of a text at an offset.
pub fn publish(at: u64, body: &[u8]) -> PublishRequest {
    PublishRequest::of(None, Offset::new(at), ContentType::parse("text/plain").unwrap(), body)
}

pub fn snapshot_request(at: u64) -> SnapshotRequest {
    SnapshotRequest { offset: Offset::new(at), incarnation: None, range: None, if_none_match: None }
}

impl Process {
    pub async fn publish(&self, name: &str, at: u64, body: impl Into<Bytes>) -> Result<Published, Refusal> {
        let body = body.into();
        self.engine.publish(&key(name), publish(at, &body), body).await
    }

    pub async fn snapshot(&self, name: &str, at: u64) -> Result<Vec<u8>, Refusal> {
        bytes_of(self.engine.snapshot(&key(name), &snapshot_request(at)).await?).await
    }
}

/// All bytes of an answer.
pub async fn bytes_of(answer: SnapshotAnswer) -> Result<Vec<u8>, Refusal> {
    let Some(mut body) = answer.body else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await {
        let piece = piece?;
        assert!(!piece.is_empty());
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}
