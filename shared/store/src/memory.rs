//! A store in memory: for tests and simulations. Gone with the process.

use std::{
    collections::BTreeMap,
    fmt,
    ops::Bound,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use wadi_protocol::Timestamp;

use crate::{
    Attributes, Clock, GetOptions, GetOutcome, ListRequest, ListedObject, Listing, NewObject, ObjectKey, ObjectStore,
    ObjectTag, PutCondition, PutOutcome, StoreError, StoredObject, Upload,
    clock::Dates,
    limits::{LOCAL_DATE_RESOLUTION, LOCAL_UPLOADS_MAX},
    rules,
};

/// An object store in memory. Every request takes effect at one instant, in one order.
pub struct MemoryStore {
    dates: Dates,
    objects: Mutex<Objects>,
}

#[derive(Default)]
struct Objects {
    by_key: BTreeMap<ObjectKey, Kept>,
    uploads: BTreeMap<String, Growing>,
    /// Never used twice: a tag names one write, even where two writes carry the same bytes.
    tags_used: u64,
}

/// An upload in parts.
struct Growing {
    attributes: Attributes,
    parts: Vec<Bytes>,
    received: Vec<(ObjectTag, u64)>,
}

struct Kept {
    body: Bytes,
    attributes: Attributes,
    tag: ObjectTag,
    last_modified: Timestamp,
}

impl MemoryStore {
    /// An empty store that dates its answers by `clock`.
    pub fn new(clock: Clock) -> Self {
        Self { dates: Dates::new(clock, Timestamp::EPOCH), objects: Mutex::default() }
    }

    /// How many objects it holds.
    pub fn object_count(&self) -> usize {
        self.lock().by_key.len()
    }

    /// How many uploads in parts are open.
    pub fn upload_count(&self) -> usize {
        self.lock().uploads.len()
    }

    fn lock(&self) -> MutexGuard<'_, Objects> {
        // Nothing in here panics half-way through a change, so a poisoned lock guards sound data.
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("objects", &self.object_count()).finish_non_exhaustive()
    }
}

#[async_trait]
impl ObjectStore for MemoryStore {
    async fn get(&self, key: &ObjectKey, options: GetOptions) -> Result<GetOutcome, StoreError> {
        rules::check_get(key, &options)?;
        let objects = self.lock();
        let date = self.dates.now();
        let Some(kept) = objects.by_key.get(key) else { return Ok(GetOutcome::Missing { date }) };
        Ok(kept.read(&options, date))
    }

    async fn put(&self, key: &ObjectKey, object: NewObject, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        rules::check_put(key, &object)?;
        let mut objects = self.lock();
        let date = self.dates.now();
        if !rules::condition_holds(&condition, objects.by_key.get(key).map(|kept| &kept.tag)) {
            return Ok(PutOutcome::PreconditionFailed { date });
        }
        let tag = objects.next_tag();
        let kept = Kept { body: object.body, attributes: object.attributes, tag: tag.clone(), last_modified: date };
        objects.by_key.insert(key.clone(), kept);
        Ok(PutOutcome::Stored { tag, date })
    }

    async fn delete_many(&self, keys: &[ObjectKey]) -> Result<Timestamp, StoreError> {
        keys.iter().try_for_each(rules::check_key)?;
        let mut objects = self.lock();
        for key in keys {
            objects.by_key.remove(key);
        }
        Ok(self.dates.now())
    }

    async fn list(&self, request: ListRequest) -> Result<Listing, StoreError> {
        rules::check_list(&request)?;
        let objects = self.lock();
        Ok(objects.page(&request, self.dates.now()))
    }

    async fn begin_upload(&self, key: &ObjectKey, attributes: Attributes) -> Result<Upload, StoreError> {
        rules::check_key(key)?;
        let mut objects = self.lock();
        if objects.uploads.len() >= LOCAL_UPLOADS_MAX {
            return Err(rules::too_many_uploads());
        }
        let upload = Upload { key: key.clone(), id: objects.next_tag().0, date: self.dates.now() };
        let growing = Growing { attributes, parts: Vec::new(), received: Vec::new() };
        objects.uploads.insert(upload.id.clone(), growing);
        Ok(upload)
    }

    async fn put_part(&self, upload: &Upload, number: u32, body: Bytes) -> Result<ObjectTag, StoreError> {
        rules::check_part_body(body.len())?;
        let mut objects = self.lock();
        let tag = objects.next_tag();
        let growing = objects.uploads.get_mut(&upload.id).ok_or_else(rules::no_such_upload)?;
        rules::check_part_number(number, growing.parts.len())?;
        let before = number as usize - 1;
        growing.parts.truncate(before);
        growing.received.truncate(before);
        growing.received.push((tag.clone(), body.len() as u64));
        growing.parts.push(body);
        Ok(tag)
    }

    async fn complete_upload(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Timestamp, StoreError> {
        let mut objects = self.lock();
        let growing = objects.uploads.get(&upload.id).ok_or_else(rules::no_such_upload)?;
        rules::check_complete(parts, &growing.received)?;
        if objects.by_key.contains_key(&upload.key) {
            return Err(rules::key_taken());
        }
        let (body, attributes) = (growing.parts.concat().into(), growing.attributes.clone());
        objects.uploads.remove(&upload.id);
        let (tag, date) = (objects.next_tag(), self.dates.now());
        objects.by_key.insert(upload.key.clone(), Kept { body, attributes, tag, last_modified: date });
        Ok(date)
    }

    async fn abort_upload(&self, upload: &Upload) -> Result<(), StoreError> {
        self.lock().uploads.remove(&upload.id);
        Ok(())
    }

    async fn presign_get(&self, _key: &ObjectKey, _valid_for: Duration) -> Result<Option<String>, StoreError> {
        Ok(None)
    }

    fn date_resolution(&self) -> Duration {
        LOCAL_DATE_RESOLUTION
    }
}

impl Objects {
    fn next_tag(&mut self) -> ObjectTag {
        self.tags_used += 1;
        ObjectTag(format!("\"memory-{}\"", self.tags_used))
    }

    fn page(&self, request: &ListRequest, date: Timestamp) -> Listing {
        let after = request.start_after.as_ref().filter(|key| key.as_str() >= request.prefix.as_str());
        let from = match after {
            Some(key) => Bound::Excluded(key.as_str()),
            None => Bound::Included(request.prefix.as_str()),
        };
        let mut found = self
            .by_key
            .range::<str, _>((from, Bound::Unbounded))
            .take_while(|(key, _)| key.as_str().starts_with(&request.prefix));
        let objects = found.by_ref().take(request.limit).map(|(key, kept)| kept.listed(key)).collect();
        Listing { objects, more: found.next().is_some(), date }
    }
}

impl Kept {
    fn read(&self, options: &GetOptions, date: Timestamp) -> GetOutcome {
        if options.if_none_match.as_ref() == Some(&self.tag) {
            return GetOutcome::NotModified { date };
        }
        let Some(range) = rules::clamp(options.range.as_ref(), self.body.len()) else {
            return GetOutcome::OutOfRange { date };
        };
        GetOutcome::Found(StoredObject {
            body: self.body.slice(range),
            size: self.body.len() as u64,
            tag: self.tag.clone(),
            attributes: self.attributes.clone(),
            last_modified: self.last_modified,
            date,
        })
    }

    fn listed(&self, key: &ObjectKey) -> ListedObject {
        ListedObject { key: key.clone(), size: self.body.len() as u64, last_modified: self.last_modified }
    }
}
