//! The parts that a snapshot is put together from.

use std::{collections::HashMap, sync::Arc};

use bytes::{Bytes, BytesMut};
use futures::{StreamExt, TryStreamExt, stream};
use wadi_protocol::{Incarnation, PartId};
use wadi_store::{GetOptions, GetOutcome, ObjectKey};

use super::pieces::{Pieces, Stop};
use crate::{
    cell::Cell,
    layout::{staged_key, staged_prefix},
    limits::{PARTS_IN_PARALLEL, SNAPSHOT_PIECE_BYTES},
    log::{Bucket, LogError},
};

/// Parts in order, found staged for one incarnation.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) incarnation: Incarnation,
    list: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    key: ObjectKey,
    bytes: u64,
}

impl Cell {
    /// Finds parts by their names. `None`: not all of them are staged.
    ///
    /// One listing for a thousand staged parts, not one request a part.
    pub(super) async fn find_parts(&self, incarnation: Incarnation, ids: &[PartId]) -> Result<Option<Parts>, LogError> {
        let prefix = self.prefix(incarnation);
        let keys: Option<Vec<ObjectKey>> = ids.iter().map(|id| staged_key(&prefix, id)).collect();
        let Some(keys) = keys else { return Ok(None) };
        let mut sizes: HashMap<&ObjectKey, Option<u64>> = keys.iter().map(|key| (key, None)).collect();
        let mut after = None;
        loop {
            let page = self.bucket().list(&staged_prefix(&prefix), after.take()).await?;
            for object in &page.objects {
                if let Some(size) = sizes.get_mut(&object.key) {
                    *size = Some(object.size);
                }
            }
            after = page.objects.last().map(|last| last.key.clone());
            if !page.more || after.is_none() {
                break;
            }
        }
        let found = |key: &ObjectKey| Some(Part { key: key.clone(), bytes: sizes.get(key).copied().flatten()? });
        let list: Option<Vec<Part>> = keys.iter().map(found).collect();
        Ok(list.map(|list| Parts { incarnation, list }))
    }
}

impl Parts {
    /// Their length together.
    pub(super) fn bytes(&self) -> u64 {
        self.list.iter().map(|part| part.bytes).sum()
    }

    pub(super) fn keys(&self) -> Vec<ObjectKey> {
        self.list.iter().map(|part| part.key.clone()).collect()
    }

    /// Their bytes in order: of small parts several at once, of large ones one.
    pub(super) fn pieces(&self, bucket: Arc<Bucket>) -> Pieces<'static> {
        let groups = self.groups().into_iter();
        stream::iter(groups).then(move |group| read_group(bucket.clone(), group)).boxed()
    }

    /// The parts in groups of [`SNAPSHOT_PIECE_BYTES`] at most, unless a single part is larger. Empty ones are
    /// left out.
    fn groups(&self) -> Vec<Vec<Part>> {
        let (mut groups, mut bytes): (Vec<Vec<Part>>, u64) = (Vec::new(), 0);
        for part in self.list.iter().filter(|part| part.bytes > 0) {
            bytes += part.bytes;
            match groups.last_mut() {
                Some(group) if bytes <= SNAPSHOT_PIECE_BYTES => group.push(part.clone()),
                _ => {
                    bytes = part.bytes;
                    groups.push(vec![part.clone()]);
                }
            }
        }
        groups
    }
}

async fn read_group(bucket: Arc<Bucket>, group: Vec<Part>) -> Result<Bytes, Stop> {
    let alone = group.len() == 1;
    let mut reads = stream::iter(group).map(|part| read(&bucket, part)).buffered(PARTS_IN_PARALLEL);
    if alone {
        return reads.try_next().await.map(Option::unwrap_or_default);
    }
    let mut bytes = BytesMut::new();
    while let Some(part) = reads.try_next().await? {
        bytes.extend_from_slice(&part);
    }
    Ok(bytes.freeze())
}

async fn read(bucket: &Bucket, part: Part) -> Result<Bytes, Stop> {
    let range = GetOptions { range: Some(0..part.bytes), if_none_match: None };
    match bucket.get(&part.key, range).await? {
        GetOutcome::Found(object) if object.size == part.bytes && object.body.len() as u64 == part.bytes => {
            Ok(object.body)
        }
        _ => Err(Stop::Gone),
    }
}
