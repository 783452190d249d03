//! A read.

use http::{HeaderMap, request::Parts};
use wadi_protocol::{Incarnation, ReadFrom, ReadRequest, Refusal};

use super::{
    accept::json_form,
    conditions::{if_none_match, no_if_match},
    query::{Live, ReadQuery},
    rules::STREAM_INCARNATION,
};
use crate::dialect::Dialect;

/// A read, and how it waits.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// What to read.
    pub(crate) request: ReadRequest,
    /// How to wait for more; `None` answers with what is there.
    pub(crate) live: Option<Live>,
}

impl Read {
    /// Checks a read in the order of its faults: the query's form, conditions that are not supported,
    /// the incarnation, `consistency`, and the offset.
    pub(crate) fn parse(parts: &Parts, dialect: Dialect) -> Result<Self, Refusal> {
        let query = ReadQuery::parse(parts.uri.query().unwrap_or_default())?;
        no_if_match(&parts.headers)?;
        let incarnation = incarnation(&parts.headers)?;
        query.check_consistency()?;
        let from = query.from()?;
        // What is at the tail now has no tag: the same request will soon mean another place.
        let if_none_match = if from == ReadFrom::Now { None } else { if_none_match(&parts.headers) };
        let form = json_form(&parts.headers, dialect.json_form());
        let request = ReadRequest { from, bytes_max: query.bytes_max(), form, incarnation, if_none_match };
        Ok(Self { request, live: query.live() })
    }
}

/// `Stream-Incarnation`: the life of the stream that the request is about.
pub(crate) fn incarnation(headers: &HeaderMap) -> Result<Option<Incarnation>, Refusal> {
    STREAM_INCARNATION.parse(headers, Incarnation::parse)
}
