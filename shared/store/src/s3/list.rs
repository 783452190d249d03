//! Listing keys.

use aws_sdk_s3::types::{EncodingType, Object};

use super::{
    S3Store,
    date::{AnswerDate, timestamp},
    failure::classify,
    keys::unescape,
};
use crate::{ListRequest, ListedObject, Listing, StoreError, rules};

impl S3Store {
    pub(super) async fn list_objects(&self, request: ListRequest) -> Result<Listing, StoreError> {
        rules::check_list(&request)?;
        let date = AnswerDate::default();
        let start_after = request.start_after.map(|key| self.prefix.before(key.as_str()));
        let call = self
            .clients
            .repeating
            .list_objects_v2()
            .bucket(&self.bucket)
            .prefix(self.prefix.before(&request.prefix))
            .set_start_after(start_after)
            .max_keys(i32::try_from(request.limit).unwrap_or(i32::MAX))
            .encoding_type(EncodingType::Url);
        let page = call.customize().interceptor(date.clone()).send().await.map_err(|error| classify(&error))?;
        // A server that does not know the escaping does not say that it escaped.
        let escaped = page.encoding_type() == Some(&EncodingType::Url);
        let objects = page.contents().iter().filter_map(|object| self.listed(object, escaped)).collect();
        Ok(Listing { objects, more: page.is_truncated().unwrap_or(false), date: date.get()? })
    }

    fn listed(&self, object: &Object, escaped: bool) -> Option<ListedObject> {
        let key = object.key()?;
        let key = if escaped { self.prefix.remove(&unescape(key))? } else { self.prefix.remove(key)? };
        Some(ListedObject {
            key,
            size: object.size().and_then(|size| u64::try_from(size).ok()).unwrap_or_default(),
            last_modified: object.last_modified().map(timestamp).unwrap_or_default(),
        })
    }
}
