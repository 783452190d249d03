//! Drawing a plan.

use std::time::Duration;

use wadi_stream::limits::{GRACE, LEASE, SEAL_RECORDS, STORE_REQUEST_TIMEOUT};

use super::{ChaosPlan, ClientPlan, KeepingPlan, NetworkPlan, PUBLISHERS, Pace, Plan};
use crate::random::Rng;

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

const fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// The plan of a seed.
pub(super) fn plan(seed: u64) -> Plan {
    let mut rng = Rng::part(seed, "plan", 0);
    let pace = *rng.pick(&[Pace::Rush, Pace::Rush, Pace::Edge, Pace::Edge, Pace::Lease, Pace::Days]);
    let resolution = if rng.percent(50) { ms(1) } else { secs(1) };
    let disagreement = if rng.percent(75) { Duration::ZERO } else { *rng.pick(&[ms(300), secs(2), secs(90)]) };
    let mut plan = Plan {
        seed,
        instances: usize::try_from(rng.within(2..=4)).unwrap_or(2),
        streams: if pace == Pace::Lease { 1 } else { usize::try_from(rng.within(1..=3)).unwrap_or(1) },
        calls: usize::try_from(rng.within(220..=320)).unwrap_or(220),
        resolution,
        disagreement,
        network: network(&mut rng, pace),
        chaos: chaos(&mut rng, pace),
        clients: clients(&mut rng, pace),
        keeping: keeping(&mut rng, pace, resolution, disagreement),
    };
    keep_bodies_for_late_records(&mut plan, &mut rng);
    plan
}

/// A record that names a body may land as late as a request may take. The grace period is longer than
/// that, as is asserted where it is defined; where a world has a shorter one, or stranger requests,
/// one of them gives way.
fn keep_bodies_for_late_records(plan: &mut Plan, rng: &mut Rng) {
    let spent = LEASE + STORE_REQUEST_TIMEOUT + 2 * plan.resolution + 4 * plan.disagreement;
    let most = plan.keeping.grace.saturating_sub(spent);
    let (soonest, latest) = (*plan.network.lateness.start(), *plan.network.lateness.end());
    if latest < most {
        return;
    }
    if rng.percent(50) && soonest < most {
        plan.network.lateness = soonest..=most.saturating_sub(ms(1));
    } else {
        (plan.clients.large, plan.clients.huge) = (0, 0);
        plan.clients.kinds[PUBLISHERS] = 0;
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
    let mut kinds = [30, 20, 8, 10, 20, 4, 2, 3, 16, 10];
    let crowded = rng.percent(10);
    if crowded {
        kinds[0] *= 6;
    }
    for weight in &mut kinds {
        *weight = if rng.percent(20) { *weight * 3 } else { *weight };
    }
    ClientPlan {
        think,
        patience: if rng.percent(80) { secs(60)..=secs(120) } else { ms(50)..=secs(60) },
        count: if matches!(pace, Pace::Rush | Pace::Lease) { rng.within(4..=20) } else { rng.within(3..=10) },
        large: *rng.pick(&[0, 0, 5, 40, 150]),
        huge: if rng.percent(12) { *rng.pick(&[30, 80]) } else { 0 },
        crowded,
        rest: if pace == Pace::Days { 3 } else { *rng.pick(&[0, 0, 1, 2]) },
        rest_for,
        mortal: if crowded { 0 } else { *rng.pick(&[0, 30, 100]) },
        sticky: *rng.pick(&[0, 30, 100]),
        kinds,
    }
}

fn keeping(rng: &mut Rng, pace: Pace, resolution: Duration, disagreement: Duration) -> KeepingPlan {
    // The least that is sound: the lease, and what coarse dates may hide at either end of it, and
    // what clocks may hide that are off in the wrong direction at each of its four readings.
    let least = LEASE + 2 * resolution + 4 * disagreement + ms(1);
    let grace = match pace {
        Pace::Edge if rng.percent(60) => least,
        Pace::Edge if rng.percent(80) => least + secs(rng.within(1..=240)),
        Pace::Lease => least,
        Pace::Rush | Pace::Edge | Pace::Days => GRACE,
    };
    let every = match pace {
        Pace::Rush => ms(100)..=secs(2),
        Pace::Edge => ms(500)..=secs(15),
        Pace::Lease => ms(200)..=ms(1500),
        Pace::Days => secs(60)..=secs(3 * 3600),
    };
    let at_once = pace == Pace::Lease;
    KeepingPlan {
        keepers: usize::try_from(rng.within(u64::from(at_once)..=3)).unwrap_or(1),
        every,
        swift: at_once || rng.percent(30),
        background: rng.percent(40),
        seal_records: if at_once { rng.within(1..=4) } else { *rng.pick(&[1, 3, 8, 20, SEAL_RECORDS]) },
        grace,
    }
}
