//! Readers that are under way while what they read is let go of.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::time::Duration;

use bytes::Bytes;
use common::{released::*, *};
use wadi_protocol::{ReadFrom, Refusal};
use wadi_stream::{BootstrapPiece, EngineSettings, SweepScope, Tail, TailStep, limits::GRACE};

/// What a tail says next: a MiB at most.
async fn step(tail: &mut Tail) -> Result<Bytes, Refusal> {
    match tail.step(MIB, secs(1)).await? {
        TailStep::Page(page) => Ok(page.body.clone().joined()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_tail_keeps_its_bytes_for_the_grace_and_is_then_told() {
    let world = World::new();
    // A tail looks once a second, so a day would be long.
    let grace = Duration::from_mins(5);
    world.filled(13).await;
    let keeper = world.process_by(EngineSettings { grace, ..EngineSettings::default() });
    assert!(keeper.engine.seal(&key("s")).await.unwrap());
    let reader = world.process();
    let mut tail = reader.engine.tail(&key("s"), &read(ReadFrom::Start)).await.unwrap();
    for number in 0..4 {
        assert_eq!(step(&mut tail).await.unwrap(), mib(number));
    }
    keeper.let_go(13 * MIB).await;
    let sweep = async || keeper.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    sweep().await;
    assert_eq!(world.manifest("s").await.sealed.chunks_start.get(), 3 * CELL, "all are let go of");
    assert!(world.process().serves_from(13 * MIB).await, "who asks anew is told at once");
    pass(grace.checked_sub(secs(60)).unwrap()).await;
    sweep().await;
    assert_eq!(step(&mut tail).await.unwrap(), mib(4), "the first of a chunk that it had not read");
    pass(secs(120)).await;
    sweep().await;
    assert_eq!(world.chunks().await, [] as [u64; 0]);
    for number in 5..8 {
        assert_eq!(step(&mut tail).await.unwrap(), mib(number), "of the chunk that it holds");
    }
    let told = step(&mut tail).await.unwrap_err();
    assert!(matches!(told, Refusal::Gone { retained, .. } if retained.get() == 13 * MIB), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_bootstrap_under_way_gets_all_that_follows_its_snapshot() {
    let world = World::new();
    let writer = world.filled(17).await;
    assert!(writer.engine.seal(&key("s")).await.unwrap());
    writer.publish("s", MIB, "first").await.unwrap();
    let reader = world.process();
    let mut bootstrap = reader.engine.bootstrap(&key("s"), None, 256 << 20, true).await.unwrap();
    assert_eq!(bootstrap.next_piece().await, Some(Ok(BootstrapPiece::Snapshot("first".into()))));
    writer.let_go(17 * MIB).await;
    let sweep = async || writer.engine.sweep(SweepScope::Full, &|_| {}).await.unwrap();
    sweep().await;
    pass(GRACE.checked_sub(secs(60)).unwrap()).await;
    sweep().await;
    let mut all = Vec::new();
    while let Some(piece) = bootstrap.next_piece().await {
        let BootstrapPiece::Stream(bytes) = piece.unwrap() else { panic!("the snapshot came already") };
        all.extend_from_slice(&bytes);
    }
    assert_eq!(all, mibs(1..17));
    pass(secs(120)).await;
    sweep().await;
    assert_eq!(world.chunks().await, [] as [u64; 0]);
}
