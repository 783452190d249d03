//! Short constructors, so that a row of a table fits on a line.

#![allow(clippy::unwrap_used, reason = "the texts of a table are well formed")]

use std::time::Duration;

use bytes::Bytes;

use super::{Decision, Moment, decide_write};
use crate::{
    ContentFault, ContentType, CreateRequest, Digest, Epoch, Genesis, IfMatch, Incarnation, KeyedAnswer, KeyedReceipt,
    Lifetime, Offset, Operation, Payload, ProducerId, ProducerKey, ProducerSeq, PublishRequest, Refusal, StreamSeq,
    StreamState, Timestamp, TypeMatch, WriteOutcome, WriteRequest,
    state::{ClosedEpoch, Opened, ProducerRecord, Receipt, Snapshot, SnapshotName},
};

pub(crate) const SECOND_MS: u64 = 1000;
pub(crate) const HOUR_MS: u64 = 60 * 60 * SECOND_MS;
pub(crate) const WEEK_MS: u64 = 7 * 24 * HOUR_MS;

/// The token of every stream of the tables, as text.
pub(crate) const TOKEN: &str = "4503599627370497";

pub(crate) const fn token() -> Incarnation {
    Incarnation::from_random(1)
}

pub(crate) const fn other_token() -> Incarnation {
    Incarnation::from_random(2)
}

pub(crate) const fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// An instant of a clock without coarseness.
pub(crate) const fn moment(millis: u64) -> Moment {
    Moment { now: at(millis), resolution: Duration::ZERO }
}

pub(crate) const fn offset(bytes: u64) -> Offset {
    Offset::new(bytes)
}

pub(crate) fn epoch(number: u64) -> Epoch {
    Epoch::new(number).unwrap()
}

pub(crate) fn seq(number: u64) -> ProducerSeq {
    ProducerSeq::new(number).unwrap()
}

pub(crate) fn id(text: &str) -> ProducerId {
    ProducerId::parse(text).unwrap()
}

pub(crate) fn ids(texts: &[&str]) -> Vec<ProducerId> {
    texts.iter().map(|text| id(text)).collect()
}

pub(crate) fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

pub(crate) fn content_type(text: &str) -> ContentType {
    ContentType::parse(text).unwrap()
}

pub(crate) fn stream_seq(text: &str) -> StreamSeq {
    StreamSeq::parse(text).unwrap().unwrap()
}

pub(crate) const fn ttl(seconds: u64) -> Lifetime {
    Lifetime::Ttl { seconds }
}

/// `epoch/seq`.
pub(crate) fn closed_epoch(text: &str) -> ClosedEpoch {
    let (of, last_seq) = text.split_once('/').unwrap();
    ClosedEpoch { epoch: Epoch::parse(of).unwrap(), last_seq: ProducerSeq::parse(last_seq).unwrap() }
}

/// `id/epoch/seq`, or `id/epoch/seq#text` with the digest of that text.
pub(crate) fn key(text: &str) -> ProducerKey {
    let (text, hashed) = text.split_once('#').map_or((text, None), |(text, hashed)| (text, Some(digest(hashed))));
    let (who, number) = text.split_once('/').unwrap();
    let ClosedEpoch { epoch, last_seq } = closed_epoch(number);
    ProducerKey { id: id(who), epoch, seq: last_seq, digest: hashed }
}

/// A body that was sent with its type, prepared as an append is.
pub(crate) fn body(typed: &str, text: &str) -> Result<Payload, ContentFault> {
    Payload::of_append(Some(typed), None, Bytes::copy_from_slice(text.as_bytes()))
}

/// The record of a producer at `epoch/last_seq`, opened above the floor and last seen at 0.
pub(crate) fn record(text: &str) -> ProducerRecord {
    let ClosedEpoch { epoch, last_seq } = closed_epoch(text);
    ProducerRecord {
        epoch,
        last_seq,
        claim_digest: None,
        newest: Receipt { start: offset(0), end: offset(0), closed: false, digest: None },
        closed_epoch: None,
        opened: Opened::Above,
        history: 0,
        last_seen: at(0),
    }
}

impl ProducerRecord {
    pub(crate) fn below(self) -> Self {
        Self { opened: Opened::Below, ..self }
    }

    pub(crate) fn replacing(self, closed: &str) -> Self {
        Self { closed_epoch: Some(closed_epoch(closed)), ..self }
    }

    /// The digests of its claim and of its newest write.
    pub(crate) fn hashed(mut self, claim: &str, newest: &str) -> Self {
        self.claim_digest = Some(digest(claim));
        self.newest.digest = Some(digest(newest));
        self
    }

    pub(crate) fn of_history(self, history: u64) -> Self {
        Self { history, ..self }
    }

    pub(crate) fn seen(self, millis: u64) -> Self {
        Self { last_seen: at(millis), ..self }
    }
}

pub(crate) fn genesis() -> Genesis {
    Genesis {
        incarnation: token(),
        content_type: content_type("text/plain"),
        lifetime: Lifetime::Forever,
        closed: false,
        has_initial_bytes: false,
        stream_seq: None,
        at: at(0),
    }
}

/// An empty, open stream of text that lives for ever, created at 0.
pub(crate) fn stream() -> StreamState {
    StreamState::born(&genesis())
}

impl StreamState {
    pub(crate) fn holding(self, bytes: u64) -> Self {
        Self { tail: offset(bytes), ..self }
    }

    pub(crate) fn shut(self) -> Self {
        Self { closed: true, ..self }
    }

    pub(crate) fn of_type(self, text: &str) -> Self {
        Self { content_type: content_type(text), ..self }
    }

    pub(crate) fn living(self, lifetime: Lifetime) -> Self {
        Self { lifetime, ..self }
    }

    pub(crate) fn at_seq(self, text: &str) -> Self {
        Self { stream_seq: Some(stream_seq(text)), ..self }
    }

    pub(crate) fn retaining(self, from: u64) -> Self {
        Self { retained: offset(from), ..self }
    }

    pub(crate) fn knowing(mut self, who: &str, record: ProducerRecord) -> Self {
        self.producers.insert(id(who), record);
        self
    }

    /// With `count` more producers `{prefix}0000`, `{prefix}0001`, ... at epoch 0.
    pub(crate) fn crowded(self, prefix: &str, count: usize, seen_millis: u64) -> Self {
        (0..count).fold(self, |state, n| state.knowing(&format!("{prefix}{n:04}"), record("0/0").seen(seen_millis)))
    }

    pub(crate) fn with_floor(mut self, number: u64) -> Self {
        self.producers.raise_floor(epoch(number));
        self
    }

    /// The state after a write that applies, at the time of the last one.
    pub(crate) fn after(self, request: &WriteRequest) -> Self {
        let now = self.last_at.as_millis();
        self.after_at(now, request)
    }

    /// The state after a write that applies at that time.
    pub(crate) fn after_at(mut self, millis: u64, request: &WriteRequest) -> Self {
        match decide_write(&self, request, moment(millis)) {
            Decision::Commit { operation, answer: Ok(_) } => self.apply(&operation, at(millis)).unwrap(),
            other => panic!("not applied: {other:?}"),
        }
        self
    }
}

fn request(closes: bool, content: Result<Payload, ContentFault>) -> WriteRequest {
    WriteRequest {
        incarnation: None,
        if_match: None,
        producer: None,
        stream_seq: None,
        closes,
        content,
        type_match: TypeMatch::Exact,
    }
}

pub(crate) fn append(text: &str) -> WriteRequest {
    request(false, body("text/plain", text))
}

pub(crate) fn append_and_close(text: &str) -> WriteRequest {
    request(true, body("text/plain", text))
}

pub(crate) fn close() -> WriteRequest {
    request(true, Ok(Payload::Empty))
}

/// An append without a body.
pub(crate) fn bare() -> WriteRequest {
    request(false, Ok(Payload::Empty))
}

impl WriteRequest {
    /// Keyed, as [`key`] reads it.
    pub(crate) fn by(self, text: &str) -> Self {
        Self { producer: Some(key(text)), ..self }
    }

    /// Naming the stream's incarnation.
    pub(crate) fn tokened(self) -> Self {
        Self { incarnation: Some(token()), ..self }
    }

    /// Naming another incarnation.
    pub(crate) fn mistaken(self) -> Self {
        Self { incarnation: Some(other_token()), ..self }
    }

    /// With a line of `If-Match`, in which `E` stands for the stream's token.
    pub(crate) fn matching(self, line: &str) -> Self {
        Self { if_match: Some(if_match(line)), ..self }
    }

    pub(crate) fn with_seq(self, text: &str) -> Self {
        Self { stream_seq: Some(stream_seq(text)), ..self }
    }

    pub(crate) fn with_body(self, typed: &str, text: &str) -> Self {
        Self { content: body(typed, text), ..self }
    }

    pub(crate) fn with_fault(self, fault: ContentFault) -> Self {
        Self { content: Err(fault), ..self }
    }

    pub(crate) fn by_media_type(self) -> Self {
        Self { type_match: TypeMatch::MediaType, ..self }
    }
}

/// A create of exactly the stream that [`stream`] is.
pub(crate) fn create() -> CreateRequest {
    CreateRequest {
        incarnation: None,
        only_if_missing: false,
        content_type: content_type("text/plain"),
        type_match: TypeMatch::Exact,
        lifetime: Lifetime::Forever,
        closed: false,
        stream_seq: None,
        text: Bytes::new(),
        messages: 0,
    }
}

impl CreateRequest {
    pub(crate) fn of_type(self, text: &str) -> Self {
        Self { content_type: content_type(text), ..self }
    }

    pub(crate) fn living(self, lifetime: Lifetime) -> Self {
        Self { lifetime, ..self }
    }

    pub(crate) fn shut(self) -> Self {
        Self { closed: true, ..self }
    }

    pub(crate) fn at_seq(self, text: &str) -> Self {
        Self { stream_seq: Some(stream_seq(text)), ..self }
    }

    pub(crate) fn holding(self, text: &'static str) -> Self {
        Self { text: Bytes::from_static(text.as_bytes()), messages: 1, ..self }
    }

    pub(crate) fn naming(self, incarnation: Incarnation) -> Self {
        Self { incarnation: Some(incarnation), ..self }
    }

    pub(crate) fn if_missing(self) -> Self {
        Self { only_if_missing: true, ..self }
    }
}

/// A publish of a text at an offset.
pub(crate) fn publish(at: u64, text: &str) -> PublishRequest {
    PublishRequest::of(None, offset(at), content_type("text/plain"), text.as_bytes())
}

impl StreamState {
    /// Keeping the snapshot that [`publish`] publishes.
    pub(crate) fn keeping(self, at: u64, text: &str) -> Self {
        let PublishRequest { name: SnapshotName { offset, digest }, content_type, bytes, .. } = publish(at, text);
        Self { snapshot: Some(Snapshot { offset, digest, content_type, bytes, object: "object".to_owned() }), ..self }
    }
}

/// A line of `If-Match`, in which `E` stands for the stream's token.
pub(crate) fn if_match(line: &str) -> IfMatch {
    IfMatch::parse(&[&line.replace('E', TOKEN)])
}

/// A decision in a few words: what it commits, then what it answers.
pub(crate) fn told(decision: &Decision<WriteOutcome>) -> String {
    let (commits, answer) = match decision {
        Decision::Answer(answer) => ("", answer),
        Decision::Commit { operation: Operation::Append(_), answer } => ("append: ", answer),
        Decision::Commit { operation: Operation::Close(_), answer } => ("close: ", answer),
        Decision::Commit { operation: Operation::Touch, answer } => ("touch: ", answer),
        Decision::Commit { operation: Operation::Snapshot(_), answer } => ("snapshot: ", answer),
        Decision::Commit { operation: Operation::Retention { .. }, answer } => ("retention: ", answer),
        Decision::Commit { operation: Operation::Delete { .. }, answer } => ("delete: ", answer),
    };
    format!("{commits}{}", answer.as_ref().map_or_else(refused, outcome))
}

/// What a write is told, in a few words.
pub(crate) fn answered(state: &StreamState, request: &WriteRequest, millis: u64) -> String {
    told(&decide_write(state, request, moment(millis)))
}

fn refused(refusal: &Refusal) -> String {
    refusal.code().as_str().to_owned()
}

fn outcome(outcome: &WriteOutcome) -> String {
    match outcome {
        WriteOutcome::Appended { incarnation, end, closed } => {
            assert_eq!(*incarnation, token());
            format!("appended ..{}{}", end.get(), if *closed { " closed" } else { "" })
        }
        WriteOutcome::Closed { incarnation, tail } => {
            assert_eq!(*incarnation, token());
            format!("closed at {}", tail.get())
        }
        WriteOutcome::Applied(receipt) => format!("applied {}", receipted(receipt)),
        WriteOutcome::KeyedClosed(receipt) => format!("closed by {}", receipted(receipt)),
        WriteOutcome::Repeat(receipt) => format!("repeat {}", receipted(receipt)),
        WriteOutcome::RepeatEvicted(answer) => format!("evicted {}", keyed(answer)),
    }
}

fn receipted(receipt: &KeyedReceipt) -> String {
    let closed = if receipt.closed { " closed" } else { "" };
    format!("{} {}..{}{closed}", keyed(&receipt.answer), receipt.start.get(), receipt.end.get())
}

fn keyed(answer: &KeyedAnswer) -> String {
    assert_eq!(answer.incarnation, token());
    let replaced = answer.closed_epoch.map(|closed| format!(" after {}/{}", closed.epoch, closed.last_seq));
    format!("{}/{}{}", answer.epoch, answer.highest_seq, replaced.unwrap_or_default())
}
