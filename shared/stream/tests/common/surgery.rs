//! What other hands do to a bucket: a sealer's checkpoint and collection, and damage.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use wadi_protocol::{Incarnation, Operation, StreamState, Timestamp};
use wadi_store::{
    Attributes, GetOptions, GetOutcome, ListRequest, NewObject, ObjectKey, ObjectStore, ObjectTag, PutCondition,
    PutOutcome,
};
use wadi_stream::{Checkpoint, Cover, Manifest, incarnation_prefix, manifest_key};

use super::{World, key};

/// The header of a record as anybody can read it with `head -1`.
#[derive(Debug, Deserialize)]
pub struct Line {
    pub seq: u64,
    pub id: String,
    pub prev: String,
    pub at: Timestamp,
    pub content: Content,
    pub payload: Box<RawValue>,
}

#[derive(Debug, Deserialize)]
pub struct Content {
    pub operations: Vec<Operation>,
}

impl World {
    /// An object, past all faults.
    pub async fn object(&self, key: &ObjectKey) -> Option<(Bytes, ObjectTag, Timestamp)> {
        match self.bucket.get(key, GetOptions::default()).await.unwrap() {
            GetOutcome::Found(object) => Some((object.body, object.tag, object.date)),
            _ => None,
        }
    }

    /// An object with the headers it is stored with.
    pub async fn attributes(&self, key: &str) -> (Bytes, Attributes) {
        match self.bucket.get(&ObjectKey::from(key), GetOptions::default()).await.unwrap() {
            GetOutcome::Found(object) => (object.body, object.attributes),
            other => panic!("{key}: {other:?}"),
        }
    }

    /// What the objects of the living incarnation begin with.
    pub async fn prefix(&self, name: &str) -> String {
        incarnation_prefix(&key(name), self.manifest(name).await.incarnation())
    }

    pub async fn overwrite(&self, key: &ObjectKey, body: impl Into<Bytes>) {
        self.bucket.put(key, NewObject::from(body.into()), PutCondition::Always).await.unwrap();
    }

    pub async fn remove(&self, key: &ObjectKey) {
        self.bucket.delete_many(std::slice::from_ref(key)).await.unwrap();
    }

    /// The keys that begin with `prefix` and contain `part`.
    pub async fn keys(&self, prefix: &str, part: &str) -> Vec<ObjectKey> {
        let page = ListRequest { prefix: prefix.to_owned(), start_after: None, limit: 1000 };
        let listing = self.bucket.list(page).await.unwrap();
        assert!(!listing.more, "a test this large needs pages");
        listing.objects.into_iter().map(|object| object.key).filter(|key| key.as_str().contains(part)).collect()
    }

    pub async fn manifest(&self, name: &str) -> Manifest {
        Manifest::from_json(&self.object(&manifest_key(&key(name))).await.unwrap().0).unwrap()
    }

    pub async fn slot(&self, name: &str, seq: u64) -> ObjectKey {
        slot_of(name, self.manifest(name).await.incarnation(), seq)
    }

    /// The header line of a record.
    pub async fn line(&self, name: &str, seq: u64) -> Option<Line> {
        let (object, _, _) = self.object(&self.slot(name, seq).await).await?;
        Some(serde_json::from_slice(object.split(|byte| *byte == b'\n').next().unwrap()).unwrap())
    }

    /// The fold of all records that no checkpoint covers yet, and the last of them.
    pub async fn folded(&self, name: &str) -> (StreamState, Checkpoint) {
        let manifest = self.manifest(name).await;
        let mut state = manifest.state_at_checkpoint();
        let mut checkpoint = manifest.log.checkpoint;
        while let Some(line) = self.line(name, checkpoint.seq + 1).await {
            assert_eq!(line.prev, checkpoint.id.as_str(), "an unbroken chain");
            line.content.operations.iter().for_each(|operation| state.apply(operation, line.at).unwrap());
            let id = serde_json::from_value(line.id.into()).unwrap();
            checkpoint = Checkpoint { seq: line.seq, id, at: line.at };
        }
        (state, checkpoint)
    }

    /// Publishes a checkpoint at the tail, as a sealer does.
    pub async fn checkpoint(&self, name: &str) {
        let (state, checkpoint) = self.folded(name).await;
        let (_, tag, date) = self.object(&manifest_key(&key(name))).await.unwrap();
        let mut manifest = self.manifest(name).await;
        let chunks_start = manifest.sealed.chunks_start;
        manifest.log.covers.push(Cover { seq: checkpoint.seq, date, chunks_start });
        manifest.log.checkpoint = checkpoint;
        manifest.state = Some(state);
        self.swap(name, manifest, tag).await;
    }

    /// Collects all that the newest checkpoint covers. A sealer may do so once a day has passed.
    pub async fn collect(&self, name: &str) {
        let (_, tag, _) = self.object(&manifest_key(&key(name))).await.unwrap();
        let mut manifest = self.manifest(name).await;
        let (from, to) = (manifest.log.collected + 1, manifest.log.checkpoint.seq);
        manifest.log.floor = to;
        manifest.log.collected = to;
        self.swap(name, manifest, tag).await;
        for seq in from..=to {
            self.remove(&self.slot(name, seq).await).await;
        }
    }

    /// Removes all objects of an incarnation.
    pub async fn collect_incarnation(&self, name: &str, incarnation: Incarnation) {
        let keys = self.keys(&incarnation_prefix(&key(name), incarnation), "").await;
        self.bucket.delete_many(&keys).await.unwrap();
    }

    async fn swap(&self, name: &str, mut manifest: Manifest, tag: ObjectTag) {
        manifest.revision += 1;
        manifest.writer = "a sealer".into();
        let object = NewObject::from(Bytes::from(manifest.to_json().unwrap()));
        let outcome = self.bucket.put(&manifest_key(&key(name)), object, PutCondition::IfMatch(tag)).await.unwrap();
        assert!(matches!(outcome, PutOutcome::Stored { .. }), "{outcome:?}");
    }

    /// Changes a record's header line and makes its check right again.
    pub async fn forge(&self, name: &str, seq: u64, change: impl FnOnce(String) -> String) {
        let slot = self.slot(name, seq).await;
        let (object, _, _) = self.object(&slot).await.unwrap();
        let line_end = object.iter().position(|byte| *byte == b'\n').unwrap();
        let line = std::str::from_utf8(&object[..line_end]).unwrap();
        let text = line.rsplit_once(",\"check\":").unwrap().0.to_owned();
        let forged = change(text.clone());
        assert_ne!(forged, text, "the forgery must change something");
        let check = blake3::hash(forged.as_bytes()).to_hex();
        let mut bytes = format!("{forged},\"check\":\"{}\"}}\n", &check[..16]).into_bytes();
        bytes.extend_from_slice(&object[line_end + 1..]);
        self.overwrite(&slot, bytes).await;
    }
}

pub fn slot_of(name: &str, incarnation: Incarnation, seq: u64) -> ObjectKey {
    ObjectKey::new(format!("{}/log/{seq:020}.rec", incarnation_prefix(&key(name), incarnation)))
}
