//! Many subscribers of one stream: how long after an append was sent each of them has it. The floor is the
//! write alone.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use http::Method;
use tokio::{
    task::JoinSet,
    time::{interval, timeout},
};

use super::{
    Sides, compared, on_peers,
    subscriber::{Subscriber, message},
};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::{Mount, requests_told, whole},
    limits::{DELIVERY_TIME_MAX, EVENT_BYTES, EVENTS_PER_SECOND, SUBSCRIBERS_OPENING_MAX},
    load::{Contender, Load},
    processor::Processor,
    report::{Report, Row, Unit},
    requests::Requests,
    sample::Sample,
    slots::{PutSlot, noise},
};

const TEXT: &str = "text/plain";

pub(super) async fn run(store: StoreKind, arena: &Arena, report: &mut Report) -> Result<(), Failure> {
    for &subscribers in arena.scale.subscribers {
        let name = format!("fan-out-{subscribers}");
        let fan_out = |mount: &Mount, processor| {
            let (mount, name) = (mount.clone(), name.clone());
            Box::new(FanOut { mount, name, subscribers, trials: 0, processor }) as Box<dyn Contender>
        };
        let others = on_peers(arena, async |peer| Ok(fan_out(peer, None))).await;
        let wadi = fan_out(&arena.wadi, Some(arena.processor()));
        let floor = Box::new(Load::new(vec![PutSlot::new(arena.floor.clone(), &name, noise(EVENT_BYTES), 1)]));
        let title = format!("delivery to {subscribers} subscribers, {EVENTS_PER_SECOND} appends/s");
        let sides = Sides { wadi, floor, others, span: arena.scale.fan_out_span };
        let row = compared(store, arena, title, Unit::Latency, sides).await?;
        report.row(Row { note: Some("an operation is a delivery; of the floor, a write".to_owned()), ..row });
    }
    Ok(())
}

/// Subscribers of a stream, another one for each trial.
#[derive(Debug)]
struct FanOut {
    mount: Mount,
    name: String,
    subscribers: usize,
    trials: u32,
    processor: Option<Processor>,
}

#[async_trait]
impl Contender for FanOut {
    async fn trial(&mut self, span: Duration) -> Result<Sample, Failure> {
        self.trials += 1;
        let name = format!("{}-{}", self.name, self.trials);
        self.mount.create(&mut self.mount.connect().await?, &name, TEXT).await?;
        let opening = stream::iter(0..self.subscribers).map(|_| Subscriber::open(&self.mount, &name));
        let open: Vec<Subscriber> = opening.buffer_unordered(SUBSCRIBERS_OPENING_MAX).try_collect().await?;
        let before = self.processor.map(Processor::used).transpose()?;
        let mut sample = deliver(&self.mount, &name, open, events(span)).await?;
        if let (Some(processor), Some(before)) = (self.processor, before) {
            sample.processor = Some(processor.used()?.saturating_sub(before));
        }
        Ok(sample)
    }
}

/// How many messages are sent in a trial.
fn events(span: Duration) -> u32 {
    u32::try_from(span.as_millis() * u128::from(EVENTS_PER_SECOND) / 1000).unwrap_or(u32::MAX).max(1)
}

/// Appends so many messages, and waits until each subscriber has each.
async fn deliver(mount: &Mount, name: &str, open: Vec<Subscriber>, events: u32) -> Result<Sample, Failure> {
    let expected = open.len() as u64 * u64::from(events);
    let mut connection = mount.connect().await?;
    let epoch = Instant::now();
    let mut reading = JoinSet::new();
    for subscriber in open {
        reading.spawn(subscriber.messages(u64::from(events), epoch));
    }
    let mut requests = Requests::default();
    let mut ticks = interval(Duration::from_secs(1) / EVENTS_PER_SECOND);
    for _ in 0..events {
        ticks.tick().await;
        let head = mount.request(Method::POST, name, "").header("content-type", TEXT);
        let answer = connection.call(whole(head, message(epoch.elapsed().as_micros()))?).await?;
        requests += requests_told(&answer.expected("an append")?.headers);
    }
    let mut micros = Vec::new();
    let all = async {
        while let Some(ended) = reading.join_next().await {
            micros.extend(ended.map_err(Failure::setting)??);
        }
        Ok::<(), Failure>(())
    };
    timeout(DELIVERY_TIME_MAX, all).await.map_err(|_| Failure::Late("the deliveries of all messages"))??;
    let found = micros.len() as u64;
    if found != expected {
        return Err(Failure::Counts { row: name.to_owned(), expected, found });
    }
    Ok(Sample { amount: found, micros, elapsed: epoch.elapsed(), requests, ..Sample::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_has_as_many_messages_as_fit_and_one_at_least() {
        for (span, expected) in [(4000, 80), (250, 5), (1, 1)] {
            assert_eq!(events(Duration::from_millis(span)), expected);
        }
    }
}
