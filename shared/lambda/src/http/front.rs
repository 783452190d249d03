//! The service behind events.

use std::fmt;

use lambda_runtime::StreamResponse;
use tower::ServiceExt;
use wadi_http::{Router, refuse};

use super::{
    answer::{AnswerBody, Broken, answer},
    event::HttpEvent,
    request::request,
    secret::OriginSecrets,
};

/// Answers events by the service's router. Cheap to clone.
#[derive(Clone)]
pub struct Front {
    router: Router,
    secrets: Option<OriginSecrets>,
    broken: Broken,
}

impl fmt::Debug for Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Front").field("secrets", &self.secrets).finish_non_exhaustive()
    }
}

impl Front {
    /// A front of `router`. With `secrets`, only for requests that bring one of them.
    pub fn new(router: Router, secrets: Option<OriginSecrets>, broken: Broken) -> Self {
        Self { router, secrets, broken }
    }

    /// The answer to the request that an event stands for.
    pub async fn answer(&self, event: HttpEvent) -> StreamResponse<AnswerBody> {
        let response = match request(event, self.secrets.as_ref()) {
            Ok(request) => match self.router.clone().oneshot(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            },
            Err(refusal) => refuse(&refusal),
        };
        answer(response, self.broken.clone())
    }
}
