//! A process that is gone after some requests.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use wadi_store::{After, Before, FaultHook, Request, StoreError};

/// Lets the first `requests` of a process through, and no other. The last of them may be one that
/// is applied and never answered.
#[derive(Debug)]
pub struct Crash {
    requests: u64,
    loses_last_answer: bool,
    sent: AtomicU64,
}

impl Crash {
    pub fn after(requests: u64, loses_last_answer: bool) -> Self {
        Self { requests, loses_last_answer, sent: AtomicU64::new(0) }
    }
}

#[async_trait]
impl FaultHook for Crash {
    async fn before(&self, _request: &Request<'_>) -> Before {
        if self.sent.fetch_add(1, Ordering::Relaxed) < self.requests {
            return Before::Proceed;
        }
        Before::Fail(StoreError::NotSent { reason: "the process is gone".to_owned() })
    }

    async fn after(&self, request: &Request<'_>, _applied: bool) -> After {
        if self.loses_last_answer && request.number + 1 == self.requests { After::LoseAnswer } else { After::Deliver }
    }
}
