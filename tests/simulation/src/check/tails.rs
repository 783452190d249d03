//! A tail gives the bytes of one incarnation in order, without gaps, and ends only with it.

use wadi_protocol::{Offset, Refusal, StreamDescription};

use super::Evidence;
use crate::{
    ghost::{Entry, Status},
    history::{Answer, Ask, Call, Place},
    violation::Violation,
};

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    for call in evidence.calls {
        let Ask::Follow(place) = &call.ask else { continue };
        let timeline = evidence.ghost.names.get(&*call.stream).map_or(&[][..], |name| &name.timeline);
        let before = &timeline[..timeline.partition_point(|entry| entry.tick <= call.end())];
        let wrong = match &call.answer {
            Answer::Page(Ok(page)) if (page.start, page.stream.incarnation) != (place.next, place.incarnation) => {
                Some("does not go on where it was")
            }
            Answer::Page(Ok(page)) if page.next == page.start => Some("gives a page without bytes"),
            Answer::Page(Err(Refusal::StreamNotFound)) if !has_ended(before, place) => Some("ends before its stream"),
            Answer::Page(Err(Refusal::Gone { retained, .. })) if !was_let_go(before, place, *retained) => {
                Some("was let go of too early")
            }
            Answer::Idle(stream) if !is_or_was(before, stream) => Some("tells of a stream that never was"),
            Answer::Closed(stream) if !is_or_was(before, stream) || !stream.closed || stream.tail != place.next => {
                Some("closes before its stream")
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Err(violation(call, wrong));
        }
    }
    Ok(())
}

fn violation(call: &Call, wrong: &str) -> Violation {
    Violation::new("tails", format!("call {}: a tail {wrong}", call.number)).of_call(call.number)
}

/// Whether the incarnation was there and is not any more.
fn has_ended(before: &[Entry], place: &Place) -> bool {
    before.last().is_some_and(|entry| entry.status.token() != Some(place.incarnation))
}

/// Whether the bytes that the tail wanted next were let go of.
fn was_let_go(before: &[Entry], place: &Place, retained: Offset) -> bool {
    place.next < retained
        && before.iter().any(|entry| match &entry.status {
            Status::Live(state) => (state.incarnation, state.retained) == (place.incarnation, retained),
            Status::Missing => false,
        })
}

fn is_or_was(before: &[Entry], stream: &StreamDescription) -> bool {
    before.iter().any(|entry| match &entry.status {
        Status::Live(state) => StreamDescription::from(&**state) == *stream,
        Status::Missing => false,
    })
}
