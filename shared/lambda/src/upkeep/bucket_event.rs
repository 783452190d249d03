//! An event of the bucket: objects that were written.

use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::Value;
use wadi_store::ObjectKey;

/// Objects that were written. Events come late, twice, and out of order.
///
/// See: <https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html>
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BucketEvent {
    /// One a written object. Each is looked at by itself, so that one that cannot be read spoils no other; the test
    /// event that a bucket sends has none.
    #[serde(rename = "Records", default)]
    records: Vec<Value>,
}

#[derive(Deserialize)]
struct Record {
    s3: Entity,
}

#[derive(Deserialize)]
struct Entity {
    object: Object,
}

#[derive(Deserialize)]
struct Object {
    key: String,
}

impl BucketEvent {
    /// The keys that were written behind `prefix`, as the store knows them.
    pub(super) fn keys(&self, prefix: &str) -> Vec<ObjectKey> {
        self.records.iter().filter_map(|record| key(record, prefix)).collect()
    }
}

fn key(record: &Value, prefix: &str) -> Option<ObjectKey> {
    let key = match Record::deserialize(record) {
        Ok(record) => decoded(&record.s3.object.key),
        Err(error) => {
            tracing::error!(%error, "a record of an event names no object");
            return None;
        }
    };
    let behind = if prefix.is_empty() { Some(key.as_str()) } else { key.strip_prefix(prefix)?.strip_prefix('/') };
    behind.map(ObjectKey::from)
}

/// A key is encoded as in a form: a blank is a plus sign.
fn decoded(key: &str) -> String {
    percent_decode_str(&key.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys(records: &Value, prefix: &str) -> Vec<String> {
        let event: BucketEvent = serde_json::from_value(json!({ "Records": records })).unwrap();
        event.keys(prefix).into_iter().map(ObjectKey::into_string).collect()
    }

    #[test]
    fn keys_are_decoded_and_taken_from_behind_the_prefix() {
        let record = |key: &str| json!({ "s3": { "object": { "key": key } } });
        let records = json!([
            record("wadi/ds/acct/a%252Fb+c%2Bd/%C3%A9"),
            record("wadiother/x"),
            record("x"),
            { "s3": {} },
            record("wadi/y"),
        ]);
        assert_eq!(keys(&records, "wadi"), ["ds/acct/a%2Fb c+d/é", "y"]);
        assert_eq!(keys(&json!([record("x")]), ""), ["x"]);
    }

    #[test]
    fn an_event_without_records_says_nothing() {
        let event: BucketEvent = serde_json::from_value(json!({ "Event": "s3:TestEvent" })).unwrap();
        assert!(event.keys("").is_empty());
    }
}
