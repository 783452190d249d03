//! Why a request is refused.

use std::time::Duration;

use crate::{
    Code, ContentFault, EndTag, Epoch, Incarnation, Offset, PartsRefusal, ProducerSeq, SnapshotRefusal, StreamSeq,
    state::ClosedEpoch,
};

/// A request that applied nothing, or (only [`Refusal::OutcomeUnknown`] and [`PartsRefusal::InProgress`]) may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Malformed, before any stream was looked at: a code and a sentence for people.
    Invalid {
        /// The code.
        code: Code,
        /// What is wrong and what to do. Never holds input.
        message: &'static str,
    },
    /// The body is over the limit.
    TooLarge {
        /// The limit in bytes.
        bytes_max: u64,
    },
    /// No such stream. Constant, whichever name was asked for.
    StreamNotFound,
    /// Another life of the stream, or none.
    IncarnationMismatch {
        /// The current token; none when a create named one and nothing exists.
        current: Option<Incarnation>,
    },
    /// `If-Match` named another version.
    IfMatchFailed {
        /// The current one.
        current: EndTag,
    },
    /// The producer's rules refuse.
    Producer(ProducerRefusal),
    /// Closed for good.
    StreamClosed {
        /// The final offset.
        tail: Offset,
    },
    /// The body is no good.
    Content(ContentFault),
    /// Another content type than the stream's.
    ContentTypeMismatch {
        /// The tail.
        tail: Offset,
    },
    /// `Stream-Seq` is not above the last one.
    StreamSeqConflict {
        /// The last one accepted.
        last: StreamSeq,
        /// The tail.
        tail: Offset,
    },
    /// The largest offset is reached.
    StreamFull,
    /// A create of a stream that exists with other settings.
    StreamAlreadyExists,
    /// A create that must not find a stream found one.
    ExistsAlready,
    /// Before what the stream keeps.
    Gone {
        /// The earliest readable offset.
        retained: Offset,
        /// The stream's token.
        incarnation: Incarnation,
    },
    /// Beyond the tail.
    OffsetOutOfRange {
        /// The tail.
        tail: Offset,
        /// The stream's token.
        incarnation: Incarnation,
    },
    /// The array form was asked for from inside a message.
    NotJsonBoundary {
        /// The tail.
        tail: Offset,
    },
    /// The rules of snapshots and retention refuse.
    Snapshot(SnapshotRefusal),
    /// The rules of snapshots in parts refuse.
    Parts(PartsRefusal),
    /// The store cannot be reached or refuses; nothing was written.
    StoreUnavailable,
    /// The store failed its self-test; nothing was written.
    StoreUnfit {
        /// The failed probe, in words.
        probe: String,
    },
    /// The self-test of the store has not ended; nothing was written.
    StoreUntested,
    /// Too much at once; nothing was written.
    StreamBusy,
    /// Too many live reads are open.
    TooManyLiveReads,
    /// The write may have applied, or may still apply.
    OutcomeUnknown,
}

/// Why the producer rules refuse a keyed write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProducerRefusal {
    /// The epoch just replaced.
    EpochClosed {
        /// The producer's current epoch.
        current: Epoch,
        /// The epoch that was closed, and how far it got.
        closed: ClosedEpoch,
        /// What closed it.
        by: ClosedBy,
    },
    /// An older epoch, of which nothing more can be said.
    EpochStale {
        /// The producer's current epoch.
        current: Epoch,
    },
    /// The key holds another write.
    KeyConflict {
        /// The producer's current epoch.
        current: Epoch,
    },
    /// The stream forgot the epoch.
    Expired {
        /// The highest epoch forgotten.
        floor: Epoch,
    },
    /// The sequence skips ahead.
    SeqGap {
        /// What comes next.
        expected: ProducerSeq,
        /// What came.
        received: ProducerSeq,
    },
    /// A higher epoch that did not start at 0.
    EpochNotClaimed,
    /// The table of producers is full of active ones.
    TooMany,
}

/// What closed an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedBy {
    /// A claim of a higher one.
    Claim,
    /// A rewrite of the stream's history.
    History,
}

impl From<ProducerRefusal> for Refusal {
    fn from(refusal: ProducerRefusal) -> Self {
        Self::Producer(refusal)
    }
}

impl From<ContentFault> for Refusal {
    fn from(fault: ContentFault) -> Self {
        Self::Content(fault)
    }
}

impl Refusal {
    /// A malformed request.
    pub const fn invalid(code: Code, message: &'static str) -> Self {
        Self::Invalid { code, message }
    }

    /// The error code.
    pub fn code(&self) -> Code {
        match self {
            Self::Invalid { code, .. } => *code,
            Self::TooLarge { .. } => Code::RequestTooLarge,
            Self::StreamNotFound => Code::StreamNotFound,
            Self::IncarnationMismatch { .. } => Code::IncarnationMismatch,
            Self::IfMatchFailed { .. } => Code::IfMatchFailed,
            Self::Producer(refusal) => refusal.code(),
            Self::StreamClosed { .. } => Code::StreamClosed,
            Self::Content(fault) => content_code(fault),
            Self::ContentTypeMismatch { .. } => Code::ContentTypeMismatch,
            Self::StreamSeqConflict { .. } => Code::StreamSeqConflict,
            Self::StreamFull => Code::StreamFull,
            Self::StreamAlreadyExists => Code::StreamAlreadyExistsConflict,
            Self::ExistsAlready => Code::PreconditionFailed,
            Self::Gone { .. } => Code::StreamGone,
            Self::OffsetOutOfRange { .. } => Code::OffsetOutOfRange,
            Self::NotJsonBoundary { .. } => Code::NotJsonBoundary,
            Self::Snapshot(refusal) => refusal.code(),
            Self::Parts(refusal) => refusal.code(),
            Self::StoreUnavailable => Code::StoreUnavailable,
            Self::StoreUnfit { .. } | Self::StoreUntested => Code::StoreUnfit,
            Self::StreamBusy => Code::StreamBusy,
            Self::TooManyLiveReads => Code::LiveReadBackpressure,
            Self::OutcomeUnknown => Code::OutcomeUnknown,
        }
    }

    /// How long to wait before the request is worth sending again.
    pub fn retry_after(&self) -> Option<Duration> {
        self.code().is_temporary().then_some(Duration::from_secs(1))
    }

    /// What is wrong and what to do, for people.
    pub fn message(&self) -> String {
        match self {
            Self::Invalid { message, .. } => (*message).to_owned(),
            Self::TooLarge { bytes_max } => {
                format!(
                    "The body is over the limit of {bytes_max} bytes; send several appends, or a snapshot in parts."
                )
            }
            Self::Content(fault) => sentence(&fault.to_string()),
            Self::StoreUntested => {
                "The bucket has not passed its self-test yet; nothing was written, try again in a moment.".to_owned()
            }
            Self::StoreUnfit { probe } => format!("{} Failed probe: {probe}.", Code::StoreUnfit.meaning()),
            _ => self.code().meaning().to_owned(),
        }
    }
}

impl ProducerRefusal {
    fn code(self) -> Code {
        match self {
            Self::EpochClosed { .. } => Code::ProducerEpochClosed,
            Self::EpochStale { .. } => Code::ProducerEpochStale,
            Self::KeyConflict { .. } => Code::ProducerKeyConflict,
            Self::Expired { .. } => Code::ProducerExpired,
            Self::SeqGap { .. } => Code::ProducerSeqConflict,
            Self::EpochNotClaimed => Code::InvalidProducer,
            Self::TooMany => Code::ProducerLimit,
        }
    }
}

fn content_code(fault: &ContentFault) -> Code {
    match fault {
        ContentFault::DigestMismatch => Code::ProducerDigestMismatch,
        ContentFault::MissingContentType => Code::MissingContentType,
        ContentFault::InvalidContentType => Code::InvalidHeader,
        ContentFault::InvalidJson(_) | ContentFault::NoMessages => Code::InvalidRecordBoundaries,
        ContentFault::EmptyAppend => Code::EmptyAppend,
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(['.']).collect()
}
