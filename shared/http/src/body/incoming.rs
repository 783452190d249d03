//! The body of one request.

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::timeout;
use wadi_protocol::{Code, Refusal};

use super::Drains;
use crate::limits::{BODY_READ_MAX, BODY_STALL_MAX};

const UNREADABLE: Refusal = Refusal::invalid(
    Code::BodyUnreadable,
    "The body broke off, or stopped coming, before its end; nothing was applied. Send the request again.",
);

/// A request's body. What of it is unread when this is dropped is drained, so that an answer given
/// early can be read by the client.
///
/// Nothing is drained of a body that the client holds back until it is asked for
/// (`Expect: 100-continue`) and that nobody asked for.
#[derive(Debug)]
pub(crate) struct Incoming {
    body: Option<Body>,
    declared: Option<u64>,
    held_back: bool,
    drains: Drains,
}

impl Incoming {
    pub(crate) fn new(body: Body, headers: &HeaderMap, drains: Drains) -> Self {
        let declared = body.size_hint().exact().or_else(|| declared_bytes(headers));
        let held_back = expects_continue(headers);
        Self { body: Some(body), declared, held_back, drains }
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
    pub(crate) async fn read(mut self, bytes_max: u64) -> Result<Bytes, Refusal> {
        let Some(mut body) = self.body.take() else { return Ok(Bytes::new()) };
        self.held_back = false;
        match timeout(BODY_READ_MAX, collect(&mut body, bytes_max)).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(Stop::TooLarge)) => {
                self.body = Some(body);
                Err(Refusal::TooLarge { bytes_max })
            }
            Ok(Err(Stop::Broken)) | Err(_) => Err(UNREADABLE),
        }
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        let unread = self.body.take().filter(|body| !self.held_back && !body.is_end_stream());
        if let Some(body) = unread {
            self.drains.start(body);
        }
    }
}

/// Why a body was not read to its end.
enum Stop {
    TooLarge,
    Broken,
}

async fn collect(body: &mut Body, bytes_max: u64) -> Result<Bytes, Stop> {
    let mut first = Bytes::new();
    // One buffer, not a list of pieces: a client decides how small the pieces are.
    let mut whole = BytesMut::new();
    while let Some(frame) = timeout(BODY_STALL_MAX, body.frame()).await.map_err(|_| Stop::Broken)? {
        let Ok(data) = frame.map_err(|_| Stop::Broken)?.into_data() else { continue };
        if (first.len() + whole.len() + data.len()) as u64 > bytes_max {
            return Err(Stop::TooLarge);
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

fn expects_continue(headers: &HeaderMap) -> bool {
    headers.get(header::EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}
