//! Many subscribers of one stream: how long after an append was sent each of them has it. The floor is the
//! write alone.

use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt, stream};
use http::Method;
use tokio::{
    task::JoinSet,
    time::{interval, timeout},
};

use super::subscriber::{Subscriber, message};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::{Mount, requests_told, whole},
    limits::{DELIVERY_TIME_MAX, EVENT_BYTES, EVENTS_PER_SECOND, SUBSCRIBERS_OPENING_MAX},
    load::{Contender, Load},
    report::{Report, Row, Unit},
    requests::Requests,
    sample::{Figures, Sample},
    slots::{PutSlot, noise},
};

const TEXT: &str = "text/plain";

pub(super) async fn run(store: StoreKind, arena: &Arena, report: &mut Report) -> Result<(), Failure> {
    for &subscribers in arena.scale.subscribers {
        let name = format!("fan-out-{subscribers}");
        let wadi = deliver(&arena.wadi, &name, subscribers, arena.scale.events).await?;
        let peer = match &arena.peer {
            Some(peer) => Some(deliver(peer, &name, subscribers, arena.scale.events).await?),
            None => None,
        };
        let mut put = Load::new(vec![PutSlot::new(arena.floor.clone(), &name, noise(EVENT_BYTES), 1)]);
        let floor = put.trial(arena.scale.span / 2).await?;
        report.row(Row {
            name: format!("delivery to {subscribers} subscribers, {EVENTS_PER_SECOND} appends/s"),
            store,
            unit: Unit::Operations,
            wadi: Figures::of(vec![wadi]),
            floor: Some(Figures::of(vec![floor])),
            peer: peer.map(|peer| Figures::of(vec![peer])),
            memory_peak_mib: arena.memory_peak_mib(),
            note: Some("an operation is a delivery; of the floor, a write".to_owned()),
        });
    }
    Ok(())
}

async fn deliver(mount: &Mount, name: &str, subscribers: usize, events: u32) -> Result<Sample, Failure> {
    let mut connection = mount.connect().await?;
    mount.create(&mut connection, name, TEXT).await?;
    let opening = stream::iter(0..subscribers).map(|_| Subscriber::open(mount, name));
    let open: Vec<Subscriber> = opening.buffer_unordered(SUBSCRIBERS_OPENING_MAX).try_collect().await?;
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
    counted_deliveries(name, micros.len() as u64, subscribers as u64 * u64::from(events))?;
    Ok(Sample { amount: micros.len() as u64, micros, elapsed: epoch.elapsed(), requests, ..Sample::default() })
}

fn counted_deliveries(name: &str, found: u64, expected: u64) -> Result<(), Failure> {
    if found == expected { Ok(()) } else { Err(Failure::Counts { row: name.to_owned(), expected, found }) }
}
