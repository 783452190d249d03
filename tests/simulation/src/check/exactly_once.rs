//! Every acknowledged write is in its stream exactly once, at the offsets acknowledged; what was
//! refused is nowhere; what nobody knows of is there at most once, and never before it was asked for.

use std::collections::BTreeMap;

use wadi_protocol::{
    Digest, Incarnation, KeyedAnswer, KeyedReceipt, Offset, Operation, ProducerId, ProducerKey, WriteOutcome,
};

use super::Evidence;
use crate::{
    history::{Answer, Ask, Call, Certainty},
    violation::Violation,
};

const NAME: &str = "exactly once";

/// Where some bytes lie.
struct Occurrence<'a> {
    stream: &'a str,
    incarnation: Incarnation,
    start: Offset,
    end: Offset,
    tick: u64,
    /// How often its producer had been forgotten by then.
    forgotten: usize,
}

/// A keyed write that applied.
struct Keyed {
    tick: u64,
    start: Offset,
    end: Offset,
    closed: bool,
}

type Place<'a> = (&'a str, Incarnation, String, u64, u64);

#[derive(Default)]
struct Index<'a> {
    bodies: BTreeMap<&'a [u8], Vec<Occurrence<'a>>>,
    keyed: BTreeMap<Place<'a>, Vec<Keyed>>,
}

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    let index = index(evidence);
    let mut senders: BTreeMap<&[u8], Vec<&Call>> = BTreeMap::new();
    for call in evidence.calls {
        if let Some(body) = call.ask.body() {
            senders.entry(body).or_default().push(call);
        }
    }
    for (body, occurrences) in &index.bodies {
        landed_rightly(body, occurrences, senders.get(body).map_or(&[], Vec::as_slice))?;
    }
    evidence.calls.iter().try_for_each(|call| acknowledged_rightly(call, &index))
}

fn index<'a>(evidence: &Evidence<'a>) -> Index<'a> {
    let mut index = Index::default();
    for (stream, name) in &evidence.ghost.names {
        for (incarnation, life) in &name.lives {
            let Some(born) = &life.born else { continue };
            let mut forgotten: BTreeMap<&ProducerId, usize> = BTreeMap::new();
            for record in &life.records {
                let tick = record.when.tick.max(born.when.tick);
                for operation in &record.operations {
                    let (Operation::Append(write) | Operation::Close(write)) = operation else { continue };
                    for id in write.producer.iter().flat_map(|producer| &producer.forgotten) {
                        *forgotten.entry(id).or_default() += 1;
                    }
                    let own = write.producer.as_ref().and_then(|producer| forgotten.get(&producer.id));
                    if write.end > write.start {
                        let place = Occurrence {
                            stream,
                            incarnation: *incarnation,
                            start: write.start,
                            end: write.end,
                            tick,
                            forgotten: own.copied().unwrap_or(0),
                        };
                        index.bodies.entry(&life.bytes[range(write.start, write.end)]).or_default().push(place);
                    }
                    if let Some(producer) = &write.producer {
                        let (epoch, seq) = (u64::from(producer.epoch), u64::from(producer.seq));
                        let key = (stream.as_str(), *incarnation, producer.id.as_str().to_owned(), epoch, seq);
                        let keyed = Keyed { tick, start: write.start, end: write.end, closed: write.closes };
                        index.keyed.entry(key).or_default().push(keyed);
                    }
                }
            }
        }
    }
    index
}

fn range(start: Offset, end: Offset) -> std::ops::Range<usize> {
    let index = |offset: Offset| usize::try_from(offset.get()).unwrap_or(usize::MAX);
    index(start)..index(end)
}

/// Bytes that are there were sent by somebody who may have had them applied, and only once.
fn landed_rightly(body: &[u8], occurrences: &[Occurrence<'_>], senders: &[&Call]) -> Result<(), Violation> {
    let shown = String::from_utf8_lossy(&body[..body.len().min(24)]).into_owned();
    let broken = |what: String| {
        let violation = Violation::new(NAME, format!("the bytes {shown:?} {what}"));
        let violation = senders.iter().fold(violation, |violation, call| violation.of_call(call.number));
        occurrences.iter().fold(violation, |violation, place| violation.at_key(format!("/{}/", place.incarnation)))
    };
    if senders.is_empty() {
        return Err(broken("were never sent".to_owned()));
    }
    // What is created with bytes is counted where creations are.
    if senders.iter().any(|call| matches!(call.ask, Ask::Create(_))) {
        return Ok(());
    }
    // A keyed write that names no incarnation and is sent again may find another one, or one that
    // has forgotten its producer.
    let keyed = senders.iter().all(|call| is_keyed(&call.ask));
    let mut lives: Vec<_> = occurrences.iter().map(|place| (place.incarnation, place.forgotten)).collect();
    lives.dedup();
    if occurrences.len() > if keyed { lives.len() } else { 1 } {
        return Err(broken(format!("are there {} times", occurrences.len())));
    }
    let explained = |place: &Occurrence<'_>| {
        senders.iter().any(|call| {
            *call.stream == *place.stream
                && call.invoked.0 <= place.tick
                && names_incarnation(&call.ask).is_none_or(|incarnation| incarnation == place.incarnation)
                && match call.answer.certainty() {
                    Certainty::Unknown => true,
                    Certainty::Void => false,
                    Certainty::Definite => applied(&call.answer).is_some() && place.tick <= call.end(),
                }
        })
    };
    match occurrences.iter().find(|place| !explained(place)) {
        Some(_) => Err(broken("are there although no answer allows it".to_owned())),
        None => Ok(()),
    }
}

fn is_keyed(ask: &Ask) -> bool {
    matches!(ask, Ask::Write(request) if request.producer.is_some())
}

fn names_incarnation(ask: &Ask) -> Option<Incarnation> {
    match ask {
        Ask::Write(request) => request.incarnation,
        _ => None,
    }
}

/// What an answer says was applied by this very call.
fn applied(answer: &Answer) -> Option<(Option<Offset>, Offset, Incarnation)> {
    match answer {
        Answer::Written(Ok(WriteOutcome::Appended { incarnation, end, .. })) => Some((None, *end, *incarnation)),
        Answer::Written(Ok(WriteOutcome::Applied(receipt) | WriteOutcome::KeyedClosed(receipt))) => {
            Some((Some(receipt.start), receipt.end, receipt.answer.incarnation))
        }
        _ => None,
    }
}

fn acknowledged_rightly<'a>(call: &'a Call, index: &Index<'a>) -> Result<(), Violation> {
    let Ask::Write(request) = &call.ask else { return Ok(()) };
    let broken = |what: &str| Err(Violation::new(NAME, format!("call {}: {what}", call.number)).of_call(call.number));
    let places = call.ask.body().and_then(|body| index.bodies.get(&**body)).map_or(&[][..], Vec::as_slice);
    if let (Some((start, end, incarnation)), Some(body)) = (applied(&call.answer), call.ask.body()) {
        let start = start.unwrap_or(Offset::new(end.get().saturating_sub(body.len() as u64)));
        let same = |place: &&Occurrence<'_>| {
            (place.start, place.end, place.incarnation) == (start, end, incarnation) && *place.stream == *call.stream
        };
        let Some(place) = places.iter().find(same) else {
            return broken("an acknowledged write is not in its stream where it was acknowledged");
        };
        if place.tick < call.invoked.0 || place.tick > call.end() {
            return broken("a write was acknowledged before it landed, or had landed before it was asked for");
        }
    }
    let Some(key) = &request.producer else { return Ok(()) };
    match &call.answer {
        Answer::Written(Ok(
            WriteOutcome::Applied(receipt) | WriteOutcome::KeyedClosed(receipt) | WriteOutcome::Repeat(receipt),
        )) => {
            let same =
                |keyed: &&Keyed| (keyed.start, keyed.end, keyed.closed) == (receipt.start, receipt.end, receipt.closed);
            let Some(keyed) = keyed(index, call, key, &receipt.answer).iter().find(same) else {
                return broken("a receipt names a write that the log does not hold");
            };
            if keyed.tick > call.end() {
                return broken("a receipt was given before its write landed");
            }
            if digest_differs(key, receipt, places) {
                return broken("a repeat was confirmed whose bytes are not those of the first write");
            }
            Ok(())
        }
        Answer::Written(Ok(WriteOutcome::RepeatEvicted(answer))) => {
            if keyed(index, call, key, answer).iter().any(|keyed| keyed.tick <= call.end()) {
                Ok(())
            } else {
                broken("a repeat was confirmed of a write that the log does not hold")
            }
        }
        _ => Ok(()),
    }
}

fn keyed<'i, 'a>(index: &'i Index<'a>, call: &'a Call, key: &ProducerKey, answer: &KeyedAnswer) -> &'i [Keyed] {
    let wanted =
        (&*call.stream, answer.incarnation, key.id.as_str().to_owned(), u64::from(key.epoch), u64::from(key.seq));
    index.keyed.get(&wanted).map_or(&[], Vec::as_slice)
}

fn digest_differs(key: &ProducerKey, receipt: &KeyedReceipt, places: &[Occurrence<'_>]) -> bool {
    let here = places.iter().any(|place| (place.start, place.end) == (receipt.start, receipt.end));
    key.digest.is_some_and(|digest| digest != Digest::of(b"")) && receipt.start < receipt.end && !here
}
