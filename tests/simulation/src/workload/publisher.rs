//! A publisher: sums a stream up now and then, at its end or somewhere before it, and lets go of what the
//! latest snapshot stands for.

use std::sync::Arc;

use wadi_protocol::{
    Incarnation, Offset, Refusal, RetentionRequest, SnapshotRefusal, StreamDescription, WriteOutcome, WriteRequest,
};

use super::{Next, content_up_to_the_grid, create, next_of, publish_request, write_request};
use crate::{
    history::{Answer, Ask},
    random::Rng,
    world::{Client, Stream, World},
};

/// Ends that a publisher remembers. In a stream of messages they are where snapshots may be.
const ENDS_MAX: usize = 8;

/// What a publisher knows of its stream.
#[derive(Default)]
struct Known {
    incarnation: Option<Incarnation>,
    /// Ends that it had, the newest last.
    ends: Vec<Offset>,
    snapshot: Option<Offset>,
    retained: Offset,
}

pub(super) async fn run(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut known = Known::default();
    let tokened = client.rng.percent(30);
    while !world.is_over() {
        let answer = world.call(&mut client, &stream, Ask::Head(None)).await;
        known.learn(&answer);
        if world.plan.clients.huge > 0 && client.rng.percent(50) {
            known.learn(&fill(&world, &mut client, &stream, &known).await);
        }
        for _ in 0..client.rng.within(1..=3) {
            world.think(&mut client).await;
            let incarnation = known.incarnation.filter(|_| tokened);
            let ask = if client.rng.percent(70) {
                let offset = known.offset(&mut client.rng);
                publish_request(&world, &mut client.rng, incarnation, offset)
            } else {
                Ask::Retain(RetentionRequest { incarnation, offset: known.to_keep(&mut client.rng) })
            };
            let answer = settle(&world, &mut client, &stream, ask).await;
            known.learn(&answer);
            if next_of(&answer) == Next::Missing {
                create(&world, &mut client, &stream).await;
            }
        }
        world.think(&mut client).await;
    }
}

/// Fills the cell at the end of the stream, so that there are whole ones to let go of, or adds to it.
async fn fill(world: &World, client: &mut Client, stream: &Stream, known: &Known) -> Answer {
    let request = write_request(world, &mut client.rng, stream);
    let filling = known.ends.last().and_then(|end| content_up_to_the_grid(world, stream, *end));
    let content = filling.filter(|_| client.rng.percent(70)).map_or(request.content, Ok);
    world.call(client, stream, Ask::Write(WriteRequest { content, ..request })).await
}

/// Sends a request until its fate is known, or the process is taken to have crashed.
async fn settle(world: &World, client: &mut Client, stream: &Stream, ask: Ask) -> Answer {
    for _ in 0..client.rng.within(0..=4) {
        let answer = world.call(client, stream, ask.clone()).await;
        if next_of(&answer) != Next::Again || world.is_over() {
            return answer;
        }
        world.think(client).await;
    }
    // Once it is done, some do it again all the same.
    world.call(client, stream, ask).await
}

impl Known {
    /// Where the next snapshot is taken: at the newest end most of the time, else anywhere.
    fn offset(&self, rng: &mut Rng) -> Offset {
        let end = self.ends.last().copied().unwrap_or(Offset::ZERO);
        match rng.below(20) {
            0..=8 => end,
            9..=12 if !self.ends.is_empty() => *rng.pick(&self.ends),
            13..=15 => self.snapshot.unwrap_or(end),
            16 => Offset::new(end.get() + rng.within(1..=20)),
            17 => Offset::new(rng.below(self.retained.get() + 1)),
            _ => Offset::new(rng.below(end.get() + 1)),
        }
    }

    /// What is to be kept: what the latest snapshot does not stand for, or somewhat more, or less.
    fn to_keep(&self, rng: &mut Rng) -> Offset {
        let latest = self.snapshot.unwrap_or(Offset::ZERO);
        match rng.below(10) {
            0..=3 => latest,
            4..=6 if !self.ends.is_empty() => *rng.pick(&self.ends),
            7 => Offset::new(rng.below(self.retained.get() + 1)),
            _ => Offset::new(rng.below(latest.get() + 1)),
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match answer {
            Answer::Described(Ok(stream)) => self.learn_of(stream),
            Answer::Written(Ok(WriteOutcome::Appended { end, .. })) => self.learn_end(*end),
            Answer::Published(Ok(published)) => self.snapshot = Some(published.snapshot.offset),
            Answer::Retained(Ok(kept)) => self.retained = kept.retained,
            Answer::Published(Err(Refusal::Snapshot(SnapshotRefusal::Conflict { latest, .. }))) => {
                self.snapshot = Some(latest.offset);
            }
            _ if matches!(next_of(answer), Next::Missing) => *self = Self::default(),
            _ => {}
        }
    }

    fn learn_of(&mut self, stream: &StreamDescription) {
        if self.incarnation != Some(stream.incarnation) {
            *self = Self { incarnation: Some(stream.incarnation), ..Self::default() };
        }
        self.learn_end(stream.tail);
        (self.snapshot, self.retained) = (stream.snapshot.map(|snapshot| snapshot.offset), stream.retained);
    }

    fn learn_end(&mut self, end: Offset) {
        if self.ends.last() != Some(&end) {
            self.ends.push(end);
        }
        if self.ends.len() > ENDS_MAX {
            self.ends.remove(0);
        }
    }
}
