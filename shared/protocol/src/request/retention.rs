//! Retention: letting go of a stream's beginning.

use crate::{Incarnation, Offset};

/// A request to serve a stream from an offset on only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionRequest {
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
    /// The earliest offset to keep.
    pub offset: Offset,
}
