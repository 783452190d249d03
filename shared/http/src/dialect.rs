//! The two dialects, as a value that the one set of handlers asks.

use wadi_protocol::{ReadForm, TypeMatch};

use crate::Lifecycle;

/// How a mount speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `/ds/{account}/{stream}`: JSON streams read as lines.
    Hosted,
    /// `/v1/stream/{path}`: the Durable Streams protocol as its clients speak it.
    Upstream,
}

impl Dialect {
    /// What the paths of the mount begin with.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Self::Hosted => "/ds/",
            Self::Upstream => "/v1/stream/",
        }
    }

    /// How the content type of a write is compared with the stream's.
    pub(crate) const fn type_match(self) -> TypeMatch {
        match self {
            Self::Hosted => TypeMatch::Exact,
            Self::Upstream => TypeMatch::MediaType,
        }
    }

    /// The form of JSON streams for a client that asks for neither.
    pub(crate) const fn json_form(self) -> ReadForm {
        match self {
            Self::Hosted => ReadForm::Stored,
            Self::Upstream => ReadForm::Array,
        }
    }

    /// Whether `PUT` and `DELETE` create and delete at the stream's URL.
    pub(crate) fn creates_and_deletes(self, lifecycle: Lifecycle) -> bool {
        match self {
            Self::Hosted => lifecycle == Lifecycle::Open,
            Self::Upstream => true,
        }
    }
}
