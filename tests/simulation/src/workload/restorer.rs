//! A restorer: starts from the latest snapshot, by a bootstrap or step by step, and reads on from there.

use std::sync::Arc;

use wadi_protocol::{Offset, ReadFrom, Refusal, SnapshotRefusal, state::SnapshotName};

use super::{Next, bootstrap_request, create, next_of, read_request, snapshot_request};
use crate::{
    history::{Answer, Ask},
    world::{Client, Stream, World},
};

pub(super) async fn run(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut latest: Option<SnapshotName> = None;
    while !world.is_over() {
        let ask = match (client.rng.below(10), latest) {
            (0..=1, _) | (_, None) => Ask::Head(None),
            (2..=5, _) => bootstrap_request(&mut client.rng),
            (_, Some(known)) => snapshot_request(&mut client.rng, known.offset, Some(known)),
        };
        let answer = world.call(&mut client, &stream, ask).await;
        let next = match &answer {
            Answer::Described(Ok(stream)) => {
                latest = stream.snapshot;
                None
            }
            Answer::Bootstrap(Ok(read)) => {
                latest = read.stream.snapshot;
                Some(read.next)
            }
            Answer::Snapshot(Ok(read)) => Some(read.plan.snapshot.offset),
            Answer::Snapshot(Err(Refusal::Snapshot(SnapshotRefusal::NotFound { .. }))) => {
                latest = None;
                None
            }
            _ => None,
        };
        if let Some(next) = next {
            read_on(&world, &mut client, &stream, next).await;
        }
        if next_of(&answer) == Next::Missing && client.rng.percent(50) {
            latest = None;
            create(&world, &mut client, &stream).await;
        }
        world.think(&mut client).await;
    }
}

/// What follows what was restored; now and then what was before it, which may be gone.
async fn read_on(world: &World, client: &mut Client, stream: &Stream, next: Offset) {
    if client.rng.percent(50) {
        return;
    }
    let from = if client.rng.percent(80) { next } else { Offset::new(client.rng.below(next.get() + 1)) };
    let request = read_request(&mut client.rng, ReadFrom::At(from));
    world.call(client, stream, Ask::Read(request)).await;
}
