//! What a seed makes of the world: which faults there are and how often, how fast things go, who
//! works on how many streams. Drawn once, so that seeds differ in kind and not only in luck.

use std::{ops::RangeInclusive, time::Duration};

use wadi_stream::limits::{GRACE, LEASE};

use crate::random::Rng;

/// The plan of one simulation.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) instances: usize,
    pub(crate) streams: usize,
    /// Calls after which the clients stop.
    pub(crate) calls: usize,
    /// How coarse the dates of the store are.
    pub(crate) resolution: Duration,
    /// How far the clocks of the store's servers may be off.
    pub(crate) disagreement: Duration,
    pub(crate) network: NetworkPlan,
    pub(crate) chaos: ChaosPlan,
    pub(crate) clients: ClientPlan,
    pub(crate) collector: Option<CollectorPlan>,
}

/// The network between instances and store. Rates are millionths of a request.
#[derive(Clone, Debug)]
pub(crate) struct NetworkPlan {
    /// One way.
    pub(crate) latency: RangeInclusive<Duration>,
    pub(crate) slow: u32,
    pub(crate) slow_latency: RangeInclusive<Duration>,
    /// Requests that wait within their process before they leave it.
    pub(crate) queued: u32,
    pub(crate) queue: RangeInclusive<Duration>,
    pub(crate) lost_before: u32,
    pub(crate) not_sent: u32,
    pub(crate) answer_lost: u32,
    pub(crate) server_error: u32,
    pub(crate) rejected: u32,
    pub(crate) conflict: u32,
    pub(crate) repeated: u32,
    pub(crate) late: u32,
    pub(crate) lateness: RangeInclusive<Duration>,
    /// How often an instance is cut off from the store for a while.
    pub(crate) outage: u32,
    pub(crate) outage_for: RangeInclusive<Duration>,
    /// Of requests that fail, those whose caller hears nothing at all, in percent.
    pub(crate) silent: u32,
}

/// What happens to instances. Rates are millionths of a request to the store.
#[derive(Clone, Debug)]
pub(crate) struct ChaosPlan {
    pub(crate) pause: u32,
    pub(crate) pause_for: RangeInclusive<Duration>,
    pub(crate) kill: u32,
    pub(crate) restart_after: RangeInclusive<Duration>,
    /// How far wall clocks are off, and may step.
    pub(crate) skew: Duration,
    pub(crate) step_every: Option<Duration>,
}

/// What clients are like.
#[derive(Clone, Debug)]
pub(crate) struct ClientPlan {
    /// Time between the calls of one client.
    pub(crate) think: RangeInclusive<Duration>,
    /// How long a client waits for an answer.
    pub(crate) patience: RangeInclusive<Duration>,
    /// Percent of the calls after which everybody rests, and for how long.
    pub(crate) rest: u32,
    pub(crate) rest_for: RangeInclusive<Duration>,
    /// Percent of the streams that end by themselves.
    pub(crate) mortal: u32,
    /// How many there are.
    pub(crate) count: u64,
    /// Of a thousand bodies, those that are large.
    pub(crate) large: u32,
    /// Percent of the clients that stay with one instance.
    pub(crate) sticky: u32,
    /// Weights: producers, writers, sequence writers, conditional writers, readers, followers, closers,
    /// deleters.
    pub(crate) kinds: [u32; 8],
}

/// Checkpoints and collection.
#[derive(Clone, Debug)]
pub(crate) struct CollectorPlan {
    /// How long covered slots stay.
    pub(crate) grace: Duration,
    pub(crate) every: RangeInclusive<Duration>,
    /// Nothing happens to its own requests, so that slots go as soon as they may.
    pub(crate) swift: bool,
}

/// How fast a world goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Many calls at once, in milliseconds.
    Rush,
    /// Seconds to minutes between calls, so that leases end and slots are collected.
    Edge,
    /// Everything in the order of one lease, and slots vanish as soon as they may.
    Lease,
    /// Hours to days.
    Days,
}

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

const fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

impl Plan {
    /// The plan of a seed.
    pub(crate) fn of(seed: u64) -> Self {
        let mut rng = Rng::part(seed, "plan", 0);
        let pace = *rng.pick(&[Pace::Rush, Pace::Rush, Pace::Edge, Pace::Edge, Pace::Lease, Pace::Days]);
        let resolution = if rng.percent(50) { ms(1) } else { secs(1) };
        let disagreement = if rng.percent(75) { Duration::ZERO } else { *rng.pick(&[ms(300), secs(2), secs(90)]) };
        Self {
            seed,
            instances: usize::try_from(rng.within(2..=4)).unwrap_or(2),
            streams: if pace == Pace::Lease { 1 } else { usize::try_from(rng.within(1..=3)).unwrap_or(1) },
            calls: usize::try_from(rng.within(220..=320)).unwrap_or(220),
            resolution,
            disagreement,
            network: network(&mut rng, pace),
            chaos: chaos(&mut rng, pace),
            clients: clients(&mut rng, pace),
            collector: collector(&mut rng, pace, resolution, disagreement),
        }
    }
}

/// A rate that is nothing in half of the worlds, and differs widely in the others.
fn rate(rng: &mut Rng, most: u32) -> u32 {
    if rng.percent(50) { 0 } else { most >> rng.within(0..=4) }
}

fn network(rng: &mut Rng, pace: Pace) -> NetworkPlan {
    let latency = if rng.percent(50) { ms(5)..=ms(20) } else { ms(1)..=ms(200) };
    let lateness = match pace {
        Pace::Rush => ms(50)..=secs(60),
        Pace::Edge | Pace::Lease => secs(1)..=secs(600),
        Pace::Days => secs(60)..=secs(40 * 3600),
    };
    let lease = pace == Pace::Lease;
    NetworkPlan {
        latency,
        slow: if lease { 200_000 } else { rate(rng, 200_000) },
        slow_latency: ms(500)..=secs(if !lease && rng.percent(50) { 5 } else { 29 }),
        queued: rate(rng, 300_000),
        queue: ms(1)..=ms(500),
        lost_before: rate(rng, 100_000),
        not_sent: rate(rng, 50_000),
        answer_lost: rate(rng, 200_000),
        server_error: rate(rng, 100_000),
        rejected: rate(rng, 10_000),
        conflict: rate(rng, 100_000),
        repeated: rate(rng, 100_000),
        late: rate(rng, 200_000),
        lateness,
        outage: rate(rng, 8_000),
        outage_for: ms(200)..=secs(30),
        silent: *rng.pick(&[0, 10, 50]),
    }
}

fn chaos(rng: &mut Rng, pace: Pace) -> ChaosPlan {
    let (pause_for, skew) = match pace {
        Pace::Rush => (ms(10)..=secs(20), secs(5)),
        Pace::Edge => (secs(1)..=secs(300), secs(120)),
        Pace::Lease => (secs(8)..=secs(64), secs(120)),
        Pace::Days => (secs(10)..=secs(60 * 3600), secs(7200)),
    };
    ChaosPlan {
        pause: if pace == Pace::Lease { 20_000 } else { rate(rng, 40_000) },
        pause_for,
        kill: rate(rng, 15_000),
        restart_after: ms(10)..=secs(5),
        skew,
        step_every: rng.percent(30).then_some(secs(60)),
    }
}

fn clients(rng: &mut Rng, pace: Pace) -> ClientPlan {
    let think = match pace {
        Pace::Rush => ms(1)..=ms(300),
        Pace::Edge => ms(100)..=secs(*rng.pick(&[10, 40, 120])),
        Pace::Lease => ms(100)..=secs(15),
        Pace::Days => ms(100)..=secs(1800),
    };
    let rest_for = match pace {
        Pace::Rush => secs(1)..=secs(10),
        Pace::Edge | Pace::Lease => secs(20)..=secs(200),
        Pace::Days => secs(3600)..=secs(if rng.percent(30) { 200 * 3600 } else { 30 * 3600 }),
    };
    let mut kinds = [30, 20, 8, 10, 20, 4, 2, 3];
    for weight in &mut kinds {
        *weight = if rng.percent(20) { *weight * 3 } else { *weight };
    }
    ClientPlan {
        think,
        patience: if rng.percent(80) { secs(60)..=secs(120) } else { ms(50)..=secs(60) },
        count: if matches!(pace, Pace::Rush | Pace::Lease) { rng.within(4..=20) } else { rng.within(3..=10) },
        large: *rng.pick(&[0, 0, 2, 20, 60]),
        rest: if pace == Pace::Days { 3 } else { *rng.pick(&[0, 0, 1, 2]) },
        rest_for,
        mortal: *rng.pick(&[0, 30, 100]),
        sticky: *rng.pick(&[0, 30, 100]),
        kinds,
    }
}

fn collector(rng: &mut Rng, pace: Pace, resolution: Duration, disagreement: Duration) -> Option<CollectorPlan> {
    // The least that is sound: the lease, and what coarse dates may hide at either end of it, and
    // what clocks may hide that are off in the wrong direction at each of its four readings.
    let least = LEASE + 2 * resolution + 4 * disagreement + ms(1);
    match pace {
        Pace::Rush => rng.percent(30).then_some(CollectorPlan { grace: GRACE, every: ms(100)..=secs(2), swift: false }),
        Pace::Edge => rng.percent(80).then(|| CollectorPlan {
            grace: if rng.percent(60) { least } else { least + secs(rng.within(1..=240)) },
            every: ms(500)..=secs(15),
            swift: rng.percent(30),
        }),
        Pace::Lease => Some(CollectorPlan { grace: least, every: ms(200)..=ms(1500), swift: true }),
        Pace::Days => Some(CollectorPlan { grace: GRACE, every: secs(60)..=secs(3 * 3600), swift: false }),
    }
}
