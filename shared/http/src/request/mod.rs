//! From HTTP to the typed requests of the rules: every header and parameter is checked here, once,
//! in the order in which its fault is answered.

mod accept;
mod conditions;
mod create;
mod producer;
mod query;
mod read;
mod rules;
mod write;

pub(crate) use conditions::{delete_request, if_none_match, no_fork, no_if_match};
pub(crate) use create::{CreateHead, Creation};
pub(crate) use query::Live;
pub(crate) use read::{Read, incarnation};
pub(crate) use write::WriteHead;
