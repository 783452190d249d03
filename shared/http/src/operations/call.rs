//! A request on its way through an operation.

use std::sync::Arc;

use http::request::Parts;
use wadi_protocol::{Code, InvalidName, Refusal, Resource, StreamKey, parse_hosted, parse_upstream};

use crate::{dialect::Dialect, shell::Shell};

const INVALID_ACCOUNT: Refusal =
    Refusal::invalid(Code::InvalidBucketId, "The account must be 4 to 64 of a-z, 0-9, _ and -.");
const INVALID_NAME: Refusal = Refusal::invalid(
    Code::InvalidStreamId,
    "The stream's name is not allowed, is too long, or is badly percent-encoded.",
);
const NO_SUCH_ROUTE: Refusal = Refusal::invalid(Code::NotFound, "No such URL.");

/// A request at a stream's URL, or below it. Its body travels beside it.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) shell: Arc<Shell>,
    pub(crate) dialect: Dialect,
    pub(crate) parts: Parts,
    pub(crate) resource: Resource,
    key: Result<StreamKey, Refusal>,
}

impl Call {
    /// Takes the path apart as it was sent, before any percent-decoding: `%2F` is not a slash that
    /// parts segments, and an ending that is encoded is not an ending.
    pub(crate) fn new(shell: Arc<Shell>, dialect: Dialect, parts: Parts) -> Result<Self, Refusal> {
        let below = parts.uri.path().strip_prefix(dialect.prefix()).ok_or(NO_SUCH_ROUTE)?;
        let target = match dialect {
            Dialect::Hosted => parse_hosted(below).ok_or(NO_SUCH_ROUTE)?,
            Dialect::Upstream => parse_upstream(below),
        };
        let key = target.stream.map_err(|fault| match fault {
            InvalidName::Account => INVALID_ACCOUNT,
            InvalidName::Stream => INVALID_NAME,
        });
        Ok(Self { shell, dialect, parts, resource: target.resource, key })
    }

    /// The stream, or what is wrong with its name. Asked for only when the request itself has been
    /// found to be sound: its own faults come first.
    pub(crate) fn key(&self) -> Result<&StreamKey, Refusal> {
        self.key.as_ref().map_err(Clone::clone)
    }
}
