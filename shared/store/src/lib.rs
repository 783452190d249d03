//! The object-store port and its implementations. Knows nothing of streams.

mod error;
mod key;
mod port;

pub use error::StoreError;
pub use key::{KEY_BYTES_MAX, ObjectKey};
pub use port::{
    Attributes, GetOptions, GetOutcome, ListRequest, ListedObject, Listing, NewObject, ObjectStore, ObjectTag, PutCondition,
    PutOutcome, SharedStore, StoredObject,
};
