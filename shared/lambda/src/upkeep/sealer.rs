//! Sealing what events tell of.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};
use serde::Serialize;
use wadi_protocol::StreamKey;
use wadi_store::ObjectKey;
use wadi_stream::{Engine, SealSign};

use super::{BucketEvent, UpkeepError};
use crate::limits::STREAMS_SEALED_AT_ONCE;

/// Seals streams by events. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sealer {
    pub(super) engine: Engine,
    /// What the bucket's keys begin with, without a slash at its end; may be empty.
    prefix: String,
}

/// What came of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sealed {
    /// Streams that it told of, each counted once.
    pub streams: usize,
    /// Those that were due and are sealed now.
    pub sealed: usize,
}

/// The streams that signs tell of, each with the marks that name it.
type Due = BTreeMap<StreamKey, Vec<ObjectKey>>;

impl Sealer {
    /// A sealer of the streams of `engine`, whose store keeps its objects behind `prefix`.
    pub fn new(engine: Engine, prefix: &str) -> Self {
        Self { engine, prefix: prefix.to_owned() }
    }

    /// Seals what the written objects tell of. A stream that many of them name is sealed once, one that is not due
    /// costs a look.
    ///
    /// [`UpkeepError`] when something may be left to do; doing all of it again does no harm.
    pub async fn seal(&self, event: &BucketEvent) -> Result<Sealed, UpkeepError> {
        self.seal_by(event.keys(&self.prefix).iter().filter_map(SealSign::of)).await
    }

    /// The same for marks that were found in the bucket.
    pub(super) async fn seal_marked(&self, marks: Vec<ObjectKey>) -> Result<Sealed, UpkeepError> {
        self.seal_by(marks.into_iter().map(SealSign::Mark)).await
    }

    async fn seal_by(&self, signs: impl Iterator<Item = SealSign>) -> Result<Sealed, UpkeepError> {
        let (due, unread) = self.due(signs).await;
        let streams = due.len() + unread;
        let done: Vec<Option<bool>> = stream::iter(due)
            .map(|(stream, marks)| self.seal_one(stream, marks))
            .buffer_unordered(STREAMS_SEALED_AT_ONCE)
            .collect()
            .await;
        match unread + done.iter().filter(|done| done.is_none()).count() {
            0 => Ok(Sealed { streams, sealed: done.iter().filter(|done| **done == Some(true)).count() }),
            failed => Err(UpkeepError::Unsealed { failed, streams }),
        }
    }

    /// What the signs tell of, and how many marks cannot be read: the others are no worse for them.
    async fn due(&self, signs: impl Iterator<Item = SealSign>) -> (Due, usize) {
        let (mut due, mut unread) = (Due::new(), 0);
        for sign in signs {
            match sign {
                SealSign::Record(stream) => {
                    due.entry(stream).or_default();
                }
                SealSign::Mark(mark) => match self.engine.stream_of_seal_mark(&mark).await {
                    Ok(Some(stream)) => due.entry(stream).or_default().push(mark),
                    // Another sealer was here.
                    Ok(None) => {}
                    Err(_) => unread += 1,
                },
            }
        }
        (due, unread)
    }

    /// Seals one stream, and removes its marks once that is done. `None`: there may be something left.
    async fn seal_one(&self, stream: StreamKey, marks: Vec<ObjectKey>) -> Option<bool> {
        let sealed = match self.engine.seal_what_is_due(&stream).await {
            Ok(sealed) => sealed,
            Err(refusal) => {
                tracing::warn!(stream = stream.key_text(), code = refusal.code().as_str(), "a stream is not sealed");
                return None;
            }
        };
        // Marks that stay lead another sealer to a stream that is not due.
        if !marks.is_empty() && self.engine.remove_seal_marks(&marks).await.is_err() {
            return None;
        }
        Some(sealed)
    }
}
