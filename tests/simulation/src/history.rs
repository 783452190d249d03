//! Every call of every client: when it was made, what it asked, when it returned and with what.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use wadi_protocol::{
    CreateRequest, DeleteRequest, Incarnation, Offset, Payload, PublishRequest, Published, ReadRequest, Refusal,
    Retained, RetentionRequest, SnapshotRequest, StreamDescription, WriteOutcome, WriteRequest, decide::SnapshotPlan,
    state::Snapshot,
};
use wadi_stream::{Created, ReadAnswer};

use crate::trace::{At, Instant};

/// What a client asks of an engine.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    Create(CreateRequest),
    Write(WriteRequest),
    Delete(DeleteRequest),
    Head(Option<Incarnation>),
    Read(ReadRequest),
    /// The next step of a tail, from where it stands.
    Follow(Place),
    /// With the body of the snapshot.
    Publish(PublishRequest, Bytes),
    /// `with_body`: it is read, and not only asked for what it is.
    Snapshot {
        request: SnapshotRequest,
        with_body: bool,
    },
    Retain(RetentionRequest),
    Bootstrap(BootstrapRequest),
}

/// What a client asks of a bootstrap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BootstrapRequest {
    pub(crate) incarnation: Option<Incarnation>,
    pub(crate) bytes_max: u64,
    pub(crate) with_body: bool,
}

/// A snapshot as it was read, to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SnapshotRead {
    pub(crate) incarnation: Incarnation,
    pub(crate) plan: SnapshotPlan,
    /// None where it was not asked for, or the client has it.
    pub(crate) body: Option<Bytes>,
}

/// A bootstrap as it was read, to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BootstrapRead {
    pub(crate) stream: StreamDescription,
    pub(crate) snapshot: Option<Snapshot>,
    pub(crate) next: Offset,
    /// The bytes of the snapshot, and those of the stream after it.
    pub(crate) bytes: (Bytes, Bytes),
}

/// Where a tail stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) incarnation: Incarnation,
    pub(crate) next: Offset,
}

impl Ask {
    /// The bytes it would add.
    pub(crate) fn body(&self) -> Option<&Bytes> {
        match self {
            Self::Create(request) => Some(&request.text).filter(|text| !text.is_empty()),
            Self::Write(request) => match &request.content {
                Ok(Payload::Bytes { text, .. }) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What a client hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Created(Result<Created, Refusal>),
    Written(Result<WriteOutcome, Refusal>),
    Deleted(Result<(), Refusal>),
    Described(Result<StreamDescription, Refusal>),
    Page(Result<ReadAnswer, Refusal>),
    Published(Result<Published, Refusal>),
    Snapshot(Result<SnapshotRead, Refusal>),
    Retained(Result<Retained, Refusal>),
    Bootstrap(Result<Box<BootstrapRead>, Refusal>),
    /// A tail has nothing to say in the time given.
    Idle(StreamDescription),
    /// A tail has said everything.
    Closed(StreamDescription),
    /// Nothing: the instance died, or the client lost its patience.
    Lost,
}

/// What an answer proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// The request may have applied, or may still.
    Unknown,
    /// It did not apply and never will; nothing else is said.
    Void,
    /// It says what is, and what the request did.
    Definite,
}

impl Answer {
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Created(Err(refusal))
            | Self::Written(Err(refusal))
            | Self::Deleted(Err(refusal))
            | Self::Described(Err(refusal))
            | Self::Page(Err(refusal))
            | Self::Published(Err(refusal))
            | Self::Snapshot(Err(refusal))
            | Self::Retained(Err(refusal))
            | Self::Bootstrap(Err(refusal)) => Some(refusal),
            _ => None,
        }
    }

    pub(crate) fn certainty(&self) -> Certainty {
        match self.refusal() {
            _ if *self == Self::Lost => Certainty::Unknown,
            Some(Refusal::OutcomeUnknown) => Certainty::Unknown,
            Some(Refusal::StoreUnavailable | Refusal::StoreUnfit { .. } | Refusal::StreamBusy) => Certainty::Void,
            _ => Certainty::Definite,
        }
    }
}

/// One call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) number: usize,
    pub(crate) client: Arc<str>,
    pub(crate) instance: Arc<str>,
    /// The stream's key text.
    pub(crate) stream: Arc<str>,
    pub(crate) ask: Ask,
    pub(crate) invoked: Instant,
    pub(crate) returned: Option<Instant>,
    /// [`Answer::Lost`] until it returns.
    pub(crate) answer: Answer,
}

impl Call {
    /// The event after which it can have no effect on what its client knows.
    pub(crate) fn end(&self) -> u64 {
        self.returned.map_or(u64::MAX, |(tick, _)| tick)
    }
}

/// All calls.
#[derive(Debug, Default)]
pub(crate) struct History {
    pub(crate) calls: Vec<Call>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} call {} of {} at {} on {}: ",
            At(self.invoked),
            self.number,
            self.client,
            self.instance,
            self.stream
        )?;
        write!(f, "{}", brief(&format!("{:?}", self.ask)))?;
        match self.returned {
            Some(returned) => write!(f, " -> {} {}", brief(&format!("{:?}", self.answer)), At(returned)),
            None => write!(f, " -> nothing"),
        }
    }
}

/// Text that fits on a line.
pub(crate) fn brief(text: &str) -> String {
    const CHARS: usize = 600;
    if text.len() <= CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(CHARS).collect();
    format!("{head}... ({} bytes)", text.len())
}
