//! What happened, told so that a person can follow it.

use std::fmt::{self, Write as _};

use crate::{
    ghost::{Cause, Ghost},
    history::Call,
    trace::{At, StoreRequest},
    violation::Violation,
};

/// Requests and calls told at most, the last ones first to be kept.
const LINES_MAX: usize = 60;

/// Tells of one violation.
pub(crate) fn tell(violation: &Violation, seed: u64, calls: &[Call], trace: &[StoreRequest], ghost: &Ghost) -> String {
    let mut story = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut story, violation, seed, calls, trace, ghost);
    story
}

fn write(
    out: &mut String,
    violation: &Violation,
    seed: u64,
    calls: &[Call],
    trace: &[StoreRequest],
    ghost: &Ghost,
) -> fmt::Result {
    writeln!(out, "seed {seed} breaks \"{}\": {}", violation.invariant, violation.what)?;
    let concerned: Vec<&Call> = violation.calls.iter().filter_map(|number| calls.get(*number)).collect();
    if !concerned.is_empty() {
        writeln!(out, "calls:")?;
        concerned.iter().try_for_each(|call| writeln!(out, "  {call}"))?;
    }
    let from = concerned.iter().map(|call| call.invoked.0).min().unwrap_or(0);
    let to = concerned.iter().map(|call| call.end()).max().unwrap_or(u64::MAX);
    let streams: Vec<&str> = concerned.iter().map(|call| &*call.stream).collect();
    let keys: Vec<&str> = violation.keys.iter().map(String::as_str).chain(streams.iter().copied()).collect();
    let near: Vec<&StoreRequest> = trace
        .iter()
        .filter(|request| keys.iter().any(|key| request.what.contains(key)))
        .filter(|request| request.sent.0 <= to && request.answered.is_none_or(|(tick, _)| tick >= from))
        .collect();
    if !near.is_empty() {
        writeln!(out, "requests to the store:")?;
        near.iter().skip(near.len().saturating_sub(LINES_MAX)).try_for_each(|request| writeln!(out, "  {request}"))?;
    }
    timeline(out, ghost, &keys, from, to)?;
    writeln!(out, "replay: cargo run --profile proof -p wadi-simulation -- --seeds {seed}..{}", seed + 1)
}

/// What truly happened to the streams meanwhile.
fn timeline(out: &mut String, ghost: &Ghost, keys: &[&str], from: u64, to: u64) -> fmt::Result {
    for (stream, name) in ghost.names.iter().filter(|(stream, _)| keys.iter().any(|key| key.contains(stream.as_str())))
    {
        let first = name.timeline.partition_point(|entry| entry.tick < from).saturating_sub(1);
        let last = name.timeline.partition_point(|entry| entry.tick <= to);
        writeln!(out, "{stream} truly:")?;
        for entry in name.timeline[first..last].iter().rev().take(LINES_MAX).rev() {
            let when = At((entry.tick, entry.time));
            match &entry.cause {
                Cause::Start => writeln!(out, "  {when} nothing is there")?,
                Cause::Created => writeln!(out, "  {when} created, {:?}", entry.status.token())?,
                Cause::Applied { operation, seq, .. } => writeln!(out, "  {when} slot {seq}: {operation:?}")?,
            }
        }
    }
    Ok(())
}
