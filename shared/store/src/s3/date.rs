//! The `Date` header of an answer, which the SDK does not hand out by itself.

use std::sync::{Arc, Mutex, PoisonError};

use aws_sdk_s3::{
    config::{ConfigBag, Intercept, RuntimeComponents, interceptors::BeforeDeserializationInterceptorContextRef},
    error::BoxError,
    primitives::{DateTime, DateTimeFormat},
};
use wadi_protocol::Timestamp;

use crate::StoreError;

/// Notes the date of the newest answer to one request, whether it is a success or an error.
#[derive(Clone, Debug, Default)]
pub(super) struct AnswerDate(Arc<Mutex<Option<Timestamp>>>);

impl AnswerDate {
    /// The date; without one an answer is of no use, since nothing tells how old it is.
    pub(super) fn get(&self) -> Result<Timestamp, StoreError> {
        let date = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        date.ok_or_else(|| StoreError::Unavailable {
            reason: "its answer has no Date header (is a proxy in between that strips it?)".to_owned(),
        })
    }
}

impl Intercept for AnswerDate {
    fn name(&self) -> &'static str {
        "AnswerDate"
    }

    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let date = context.response().headers().get("date").and_then(parse);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = date;
        Ok(())
    }
}

/// An instant of HTTP, such as `Mon, 30 Nov 2026 00:00:00 GMT`.
fn parse(text: &str) -> Option<Timestamp> {
    DateTime::from_str(text, DateTimeFormat::HttpDate).ok().map(|date| timestamp(&date))
}

/// The SDK's instant as ours; one before 1970 is none that a store would give, and becomes 1970.
pub(super) fn timestamp(date: &DateTime) -> Timestamp {
    let millis = date.to_millis().ok().and_then(|millis| u64::try_from(millis).ok());
    Timestamp::from_millis(millis.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_http_are_read() {
        assert_eq!(parse("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Timestamp::from_millis(784_111_777_000)));
        assert_eq!(parse("Thu, 01 Jan 1970 00:00:00 GMT"), Some(Timestamp::EPOCH));
        for text in ["", "yesterday", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
