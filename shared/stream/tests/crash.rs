//! A process that stops at any request: whoever comes next finds a sound stream and goes on.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::sync::Arc;

use common::*;
use wadi_protocol::{Refusal, WriteOutcome};

const STEPS: usize = 8;

/// The life of a stream, in steps that may each be sent again.
async fn step(process: &Process, step: usize) -> Result<(), Refusal> {
    match step {
        0 => process.engine.create(&key("s"), create_with("<0>")).await.map(drop),
        4 => match process.close("s").await? {
            WriteOutcome::Closed { .. } => Ok(()),
            other => panic!("{other:?}"),
        },
        5 => process.delete("s").await,
        6 => process.engine.create(&key("s"), create_with("<6>")).await.map(drop),
        // 1, 2, 3 and 7.
        _ => append(process, step).await,
    }
}

async fn append(process: &Process, step: usize) -> Result<(), Refusal> {
    let seq = if step < 4 { step as u64 - 1 } else { 0 };
    match process.append_keyed("s", &format!("<{step}>"), "p", 0, seq).await? {
        WriteOutcome::Applied(_) | WriteOutcome::Repeat(_) => Ok(()),
        other => panic!("{other:?}"),
    }
}

/// What is there after `steps` steps: the text and whether it is closed, or nothing.
fn expected(steps: usize) -> Option<(String, bool)> {
    let text = |range: std::ops::Range<usize>| range.map(|step| format!("<{step}>")).collect::<Vec<_>>().concat();
    match steps {
        0 | 6 => None,
        1..=4 => Some((text(0..steps), false)),
        5 => Some((text(0..4), true)),
        _ => Some((text(6..steps), false)),
    }
}

async fn found(process: &Process) -> Option<(String, bool)> {
    match process.engine.head(&key("s"), None).await {
        Ok(stream) => Some((process.read("s").await.unwrap(), stream.closed)),
        Err(refusal) => {
            assert_eq!(refusal, Refusal::StreamNotFound);
            None
        }
    }
}

/// Runs the life of a stream on a process that crashes after some requests, and the rest of it on
/// another. True when the first one came to the end.
async fn crashes_after(requests: u64, loses_last_answer: bool, warm: bool) -> bool {
    let world = World::new();
    let crash = Arc::new(Crash::after(requests, loses_last_answer));
    let (first, second) = (world.process_with(crash), world.process());
    let mut done = 0;
    let mut last = Ok(());
    while done < STEPS && last.is_ok() {
        if warm {
            // The second process knows the stream as it was one step before.
            found(&second).await;
        }
        last = step(&first, done).await;
        done += usize::from(last.is_ok());
    }
    let here = format!("{requests} requests, {done} steps, answer lost: {loses_last_answer}, warm: {warm}, {last:?}");
    let there = found(&second).await;
    let applied = if last == Err(Refusal::OutcomeUnknown) && there == expected(done + 1) { done + 1 } else { done };
    assert_eq!(there, expected(applied), "{here}");
    assert_eq!(found(&world.process()).await, there, "{here}");
    for next in done..STEPS {
        match step(&second, next).await {
            // It was deleted already, by the process that crashed.
            Err(Refusal::StreamNotFound) => assert!(next == 5 && applied == 6, "{here}"),
            outcome => outcome.unwrap_or_else(|refusal| panic!("{here}, step {next}: {refusal:?}")),
        }
        assert_eq!(found(&second).await, expected(next + 1), "{here}, step {next}");
    }
    assert_eq!(found(&world.process()).await, expected(STEPS), "{here}");
    done == STEPS
}

#[tokio::test(start_paused = true)]
async fn a_process_that_crashes_at_any_request_leaves_a_stream_that_another_goes_on_with() {
    for (loses_last_answer, warm) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut requests = 0;
        while !crashes_after(requests, loses_last_answer, warm).await {
            requests += 1;
            assert!(requests < 100);
        }
        assert!(requests >= 12, "{requests} requests make the whole life");
    }
}
