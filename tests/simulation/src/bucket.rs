//! What lies in the bucket, looked at and changed behind the back of everybody.

use bytes::Bytes;
use futures::FutureExt;
use wadi_store::{ListRequest, NewObject, ObjectKey, ObjectStore, PutCondition};

use crate::network::Network;

impl Network {
    /// Everything in the bucket.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        loop {
            let start_after = keys.last().map(|key| ObjectKey::new(key.clone()));
            let request = ListRequest { prefix: String::new(), start_after, limit: 1000 };
            let Some(Ok(page)) = self.bucket.list(request).now_or_never() else { return keys };
            keys.extend(page.objects.into_iter().map(|object| object.key.into_string()));
            if !page.more {
                return keys;
            }
        }
    }

    /// Loses an object, as no store ever should.
    pub(crate) fn lose(&self, key: &str) {
        let _ = self.bucket.delete_many(&[ObjectKey::from(key)]).now_or_never();
    }

    /// Puts an object behind the back of everybody.
    pub(crate) fn plant(&self, key: &str, bytes: &'static str) {
        let object = NewObject::from(Bytes::from_static(bytes.as_bytes()));
        let _ = self.bucket.put(&ObjectKey::from(key), object, PutCondition::Always).now_or_never();
    }
}
