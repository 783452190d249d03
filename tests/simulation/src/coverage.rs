//! What happened how often: a simulation that never meets a situation proves nothing about it.

use std::collections::BTreeMap;

use wadi_protocol::{DeleteReason, Incarnation, Operation, WriteOutcome};

use crate::{
    fate::Event,
    ghost::{Cause, Committed, Ghost, GhostRecord, Name},
    history::{Answer, Call},
    trace::StoreRequest,
};

/// Counts by what is counted.
pub(crate) type Coverage = BTreeMap<String, u64>;

/// Counts what happened in one world.
pub(crate) fn count(ghost: &Ghost, calls: &[Call], trace: &[StoreRequest]) -> Coverage {
    let mut counts = Coverage::new();
    let mut add = |what: &str, times: usize| *counts.entry(what.to_owned()).or_default() += times as u64;
    for (stream, name) in &ghost.names {
        let born = name.lives.values().filter(|life| life.born.is_some());
        add("streams created anew", born.clone().count().saturating_sub(1));
        let checkpoints =
            name.lives.keys().map(|token| name.checkpoints(*token).iter().filter(|one| one.seq > 0).count());
        add("checkpoints", checkpoints.sum());
        born.flat_map(|life| &life.records).for_each(|record| self::record(record, &mut add));
        add("snapshots without a copy", uncopied(stream, name, ghost));
        name.timeline.iter().for_each(|entry| operation(&entry.cause, &mut add));
    }
    for (what, times) in &ghost.counts {
        add(what, *times);
    }
    for call in calls {
        answer(call, &mut add);
        if let Some(tier) = tier(call, ghost) {
            add(tier, 1);
        }
    }
    for line in trace {
        request(line, &mut add);
    }
    counts
}

/// Snapshots that were committed, and whose publishers went away before they had copied them.
fn uncopied(stream: &str, name: &Name, ghost: &Ghost) -> usize {
    let copied = |token: &Incarnation, committed: &Committed| {
        let offset = committed.snapshot.offset;
        ghost.objects.was_put(&format!("ds/{stream}/incarnation/{token}/snapshot/{offset}"))
    };
    let lives = name.lives.iter();
    lives.map(|(token, life)| life.snapshots().iter().filter(|committed| !copied(token, committed)).count()).sum()
}

fn record(record: &GhostRecord, add: &mut impl FnMut(&str, usize)) {
    add("records", 1);
    add("records of several operations", usize::from(record.operations.len() > 1));
    add("records that name a body", usize::from(record.object.is_some()));
}

fn operation(cause: &Cause, add: &mut impl FnMut(&str, usize)) {
    let Cause::Applied { operation, .. } = cause else { return };
    add(
        match &**operation {
            Operation::Append(write) if write.closes => "appends that close",
            Operation::Append(_) => "appends",
            Operation::Close(_) => "closes",
            Operation::Touch => "renewals",
            Operation::Snapshot(_) => "snapshots",
            Operation::Retention { .. } => "retentions",
            Operation::Delete { reason: DeleteReason::Expired } => "expiries",
            Operation::Delete { reason: DeleteReason::Requested } => "deletions",
        },
        1,
    );
}

/// From where a page came, as far as its instance can have known of what was sealed.
fn tier(call: &Call, ghost: &Ghost) -> Option<&'static str> {
    let Answer::Page(Ok(page)) = &call.answer else { return None };
    let checkpoints = ghost.names.get(&*call.stream)?.checkpoints(page.stream.incarnation);
    let sealed = checkpoints.iter().rfind(|checkpoint| checkpoint.tick < call.invoked.0)?.sealed;
    if page.body.is_empty() || page.start >= sealed {
        None
    } else if page.next <= sealed {
        Some("pages of what is sealed")
    } else {
        Some("pages of what is sealed and what is not")
    }
}

fn answer(call: &Call, add: &mut impl FnMut(&str, usize)) {
    if let Some(refusal) = call.answer.refusal() {
        return add(&format!("refused: {}", refusal.code().as_str()), 1);
    }
    add(
        match &call.answer {
            Answer::Lost => "calls without an answer",
            Answer::Written(Ok(WriteOutcome::Repeat(_))) => "repeats",
            Answer::Written(Ok(WriteOutcome::RepeatEvicted(_))) => "repeats of older writes",
            Answer::Written(_) => "writes acknowledged",
            Answer::Created(Ok(created)) if created.existed => "creates of what was there",
            Answer::Created(_) => "creates",
            Answer::Deleted(_) => "deletes",
            Answer::Described(_) => "heads",
            Answer::Page(Ok(page)) if page.not_modified => "pages not modified",
            Answer::Page(Ok(page)) if page.tag.array => "pages of an array",
            Answer::Page(_) => "pages",
            Answer::Published(_) => "publishes acknowledged",
            Answer::Snapshot(Ok(read)) if read.plan.not_modified => "snapshots not modified",
            Answer::Snapshot(Ok(read)) if read.plan.part.is_some() => "ranges of snapshots",
            Answer::Snapshot(_) => "snapshots read",
            Answer::Retained(_) => "retentions acknowledged",
            Answer::Bootstrap(Ok(read)) if read.snapshot.is_none() => "bootstraps without a snapshot",
            Answer::Bootstrap(Ok(read)) if read.next < read.stream.tail => "bootstraps cut short",
            Answer::Bootstrap(_) => "bootstraps",
            Answer::Idle(_) => "tails with nothing to say",
            Answer::Closed(_) => "tails that closed",
        },
        1,
    );
}

fn request(request: &StoreRequest, add: &mut impl FnMut(&str, usize)) {
    add("store requests", 1);
    if request.what.starts_with("PUT ds/") && request.answer.starts_with("412") {
        add("lost races", 1);
    }
    let late = matches!(request.event, Event::Late(_));
    if late && request.applied.is_some() {
        add("late landings", 1);
    } else if request.event != Event::Delivered && !late {
        add(&format!("faults: {:?}", request.event), 1);
    }
}
