//! A producer: numbers its writes, and sends each until it knows what became of it.

use std::sync::Arc;

use wadi_protocol::{
    Digest, Epoch, Incarnation, ProducerId, ProducerKey, ProducerRefusal, ProducerSeq, Refusal, WriteOutcome,
    WriteRequest,
};

use super::{Next, create, next_of, write_request};
use crate::{
    history::{Answer, Ask},
    world::{Client, Stream, World},
};

/// What a producer knows of itself.
struct Producer {
    id: ProducerId,
    epoch: u64,
    seq: u64,
    /// Whether it names the incarnation it writes to, and which that is.
    tokened: bool,
    incarnation: Option<Incarnation>,
    digests: bool,
}

/// How many producers there are where they are many: their state does not fit into a manifest.
const CROWD: u64 = 200;

fn name(world: &World, number: u64) -> String {
    let width = if world.plan.clients.crowded { 240 } else { 1 };
    format!("producer-{number:0width$}")
}

pub(super) async fn run(world: Arc<World>, mut client: Client, stream: Stream, number: u64) {
    let Ok(id) = ProducerId::parse(&name(&world, number)) else { return };
    let (tokened, digests) = (client.rng.percent(30), client.rng.percent(50));
    let mut producer = Producer { id, epoch: 0, seq: 0, tokened, incarnation: None, digests };
    while !world.is_over() {
        let Some(request) = producer.request(&world, &mut client, &stream) else { return };
        producer.settle(&world, &mut client, &stream, request).await;
        world.think(&mut client).await;
        if world.plan.clients.crowded {
            let Ok(id) = ProducerId::parse(&name(&world, client.rng.below(CROWD))) else { return };
            producer.id = id;
            producer.restart(0);
        }
        if client.rng.percent(3) {
            producer.restart(producer.epoch + client.rng.within(1..=2));
        }
    }
}

impl Producer {
    fn restart(&mut self, epoch: u64) {
        (self.epoch, self.seq) = (epoch, 0);
    }

    fn request(&self, world: &World, client: &mut Client, stream: &Stream) -> Option<WriteRequest> {
        let request = write_request(world, &mut client.rng, stream);
        let ask = Ask::Write(request.clone());
        let digest = ask.body().filter(|_| self.digests).map(|body| Digest::of(body));
        let key = ProducerKey {
            id: self.id.clone(),
            epoch: Epoch::new(self.epoch)?,
            seq: ProducerSeq::new(self.seq)?,
            digest,
        };
        Some(WriteRequest { producer: Some(key), incarnation: self.incarnation.filter(|_| self.tokened), ..request })
    }

    /// Sends a write until its fate is known, or the process is taken to have crashed.
    async fn settle(&mut self, world: &World, client: &mut Client, stream: &Stream, request: WriteRequest) {
        for _ in 0..client.rng.within(2..=12) {
            let answer = world.call(client, stream, Ask::Write(request.clone())).await;
            match next_of(&answer) {
                Next::Done => return self.applied(&answer),
                Next::Missing => {
                    self.restart(0);
                    self.incarnation = None;
                    return create(world, client, stream).await;
                }
                Next::Refused => return self.refused(&answer),
                Next::Again => {}
            }
            if world.is_over() {
                return;
            }
            world.think(client).await;
        }
        self.restart(self.epoch + 1);
    }

    fn applied(&mut self, answer: &Answer) {
        self.seq += 1;
        if let Answer::Written(Ok(outcome)) = answer {
            self.incarnation = incarnation_of(outcome);
        }
    }

    fn refused(&mut self, answer: &Answer) {
        match answer.refusal() {
            Some(Refusal::Producer(ProducerRefusal::SeqGap { expected, .. })) => self.seq = u64::from(*expected),
            Some(Refusal::Producer(
                ProducerRefusal::EpochStale { current } | ProducerRefusal::EpochClosed { current, .. },
            )) => {
                self.restart(u64::from(*current) + 1);
            }
            Some(Refusal::Producer(ProducerRefusal::Expired { floor })) => self.restart(u64::from(*floor) + 1),
            Some(Refusal::IncarnationMismatch { current }) => {
                self.incarnation = *current;
                self.restart(0);
            }
            Some(Refusal::Content(_) | Refusal::ContentTypeMismatch { .. } | Refusal::StreamClosed { .. }) => {}
            _ => self.restart(self.epoch + 1),
        }
    }
}

fn incarnation_of(outcome: &WriteOutcome) -> Option<Incarnation> {
    match outcome {
        WriteOutcome::Applied(receipt) | WriteOutcome::KeyedClosed(receipt) | WriteOutcome::Repeat(receipt) => {
            Some(receipt.answer.incarnation)
        }
        WriteOutcome::RepeatEvicted(answer) => Some(answer.incarnation),
        WriteOutcome::Appended { .. } | WriteOutcome::Closed { .. } => None,
    }
}
