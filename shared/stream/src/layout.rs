//! Where things lie in the bucket. The one place that builds keys.
//!
//! | key | holds | written | deleted by |
//! | --- | --- | --- | --- |
//! | `manifest/{account}/{name}` | the manifest of a name | compare-and-set | nobody: a tombstone stays |
//! | `ds/{account}/{name}/incarnation/{token}/log/{seq}.rec` | one record | put if absent, never again | collection |
//! | `ds/{account}/{name}/incarnation/{token}/body/{id}` | a payload that a record names | once | collection |
//!
//! `{name}` is the decoded name with `/`, `%`, `\` and control characters escaped, so no name can
//! lie inside another's prefix.

use wadi_protocol::{Incarnation, StreamKey};
use wadi_store::ObjectKey;

/// The key of a stream's manifest.
pub fn manifest_key(stream: &StreamKey) -> ObjectKey {
    ObjectKey::new(format!("manifest/{}", stream.key_text()))
}

/// What all objects of one incarnation begin with, without a final slash.
pub fn incarnation_prefix(stream: &StreamKey, incarnation: Incarnation) -> String {
    format!("ds/{}/incarnation/{incarnation}", stream.key_text())
}
