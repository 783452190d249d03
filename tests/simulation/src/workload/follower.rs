//! A follower: keeps a tail open for a while, at one instance, and takes what comes.

use std::{sync::Arc, time::Duration};

use futures::{
    FutureExt, StreamExt,
    channel::mpsc::{UnboundedReceiver, unbounded},
    future::{Either, select},
};
use wadi_protocol::{Offset, ReadFrom, Refusal};
use wadi_stream::{SharedPage, TailStep};

use super::read_request;
use crate::{
    executor::WORLD,
    history::{Answer, Ask, Place},
    instance::Instance,
    world::{Client, Stream, World},
};

/// What a tail says.
enum Said {
    Opened(Place),
    Step(Answer),
}

pub(super) async fn run(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut next = Offset::ZERO;
    while !world.is_over() {
        let from = match client.rng.below(10) {
            0..=4 => ReadFrom::At(next),
            5..=6 => ReadFrom::Start,
            _ => ReadFrom::Now,
        };
        let instance = world.instance_for(&mut client).await;
        let mut tail = open(&world, &mut client, &stream, &instance, from);
        let mut place: Option<Place> = None;
        while let Some(said) = next_of(&world, &mut client, &mut tail).await {
            match (said, place) {
                (Said::Opened(opened), _) => place = Some(opened),
                (Said::Step(answer), Some(from)) => {
                    let number = world.begin(&client, &instance, &stream, &Ask::Follow(from));
                    world.end(number, &answer);
                    match &answer {
                        Answer::Page(Ok(page)) => {
                            next = page.next;
                            place = Some(Place { next, ..from });
                        }
                        Answer::Page(Err(Refusal::Gone { retained, .. })) => next = *retained,
                        _ => {}
                    }
                }
                (Said::Step(answer), None) => match answer.refusal() {
                    Some(Refusal::StreamNotFound | Refusal::OffsetOutOfRange { .. }) => next = Offset::ZERO,
                    Some(Refusal::Gone { retained, .. }) => next = *retained,
                    _ => {}
                },
            }
        }
        world.think(&mut client).await;
    }
}

async fn next_of(world: &World, client: &mut Client, tail: &mut UnboundedReceiver<Said>) -> Option<Said> {
    let patience = client.rng.duration(&world.plan.clients.patience);
    match select(tail.next(), world.sim.sleep(WORLD, patience)).await {
        Either::Left((said, _)) => said,
        Either::Right(_) => None,
    }
}

/// Opens a tail and lets it take some steps.
fn open(
    world: &World,
    client: &mut Client,
    stream: &Stream,
    instance: &Instance,
    from: ReadFrom,
) -> UnboundedReceiver<Said> {
    let (say, hear) = unbounded();
    let (engine, key) = (instance.engine.clone(), stream.key.clone());
    let request = read_request(&mut client.rng, from);
    let steps = client.rng.within(1..=8);
    let wait = Duration::from_millis(client.rng.within(0..=20_000));
    // Some take their time from step to step, while the stream goes on, is sealed and collected.
    let lag = client.rng.percent(40).then(|| client.rng.duration(&world.plan.clients.think));
    let (sim, group) = (world.sim.clone(), instance.group);
    let work = async move {
        let mut tail = match engine.tail(&key, &request).await {
            Ok(tail) => tail,
            Err(refusal) => return drop(say.unbounded_send(Said::Step(Answer::Page(Err(refusal))))),
        };
        let place = Place { incarnation: tail.stream().incarnation, next: tail.next_offset() };
        let mut heard = say.unbounded_send(Said::Opened(place)).is_ok();
        for _ in 0..steps {
            if let Some(lag) = lag {
                sim.sleep(group, lag).await;
            }
            let answer = match tail.step(request.bytes_max, wait).await {
                Ok(TailStep::Page(page)) => Answer::Page(Ok(SharedPage::into_answer(page))),
                Ok(TailStep::Idle(stream)) => Answer::Idle(stream),
                Ok(TailStep::Closed(stream)) => Answer::Closed(stream),
                Err(refusal) => Answer::Page(Err(refusal)),
            };
            let goes_on = matches!(answer, Answer::Page(Ok(_)) | Answer::Idle(_));
            heard = heard && say.unbounded_send(Said::Step(answer)).is_ok();
            if !heard || !goes_on {
                return;
            }
        }
    };
    world.sim.spawn(instance.group, work.boxed());
    hear
}
