//! Who works on the streams, and how.

mod follower;
mod lifecycle;
mod producer;
mod publisher;
mod reader;
mod requests;
mod restorer;
mod snapshots;
mod writer;

use std::sync::Arc;

use futures::{FutureExt, future::BoxFuture};
use wadi_protocol::Refusal;

pub(crate) use requests::{content_up_to_the_grid, create_request, read_request, write_request};
pub(crate) use snapshots::{bootstrap_request, publish_request, snapshot_request};

use crate::{
    history::{Answer, Ask, Certainty},
    plan::KINDS_COUNT,
    random::Rng,
    world::{Client, Stream, World},
};

/// What a client does all day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Producer,
    Writer,
    SeqWriter,
    ConditionalWriter,
    Reader,
    Follower,
    Closer,
    Deleter,
    Publisher,
    Restorer,
}

const KINDS: [Kind; KINDS_COUNT] = [
    Kind::Producer,
    Kind::Writer,
    Kind::SeqWriter,
    Kind::ConditionalWriter,
    Kind::Reader,
    Kind::Follower,
    Kind::Closer,
    Kind::Deleter,
    Kind::Publisher,
    Kind::Restorer,
];

/// The clients of a seed, each a task of the world to be.
pub(crate) fn clients(world: &Arc<World>) -> Vec<BoxFuture<'static, ()>> {
    let plan = &world.plan;
    let mut rng = Rng::part(plan.seed, "workload", 0);
    let mut clients = Vec::new();
    for number in 0..plan.clients.count {
        let kind = draw_kind(&mut rng, &plan.clients.kinds);
        let stream = rng.pick(&world.streams).clone();
        let home = rng.percent(plan.clients.sticky).then(|| rng.index(plan.instances));
        let name = format!("{kind:?}-{number}").to_lowercase().into();
        let client = Client { name, rng: Rng::part(plan.seed, "client", number), home };
        clients.push(start(kind, world.clone(), client, stream, &mut rng));
    }
    clients
}

fn start(kind: Kind, world: Arc<World>, client: Client, stream: Stream, rng: &mut Rng) -> BoxFuture<'static, ()> {
    match kind {
        // Few ids, so that now and then two processes take themselves for the same producer.
        Kind::Producer => producer::run(world, client, stream, rng.below(6)).boxed(),
        Kind::Writer => writer::plain(world, client, stream).boxed(),
        Kind::SeqWriter => writer::in_sequence(world, client, stream).boxed(),
        Kind::ConditionalWriter => writer::conditional(world, client, stream).boxed(),
        Kind::Reader => reader::run(world, client, stream).boxed(),
        Kind::Follower => follower::run(world, client, stream).boxed(),
        Kind::Closer => lifecycle::closer(world, client, stream).boxed(),
        Kind::Publisher => publisher::run(world, client, stream).boxed(),
        Kind::Restorer => restorer::run(world, client, stream).boxed(),
        Kind::Deleter => lifecycle::deleter(world, client, stream).boxed(),
    }
}

fn draw_kind(rng: &mut Rng, weights: &[u32; KINDS_COUNT]) -> Kind {
    let sum: u32 = weights.iter().sum();
    let mut drawn = rng.below(u64::from(sum));
    for (kind, weight) in KINDS.iter().zip(weights) {
        match drawn.checked_sub(u64::from(*weight)) {
            Some(rest) => drawn = rest,
            None => return *kind,
        }
    }
    Kind::Writer
}

/// What a client does next, by an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// It is done.
    Done,
    /// Nobody knows, or not now: the same again.
    Again,
    /// The stream is not there.
    Missing,
    /// No.
    Refused,
}

fn next_of(answer: &Answer) -> Next {
    match (answer.certainty(), answer.refusal()) {
        (Certainty::Unknown | Certainty::Void, _) => Next::Again,
        (Certainty::Definite, None) => Next::Done,
        (Certainty::Definite, Some(Refusal::StreamNotFound)) => Next::Missing,
        (Certainty::Definite, Some(_)) => Next::Refused,
    }
}

/// Creates the stream, as most clients do that find it missing.
async fn create(world: &World, client: &mut Client, stream: &Stream) {
    if client.rng.percent(70) {
        let request = create_request(world, &mut client.rng, stream);
        for _ in 0..client.rng.within(1..=4) {
            let answer = world.call(client, stream, Ask::Create(request.clone())).await;
            if next_of(&answer) != Next::Again {
                break;
            }
            world.think(client).await;
        }
    }
    world.think(client).await;
}
