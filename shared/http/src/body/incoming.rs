//! The body of one request, read up to a limit.

use axum::body::{Body, HttpBody};
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use tokio::time::timeout;
use wadi_protocol::{Code, Refusal};

use crate::limits::{BODY_READ_MAX, BODY_STALL_MAX};

const UNREADABLE: Refusal = Refusal::invalid(
    Code::BodyUnreadable,
    "The body broke off, or stopped coming, before its end; nothing was applied. Send the request again.",
);

/// A request's body, and what its head says of it.
#[derive(Debug)]
pub(crate) struct Incoming {
    body: Body,
    declared: Option<u64>,
}

impl Incoming {
    pub(crate) fn new(body: Body, headers: &HeaderMap) -> Self {
        let declared = body.size_hint().exact().or_else(|| declared_bytes(headers));
        Self { body, declared }
    }

    /// Refuses a body that is declared longer than `bytes_max`.
    pub(crate) fn check_declared(&self, bytes_max: u64) -> Result<(), Refusal> {
        match self.declared {
            Some(declared) if declared > bytes_max => Err(Refusal::TooLarge { bytes_max }),
            _ => Ok(()),
        }
    }

    /// Most bytes it can turn out to have, when no more than `bytes_max` are read.
    pub(crate) fn bytes_at_most(&self, bytes_max: u64) -> u64 {
        self.declared.map_or(bytes_max, |declared| declared.min(bytes_max))
    }

    /// Reads the body whole.
    pub(crate) async fn read(self, bytes_max: u64) -> Result<Bytes, Refusal> {
        timeout(BODY_READ_MAX, collect(self.body, bytes_max)).await.unwrap_or(Err(UNREADABLE))
    }
}

async fn collect(mut body: Body, bytes_max: u64) -> Result<Bytes, Refusal> {
    let mut first = Bytes::new();
    // One buffer, not a list of pieces: a client decides how small the pieces are.
    let mut whole = BytesMut::new();
    while let Some(frame) = timeout(BODY_STALL_MAX, body.frame()).await.map_err(|_| UNREADABLE)? {
        let Ok(data) = frame.map_err(|_| UNREADABLE)?.into_data() else { continue };
        if (first.len() + whole.len() + data.len()) as u64 > bytes_max {
            return Err(Refusal::TooLarge { bytes_max });
        }
        if first.is_empty() && whole.is_empty() {
            first = data;
        } else {
            whole.extend_from_slice(&std::mem::take(&mut first));
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() { first } else { whole.freeze() })
}

fn declared_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
