//! Nobody is told of an earlier stream than somebody was told of before, whatever instance they ask.

use std::collections::BTreeMap;

use wadi_protocol::{Incarnation, Offset, StreamDescription, WriteOutcome};

use super::Evidence;
use crate::{
    ghost::Name,
    history::{Answer, Ask, Call},
    violation::Violation,
};

/// A place in the history of a name: which life, how far, whether closed there.
type Position = (usize, Offset, bool);

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    for (stream, name) in &evidence.ghost.names {
        let order = order_of_lives(name);
        let mut told: Vec<(&Call, Position)> = evidence
            .calls
            .iter()
            .filter(|call| *call.stream == **stream && !matches!(call.ask, Ask::Follow(_)))
            .filter_map(|call| Some((call, position(&call.answer, &order)?)))
            .collect();
        let mut asked = told.clone();
        told.sort_by_key(|(call, _)| call.end());
        asked.sort_by_key(|(call, _)| call.invoked.0);
        let mut returned = told.into_iter().peekable();
        let mut latest: Option<(&Call, Position)> = None;
        for (call, position) in asked {
            while let Some(next) = returned.next_if(|(before, _)| before.end() < call.invoked.0) {
                latest = latest.filter(|(_, latest)| *latest >= next.1).or(Some(next));
            }
            if let Some((before, _)) = latest.filter(|(_, latest)| *latest > position) {
                let what = format!("call {} was told less than call {} before it", call.number, before.number);
                return Err(Violation::new("never back in time", what).of_call(before.number).of_call(call.number));
            }
        }
    }
    Ok(())
}

fn order_of_lives(name: &Name) -> BTreeMap<Incarnation, usize> {
    let mut lives: Vec<(u64, Incarnation)> = name
        .lives
        .iter()
        .filter_map(|(incarnation, life)| Some((life.born.as_ref()?.when.tick, *incarnation)))
        .collect();
    lives.sort_unstable();
    lives.into_iter().enumerate().map(|(index, (_, incarnation))| (incarnation, index)).collect()
}

/// What an answer says of the stream as it is; repeats tell of the past.
fn position(answer: &Answer, order: &BTreeMap<Incarnation, usize>) -> Option<Position> {
    let of = |stream: &StreamDescription| (stream.incarnation, stream.tail, stream.closed);
    let (incarnation, tail, closed) = match answer {
        Answer::Created(Ok(created)) => of(&created.stream),
        Answer::Described(Ok(stream)) => of(stream),
        Answer::Page(Ok(page)) => of(&page.stream),
        Answer::Written(Ok(WriteOutcome::Appended { incarnation, end, closed })) => (*incarnation, *end, *closed),
        Answer::Written(Ok(WriteOutcome::Closed { incarnation, tail })) => (*incarnation, *tail, true),
        Answer::Written(Ok(WriteOutcome::Applied(receipt) | WriteOutcome::KeyedClosed(receipt))) => {
            (receipt.answer.incarnation, receipt.end, receipt.closed)
        }
        _ => return None,
    };
    Some((*order.get(&incarnation)?, tail, closed))
}
