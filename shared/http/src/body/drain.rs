//! Draining: reading and throwing away what a client still sends after its answer was given.
//!
//! Without it the connection would be closed with bytes unread, the client's system would report
//! a reset, and many clients would never see the answer.

use std::sync::Arc;

use axum::body::Body;
use http_body_util::BodyExt;
use tokio::{runtime::Handle, sync::Semaphore, time::timeout};

use crate::limits::{DRAIN_BYTES_MAX, DRAIN_MAX, DRAIN_STALL_MAX, DRAINS_MAX};

/// Drains bodies in the background, a bounded number at once.
#[derive(Clone, Debug)]
pub(crate) struct Drains(Arc<Semaphore>);

impl Drains {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(DRAINS_MAX)))
    }

    /// Drains a body, without waiting for it. With too many under way, or at the end of the
    /// process, the body is cut off instead.
    pub(crate) fn start(&self, body: Body) {
        let (Ok(permit), Ok(runtime)) = (Arc::clone(&self.0).try_acquire_owned(), Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            let whole = timeout(DRAIN_MAX, drain(body)).await;
            tracing::debug!(whole = whole == Ok(true), "drained a body that was not needed");
            drop(permit);
        });
    }
}

/// True when the body came to its end.
async fn drain(mut body: Body) -> bool {
    let mut drained = 0;
    while drained <= DRAIN_BYTES_MAX {
        match timeout(DRAIN_STALL_MAX, body.frame()).await {
            Ok(Some(Ok(frame))) => drained += frame.data_ref().map_or(0, |data| data.len() as u64),
            Ok(None) => return true,
            Ok(Some(Err(_))) | Err(_) => return false,
        }
    }
    false
}
