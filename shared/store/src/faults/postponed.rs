//! Writes that were answered as lost and have not reached the store yet.

use crate::{NewObject, ObjectKey, ObjectTag, PutCondition, PutOutcome, SharedStore, StoreError, Upload, faults::Call};

/// A write kept to apply later.
#[derive(Debug)]
pub(super) enum Postponed {
    Put { key: ObjectKey, object: NewObject, condition: PutCondition },
    Delete { keys: Vec<ObjectKey> },
    CompleteUpload { upload: Upload, parts: Vec<ObjectTag> },
}

impl Postponed {
    /// The write in `call`; `None` for what nobody would notice later.
    pub(super) fn from_call(call: Call<'_>) -> Option<Self> {
        match call {
            Call::Put { key, object, condition } => {
                Some(Self::Put { key: key.clone(), object: object.clone(), condition: condition.clone() })
            }
            Call::Delete { keys } => Some(Self::Delete { keys: keys.to_vec() }),
            Call::CompleteUpload { upload, parts } => {
                Some(Self::CompleteUpload { upload: upload.clone(), parts: parts.to_vec() })
            }
            Call::Get { .. }
            | Call::List { .. }
            | Call::BeginUpload { .. }
            | Call::PutPart { .. }
            | Call::AbortUpload { .. } => None,
        }
    }

    /// Applies it. Returns true when it changed something.
    pub(super) async fn land(self, store: &SharedStore) -> Result<bool, StoreError> {
        match self {
            Self::Put { key, object, condition } => {
                let outcome = store.put(&key, object, condition).await?;
                Ok(matches!(outcome, PutOutcome::Stored { .. }))
            }
            Self::Delete { keys } => store.delete_many(&keys).await.map(|_| true),
            Self::CompleteUpload { upload, parts } => store.complete_upload(&upload, &parts).await.map(|_| true),
        }
    }
}
