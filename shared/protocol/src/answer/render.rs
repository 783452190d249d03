//! From results to status and headers: the one table that every entry point renders.

use super::{
    Code, KeyedAnswer, KeyedReceipt, ProducerRefusal, Refusal, StreamDescription, WriteOutcome, headers::name,
    refusal::ClosedBy,
};
use crate::{EndTag, Incarnation, Lifetime, Offset, state::ClosedEpoch};

/// Status and protocol headers of an answer. Headers that every answer has are added by the shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Header names and values.
    pub headers: Vec<(&'static str, String)>,
    /// Code and message of an error, for its body.
    pub error: Option<(Code, String)>,
}

impl Answer {
    /// An answer without headers.
    pub fn new(status: u16) -> Self {
        Self { status, headers: Vec::new(), error: None }
    }

    /// Adds a header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl std::fmt::Display) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    /// Adds a header that is `true` or absent.
    #[must_use]
    pub fn flag(self, name: &'static str, set: bool) -> Self {
        if set { self.with(name, "true") } else { self }
    }

    fn tag(self, incarnation: Incarnation, end: Offset, closed: bool) -> Self {
        self.with(name::ETAG, EndTag { incarnation, end, closed })
    }

    fn keyed(self, answer: &KeyedAnswer) -> Self {
        self.with(name::PRODUCER_EPOCH, answer.epoch)
            .with(name::PRODUCER_SEQ, answer.highest_seq)
            .closed_epoch(answer.closed_epoch)
            .with(name::STREAM_INCARNATION, answer.incarnation)
    }

    fn receipt(self, receipt: &KeyedReceipt) -> Self {
        self.keyed(&receipt.answer)
            .with(name::STREAM_OFFSET, receipt.start)
            .with(name::STREAM_NEXT_OFFSET, receipt.end)
            .flag(name::STREAM_CLOSED, receipt.closed)
            .tag(receipt.answer.incarnation, receipt.end, receipt.closed)
    }

    fn closed_epoch(self, closed: Option<ClosedEpoch>) -> Self {
        match closed {
            Some(ClosedEpoch { epoch, last_seq }) => {
                self.with(name::PRODUCER_CLOSED_EPOCH, epoch).with(name::PRODUCER_CLOSED_SEQ, last_seq)
            }
            None => self,
        }
    }

    fn producer_refusal(self, refusal: &ProducerRefusal) -> Self {
        match *refusal {
            ProducerRefusal::EpochClosed { current, closed, by } => {
                let outcome = match by {
                    ClosedBy::Claim => "epoch-closed;by=claim",
                    ClosedBy::History => "epoch-closed;by=history",
                };
                self.with(name::PRODUCER_EPOCH, current)
                    .with(name::PRODUCER_OUTCOME, outcome)
                    .closed_epoch(Some(closed))
            }
            ProducerRefusal::EpochStale { current } => {
                self.with(name::PRODUCER_EPOCH, current).with(name::PRODUCER_OUTCOME, "stale-epoch")
            }
            ProducerRefusal::KeyConflict { current } => {
                self.with(name::PRODUCER_EPOCH, current).with(name::PRODUCER_OUTCOME, "key-conflict")
            }
            ProducerRefusal::Expired { floor } => {
                self.with(name::PRODUCER_EPOCH, floor).with(name::PRODUCER_OUTCOME, "producer-expired")
            }
            ProducerRefusal::SeqGap { expected, received } => {
                self.with(name::PRODUCER_EXPECTED_SEQ, expected).with(name::PRODUCER_RECEIVED_SEQ, received)
            }
            ProducerRefusal::EpochNotClaimed => self.with(name::PRODUCER_EXPECTED_SEQ, 0),
            ProducerRefusal::TooMany => self,
        }
    }
}

impl From<&WriteOutcome> for Answer {
    fn from(outcome: &WriteOutcome) -> Self {
        match outcome {
            WriteOutcome::Appended { incarnation, end, closed } => Self::new(204)
                .with(name::STREAM_INCARNATION, incarnation)
                .with(name::STREAM_NEXT_OFFSET, end)
                .flag(name::STREAM_CLOSED, *closed)
                .tag(*incarnation, *end, *closed),
            WriteOutcome::Closed { incarnation, tail } => Self::new(204)
                .with(name::STREAM_NEXT_OFFSET, tail)
                .with(name::STREAM_INCARNATION, incarnation)
                .flag(name::STREAM_CLOSED, true)
                .tag(*incarnation, *tail, true),
            WriteOutcome::Applied(receipt) => Self::new(200).receipt(receipt),
            WriteOutcome::KeyedClosed(receipt) | WriteOutcome::Repeat(receipt) => Self::new(204).receipt(receipt),
            WriteOutcome::RepeatEvicted(answer) => {
                Self::new(204).keyed(answer).with(name::PRODUCER_OUTCOME, "receipt-evicted")
            }
        }
    }
}

impl From<&Refusal> for Answer {
    fn from(refusal: &Refusal) -> Self {
        let code = refusal.code();
        let mut answer = Self::new(code.status());
        answer.error = Some((code, refusal.message()));
        if let Some(after) = refusal.retry_after() {
            answer = answer.with(name::RETRY_AFTER, after.as_secs());
        }
        match refusal {
            Refusal::TooLarge { bytes_max } => answer.with(name::MAX_REQUEST_BYTES, bytes_max),
            Refusal::IncarnationMismatch { current: Some(current) } => answer.with(name::STREAM_INCARNATION, current),
            Refusal::IfMatchFailed { current } => {
                answer.with(name::ETAG, current).with(name::STREAM_NEXT_OFFSET, current.end)
            }
            Refusal::Producer(refusal) => answer.producer_refusal(refusal),
            Refusal::StreamClosed { tail } => {
                answer.flag(name::STREAM_CLOSED, true).with(name::STREAM_NEXT_OFFSET, tail)
            }
            Refusal::ContentTypeMismatch { tail } | Refusal::NotJsonBoundary { tail } => {
                answer.with(name::STREAM_NEXT_OFFSET, tail)
            }
            Refusal::Snapshot(refusal) => answer.snapshot_refusal(*refusal),
            Refusal::Parts(refusal) => answer.parts_refusal(*refusal),
            Refusal::StreamSeqConflict { last, tail } => {
                answer.with(name::STREAM_LAST_SEQ, last).with(name::STREAM_NEXT_OFFSET, tail)
            }
            Refusal::Gone { retained: at, incarnation } | Refusal::OffsetOutOfRange { tail: at, incarnation } => {
                answer.with(name::STREAM_NEXT_OFFSET, at).with(name::STREAM_INCARNATION, incarnation)
            }
            _ => answer,
        }
    }
}

/// The headers that say what a stream is: on a create, and on HEAD.
pub fn describe(status: u16, stream: &StreamDescription) -> Answer {
    let answer = Answer::new(status)
        .with(name::CONTENT_TYPE, stream.content_type.as_str())
        .with(name::STREAM_NEXT_OFFSET, stream.tail)
        .with(name::STREAM_INCARNATION, stream.incarnation)
        .flag(name::STREAM_CLOSED, stream.closed)
        .tag(stream.incarnation, stream.tail, stream.closed);
    match stream.lifetime {
        Lifetime::Forever => answer,
        Lifetime::Ttl { seconds } => answer.with(name::STREAM_TTL, seconds),
        Lifetime::Until(at) => answer.with(name::STREAM_EXPIRES_AT, at.rfc3339()),
    }
}
