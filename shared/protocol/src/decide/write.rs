//! Appending and closing: steps 8 to 18 of the order of checks, one atomic decision.

use super::{
    Decision, Evaluation, Moment, ended, evaluate_producer,
    forget::{forget, own_record},
    same_incarnation,
};
use crate::{
    Claim, ContentFault, KeyedAnswer, KeyedReceipt, Operation, Payload, ProducerKey, ProducerRefusal, ProducerSeq,
    ProducerUpdate, Refusal, StreamState, Write, WriteOutcome, WriteRequest,
    state::{ClosedEpoch, ProducerRecord},
};

/// What an append or a close does to a stream.
pub fn decide_write(state: &StreamState, request: &WriteRequest, moment: Moment) -> Decision<WriteOutcome> {
    if let Some(decision) = ended(state, moment) {
        return decision;
    }
    match judge(state, request, moment) {
        Ok(Verdict::Done(outcome)) => Decision::Answer(Ok(outcome)),
        Ok(Verdict::Apply(write)) => {
            let answer = Ok(outcome_of(state, request, &write));
            let operation = match request.content {
                Ok(Payload::Empty) => Operation::Close(*write),
                _ => Operation::Append(*write),
            };
            Decision::Commit { operation, answer }
        }
        Err(refusal) => Decision::refuse(refusal),
    }
}

enum Verdict {
    Done(WriteOutcome),
    Apply(Box<Write>),
}

/// What a keyed write that goes on will record.
struct Keyed {
    claim: Option<Claim>,
    joins: bool,
}

fn judge(state: &StreamState, request: &WriteRequest, moment: Moment) -> Result<Verdict, Refusal> {
    same_incarnation(state, request.incarnation)?;
    let evaluation = request.producer.as_ref().map(|key| evaluate(state, request, key, moment));
    // A write that already applied is answered before `If-Match`: it was judged when it applied.
    if let (Some(Ok((repeat, _))), Some(key)) = (&evaluation, &request.producer)
        && let Some(outcome) = repeat_outcome(state, key, *repeat)
    {
        return Ok(Verdict::Done(outcome));
    }
    if let Some(condition) = &request.if_match
        && !condition.holds(state.incarnation, state.tail, state.closed)
    {
        return Err(Refusal::IfMatchFailed { current: state.end_tag() });
    }
    let keyed = evaluation.transpose()?.map(|(evaluation, joins)| Keyed { claim: claim_of(evaluation), joins });
    let forgotten = match (&request.producer, &keyed) {
        (Some(key), Some(keyed)) => Some(forget(state, &key.id, keyed.joins, moment.now)?),
        _ => None,
    };
    if state.closed {
        return closed_already(state, request);
    }
    let (added, messages) = content(state, request)?;
    follows_stream_seq(state, request)?;
    let producer =
        request.producer.as_ref().zip(keyed).zip(forgotten).map(|((key, keyed), forgotten)| ProducerUpdate {
            id: key.id.clone(),
            epoch: key.epoch,
            seq: key.seq,
            digest: key.digest,
            claim: keyed.claim,
            forgotten: forgotten.ids,
            floor: forgotten.floor,
        });
    Ok(Verdict::Apply(Box::new(Write {
        start: state.tail,
        end: state.tail.checked_add(added).ok_or(Refusal::StreamFull)?,
        messages,
        closes: request.closes,
        stream_seq: request.stream_seq.clone(),
        producer,
    })))
}

/// Judges the producer; true with it when the producer is as good as absent from the table.
fn evaluate(
    state: &StreamState,
    request: &WriteRequest,
    key: &ProducerKey,
    moment: Moment,
) -> Result<(Evaluation, bool), ProducerRefusal> {
    let (record, floor) = own_record(state, &key.id, moment.now);
    match evaluate_producer(record, floor, state.history, key, request.incarnation.is_some()) {
        Evaluation::Refused(refusal) => Err(refusal),
        evaluation => Ok((evaluation, record.is_none())),
    }
}

fn claim_of(evaluation: Evaluation) -> Option<Claim> {
    match evaluation {
        Evaluation::Claim { opened, closes } => Some(Claim { opened, closed: closes }),
        _ => None,
    }
}

fn repeat_outcome(state: &StreamState, key: &ProducerKey, evaluation: Evaluation) -> Option<WriteOutcome> {
    let record = state.producers.get(&key.id)?;
    let answer = KeyedAnswer {
        epoch: record.epoch,
        highest_seq: record.last_seq,
        closed_epoch: closed_pair(record, key),
        incarnation: state.incarnation,
    };
    match evaluation {
        Evaluation::Repeat => Some(WriteOutcome::Repeat(KeyedReceipt {
            answer,
            start: record.newest.start,
            end: record.newest.end,
            closed: record.newest.closed,
        })),
        Evaluation::RepeatEvicted => Some(WriteOutcome::RepeatEvicted(answer)),
        _ => None,
    }
}

/// The closed epoch is told on the claim, and on each repeat of it while its epoch is current.
fn closed_pair(record: &ProducerRecord, key: &ProducerKey) -> Option<ClosedEpoch> {
    record.closed_epoch.filter(|_| key.seq == ProducerSeq::ZERO)
}

/// Step 12. Closing a closed stream without a key is done already.
fn closed_already(state: &StreamState, request: &WriteRequest) -> Result<Verdict, Refusal> {
    let closes_only = request.closes && matches!(request.content, Ok(Payload::Empty)) && request.producer.is_none();
    if closes_only {
        Ok(Verdict::Done(WriteOutcome::Closed { incarnation: state.incarnation, tail: state.tail }))
    } else {
        Err(Refusal::StreamClosed { tail: state.tail })
    }
}

/// Steps 13 to 16: bytes and messages added.
fn content(state: &StreamState, request: &WriteRequest) -> Result<(u64, u64), Refusal> {
    match &request.content {
        Err(fault) => Err(Refusal::Content(fault.clone())),
        Ok(Payload::Empty) if request.closes => Ok((0, 0)),
        Ok(Payload::Empty) => Err(Refusal::Content(ContentFault::EmptyAppend)),
        Ok(Payload::Bytes { content_type, text, messages }) => {
            if request.type_match.same(&state.content_type, content_type) {
                Ok((text.len() as u64, *messages))
            } else {
                Err(Refusal::ContentTypeMismatch { tail: state.tail })
            }
        }
    }
}

/// Step 17: bytewise, strictly above the last one accepted.
fn follows_stream_seq(state: &StreamState, request: &WriteRequest) -> Result<(), Refusal> {
    match (&request.stream_seq, &state.stream_seq) {
        (Some(sent), Some(last)) if sent <= last => {
            Err(Refusal::StreamSeqConflict { last: last.clone(), tail: state.tail })
        }
        _ => Ok(()),
    }
}

fn outcome_of(state: &StreamState, request: &WriteRequest, write: &Write) -> WriteOutcome {
    let Some(update) = &write.producer else {
        return match request.content {
            Ok(Payload::Empty) => WriteOutcome::Closed { incarnation: state.incarnation, tail: write.end },
            _ => WriteOutcome::Appended { incarnation: state.incarnation, end: write.end, closed: write.closes },
        };
    };
    let receipt = KeyedReceipt {
        answer: KeyedAnswer {
            epoch: update.epoch,
            highest_seq: update.seq,
            closed_epoch: update.claim.and_then(|claim| claim.closed),
            incarnation: state.incarnation,
        },
        start: write.start,
        end: write.end,
        closed: write.closes,
    };
    if write.start == write.end { WriteOutcome::KeyedClosed(receipt) } else { WriteOutcome::Applied(receipt) }
}
