//! From HTTP to the typed requests of the rules: every header and parameter is checked here, once,
//! in the order in which its fault is answered.

mod accept;
mod accept_encoding;
mod bootstrap;
mod conditions;
mod create;
mod immutable;
mod producer;
mod quality;
mod query;
mod read;
mod rules;
mod snapshot;
mod want_digest;
mod write;

pub(crate) use accept_encoding::accepted_coding;
pub(crate) use bootstrap::bootstrap_incarnation;
pub(crate) use conditions::{delete_request, if_none_match, no_fork, no_if_match};
pub(crate) use create::{CreateHead, Creation};
pub(crate) use immutable::immutable;
pub(crate) use query::Live;
pub(crate) use read::{Read, incarnation};
pub(crate) use snapshot::{
    Publish, PublishHead, discard_request, immutable_snapshot_request, retention_request, snapshot_request,
    stage_request,
};
pub(crate) use want_digest::wants_sha_256;
pub(crate) use write::WriteHead;
