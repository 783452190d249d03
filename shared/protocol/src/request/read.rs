//! A read.

use crate::{IfNoneMatch, Incarnation, ReadFrom};

/// A request to read bytes of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// `offset`.
    pub from: ReadFrom,
    /// Most bytes to return, already bounded by [`crate::limits::READ_BYTES_MAX`].
    pub bytes_max: u64,
    /// Which cut the answer's form needs.
    pub form: ReadForm,
    /// `Stream-Incarnation`.
    pub incarnation: Option<Incarnation>,
    /// `If-None-Match`.
    pub if_none_match: Option<IfNoneMatch>,
}

/// The form in which bytes are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadForm {
    /// As stored: JSON streams one message a line. May be cut anywhere.
    Stored,
    /// On JSON streams one array of whole messages; on other streams as stored.
    Array,
}
