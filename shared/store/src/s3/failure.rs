//! What a failure of the SDK proves about the request.

use std::error::Error;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_s3::{
    config::http::HttpResponse,
    error::{ProvideErrorMetadata, SdkError},
};

use crate::StoreError;

/// What to do without credentials.
const SET_CREDENTIALS: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine a \
                               role; a server that asks for none takes any";

/// The status of the answer, where there was one that could be read.
pub(super) fn status<E>(error: &SdkError<E, HttpResponse>) -> Option<u16> {
    match error {
        SdkError::ServiceError(answer) => Some(answer.raw().status().as_u16()),
        _ => None,
    }
}

/// What is known after a failure.
pub(super) fn classify<E>(error: &SdkError<E, HttpResponse>) -> StoreError
where
    E: ProvideErrorMetadata + Error + 'static,
{
    match (status(error), error) {
        (Some(status), _) => answered(status, error.code(), error.message()),
        (None, SdkError::ConstructionFailure(_)) => {
            StoreError::NotSent { reason: never_sent(error).unwrap_or_else(|| chain(error)) }
        }
        (None, SdkError::DispatchFailure(_)) => match never_sent(error) {
            Some(reason) => StoreError::NotSent { reason },
            None => StoreError::Unavailable { reason: chain(error) },
        },
        (None, _) => StoreError::Unavailable { reason: chain(error) },
    }
}

fn answered(status: u16, code: Option<&str>, message: Option<&str>) -> StoreError {
    let code = code.unwrap_or("no code").to_owned();
    let message = message.unwrap_or("no message").to_owned();
    if refuses(status, &code) {
        StoreError::Rejected { status, code, message }
    } else {
        StoreError::Unavailable { reason: format!("it answered {status} {code}: {message}") }
    }
}

/// True for an answer that stays the same however often it is asked for.
fn refuses(status: u16, code: &str) -> bool {
    match status {
        // A body that came too slowly, and too many requests: both pass.
        408 | 429 => false,
        400 => code != "RequestTimeout",
        // A redirect to another region; a feature that the server does not have.
        300..=499 | 501 => true,
        _ => false,
    }
}

/// Why nothing was sent and what to do, if it is certain that nothing was: without a connection, or without
/// credentials, which are needed before.
fn never_sent(error: &(dyn Error + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(client) = cause.downcast_ref::<hyper_util::client::legacy::Error>() {
            let advice = "check that it runs and that its endpoint is right";
            return client.is_connect().then(|| format!("no connection: {}; {advice}", chain(error)));
        }
        if cause.is::<CredentialsError>() {
            return Some(format!("no credentials: {}; {SET_CREDENTIALS}", chain(error)));
        }
        next = cause.source();
    }
    None
}

/// The error and what caused it, in words.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_prove_what_they_prove() {
        let proves = |status, code| answered(status, Some(code), None).proves_nothing_written();
        for (status, code) in
            [(403, "AccessDenied"), (400, "InvalidArgument"), (301, "PermanentRedirect"), (501, "NotImplemented")]
        {
            assert!(proves(status, code), "{status} {code}");
        }
        for (status, code) in
            [(500, "InternalError"), (503, "SlowDown"), (429, "x"), (408, "x"), (400, "RequestTimeout")]
        {
            assert!(!proves(status, code), "{status} {code}");
        }
    }
}
