//! Uploads in parts: each a file that grows, which no row names until it is complete. One that a crash
//! leaves behind is deleted at the next opening, as every such file is.

use std::{
    collections::HashMap,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::bodies::{Bodies, GrowingFile, UnnamedFile};
use crate::{Attributes, ObjectKey, ObjectTag, StoreError, Upload, limits::LOCAL_UPLOADS_MAX, rules};

/// The uploads that are open.
#[derive(Debug, Default)]
pub(super) struct Uploads {
    open: Mutex<HashMap<String, Arc<Mutex<Growing>>>>,
    begun: AtomicU64,
}

/// One of them. Without a file once it has ended.
#[derive(Debug)]
struct Growing {
    file: Option<GrowingFile>,
    attributes: Attributes,
    received: Vec<(ObjectTag, u64)>,
}

/// What became of an upload that is complete: a body for a row to name.
pub(super) struct Complete {
    pub(super) file: UnnamedFile,
    pub(super) attributes: Attributes,
}

impl Uploads {
    /// Blocks.
    pub(super) fn begin(
        &self,
        bodies: &Bodies,
        key: ObjectKey,
        attributes: Attributes,
        date: Timestamp,
    ) -> Result<Upload, StoreError> {
        if self.open().len() >= LOCAL_UPLOADS_MAX {
            return Err(rules::too_many_uploads());
        }
        let file = Some(bodies.begin().map_err(|error| unwritable(&error))?);
        let id = self.begun.fetch_add(1, Ordering::Relaxed).to_string();
        let growing = Growing { file, attributes, received: Vec::new() };
        self.open().insert(id.clone(), Arc::new(Mutex::new(growing)));
        Ok(Upload { key, id, date })
    }

    /// Blocks.
    pub(super) fn put_part(&self, upload: &Upload, number: u32, body: &Bytes) -> Result<ObjectTag, StoreError> {
        let growing = self.open().get(&upload.id).cloned().ok_or_else(rules::no_such_upload)?;
        let mut growing = locked(&growing);
        rules::check_part_number(number, growing.received.len())?;
        growing.received.truncate(number as usize - 1);
        let start = growing.received.iter().map(|(_, bytes)| bytes).sum();
        let file = growing.file.as_mut().ok_or_else(rules::no_such_upload)?;
        file.write_at(start, body).and_then(|()| file.sync()).map_err(|error| unwritable(&error))?;
        let tag = ObjectTag(format!("\"part-{number}-{}\"", body.len()));
        growing.received.push((tag.clone(), body.len() as u64));
        Ok(tag)
    }

    /// Blocks.
    pub(super) fn complete(&self, upload: &Upload, parts: &[ObjectTag]) -> Result<Complete, StoreError> {
        let growing = self.open().get(&upload.id).cloned().ok_or_else(rules::no_such_upload)?;
        let mut growing = locked(&growing);
        rules::check_complete(parts, &growing.received)?;
        let file = growing.file.take().ok_or_else(rules::no_such_upload)?;
        self.open().remove(&upload.id);
        let file = file.finish().map_err(|error| unwritable(&error))?;
        Ok(Complete { file, attributes: std::mem::take(&mut growing.attributes) })
    }

    /// Blocks.
    pub(super) fn abort(&self, upload: &Upload) {
        let removed = self.open().remove(&upload.id);
        // The file is deleted as it is dropped.
        drop(removed);
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<Mutex<Growing>>>> {
        locked(&self.open)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unwritable(error: &io::Error) -> StoreError {
    StoreError::NotSent { reason: format!("a body could not be written: {error}; check the free space of its disk") }
}
