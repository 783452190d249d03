//! The names in a bucket, by their manifests.

use wadi_protocol::{StreamKey, Timestamp};
use wadi_store::ObjectKey;

use crate::log::{Bucket, LogError};

/// A page of names.
pub(crate) struct Names {
    pub(crate) found: Vec<Name>,
    /// Where the next page starts; `None` at the end.
    pub(crate) after: Option<ObjectKey>,
    /// The store's date of the listing.
    pub(crate) date: Timestamp,
}

/// A name that has a manifest.
pub(crate) struct Name {
    pub(crate) key: StreamKey,
    /// When its manifest was last replaced.
    pub(crate) changed: Timestamp,
}

/// The names after `after`, or the first ones. Keys that no stream has are passed over.
pub(crate) async fn names(bucket: &Bucket, after: Option<ObjectKey>) -> Result<Names, LogError> {
    let listing = bucket.list("manifest/", after).await?;
    let names = listing.objects.iter().filter_map(|object| {
        let key = StreamKey::parse_key_text(object.key.as_str().strip_prefix("manifest/")?).ok()?;
        Some(Name { key, changed: object.last_modified })
    });
    let after = listing.objects.last().map(|last| last.key.clone()).filter(|_| listing.more);
    Ok(Names { found: names.collect(), after, date: listing.date })
}
