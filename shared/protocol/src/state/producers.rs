//! The table of producers: who wrote last, what, and which epochs are retired.

use imbl::{OrdMap, OrdSet};
use serde::{Deserialize, Serialize};

use crate::{Digest, Epoch, Offset, ProducerId, ProducerSeq, Timestamp};

/// What a stream remembers of one producer. Exactly one receipt is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProducerRecord {
    /// Its current epoch.
    pub epoch: Epoch,
    /// The highest sequence number applied in it; 0 to this one applied without holes.
    pub last_seq: ProducerSeq,
    /// The digest sent with sequence 0 of this epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_digest: Option<Digest>,
    /// The receipt of the write at `last_seq`.
    pub newest: Receipt,
    /// The epoch that this epoch's claim replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_epoch: Option<ClosedEpoch>,
    /// On which side of the floor the epoch was claimed.
    pub opened: Opened,
    /// The stream's history number when the epoch was claimed.
    #[serde(default)]
    pub history: u64,
    /// When its last write applied. Repeats and refusals do not count.
    pub last_seen: Timestamp,
}

/// The range one write got, and what it was sent with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// Where its bytes start.
    pub start: Offset,
    /// Where they end.
    pub end: Offset,
    /// This very write closed the stream.
    #[serde(default)]
    pub closed: bool,
    /// The digest it was sent with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// An epoch that a newer claim replaced, and how far it got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosedEpoch {
    /// The epoch.
    pub epoch: Epoch,
    /// Every write of it up to this number applied, and none above it ever will.
    pub last_seq: ProducerSeq,
}

/// The side of the retired-epoch floor on which an epoch was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opened {
    /// Above every epoch the stream has forgotten.
    Above,
    /// At or below one of them: the writer may be an old one that came back.
    Below,
}

/// All producers of a stream. Cloning is cheap: the maps share their nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Producers {
    records: OrdMap<ProducerId, ProducerRecord>,
    by_last_seen: OrdSet<(Timestamp, ProducerId)>,
    floor: Option<Epoch>,
}

impl Producers {
    /// What is remembered of one producer.
    pub fn get(&self, id: &ProducerId) -> Option<&ProducerRecord> {
        self.records.get(id)
    }

    /// How many producers are remembered.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// True when none is.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The highest epoch among the producers that were forgotten.
    pub fn floor(&self) -> Option<Epoch> {
        self.floor
    }

    /// All producers, by id.
    pub fn iter(&self) -> impl Iterator<Item = (&ProducerId, &ProducerRecord)> {
        self.records.iter()
    }

    /// Producers, least recently seen first; ties by id.
    pub fn least_recent(&self) -> impl Iterator<Item = (Timestamp, &ProducerId)> {
        self.by_last_seen.iter().map(|(seen, id)| (*seen, id))
    }

    /// Records a producer, in place of what was known of it.
    pub(crate) fn insert(&mut self, id: ProducerId, record: ProducerRecord) {
        self.remove(&id);
        self.by_last_seen.insert((record.last_seen, id.clone()));
        self.records.insert(id, record);
    }

    /// Forgets a producer. The floor is not touched: who removes says what it becomes.
    pub(crate) fn remove(&mut self, id: &ProducerId) {
        if let Some(record) = self.records.remove(id) {
            self.by_last_seen.remove(&(record.last_seen, id.clone()));
        }
    }

    /// Raises the floor; it never goes down.
    pub(crate) fn raise_floor(&mut self, epoch: Epoch) {
        self.floor = self.floor.max(Some(epoch));
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredProducers {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    floor: Option<Epoch>,
    records: OrdMap<ProducerId, ProducerRecord>,
}

impl Serialize for Producers {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredProducers { floor: self.floor, records: self.records.clone() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Producers {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredProducers { floor, records } = StoredProducers::deserialize(deserializer)?;
        let by_last_seen = records.iter().map(|(id, record)| (record.last_seen, id.clone())).collect();
        Ok(Self { records, by_last_seen, floor })
    }
}
