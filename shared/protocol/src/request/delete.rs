//! A delete.

use crate::{IfMatch, Incarnation};

/// A request to delete a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteRequest {
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
    /// `If-Match`.
    pub if_match: Option<IfMatch>,
}
