//! What a seed makes of the world: which faults there are and how often, how fast things go, who
//! works on how many streams. Drawn once, so that seeds differ in kind and not only in luck.

mod draw;

use std::{ops::RangeInclusive, time::Duration};

use wadi_stream::limits::LEASE;

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
    pub(crate) keeping: KeepingPlan,
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
    /// Of a thousand bodies, those of some MiB.
    pub(crate) huge: u32,
    /// Producers are many, and have long names.
    pub(crate) crowded: bool,
    /// Percent of the clients that stay with one instance.
    pub(crate) sticky: u32,
    /// Weights: producers, writers, sequence writers, conditional writers, readers, followers, closers,
    /// deleters, publishers, restorers.
    pub(crate) kinds: [u32; KINDS_COUNT],
}

/// Kinds of clients.
pub(crate) const KINDS_COUNT: usize = 10;

/// Where the weight of those stands that publish snapshots.
const PUBLISHERS: usize = 8;

/// Sealing and collection.
#[derive(Clone, Debug)]
pub(crate) struct KeepingPlan {
    /// Processes that do nothing else.
    pub(crate) keepers: usize,
    pub(crate) every: RangeInclusive<Duration>,
    /// Nothing happens to the requests of the first keeper, so that slots go as soon as they may.
    pub(crate) swift: bool,
    /// Instances seal what they write.
    pub(crate) background: bool,
    /// Records after which a stream is due.
    pub(crate) seal_records: u64,
    /// How long what nobody needs stays. Where it is short, so is all that it has to outlast.
    pub(crate) grace: Duration,
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

impl Plan {
    /// The plan of a seed.
    pub(crate) fn of(seed: u64) -> Self {
        draw::plan(seed)
    }

    /// The least time that a grace period may truly take, by clocks that are coarse and disagree.
    pub(crate) fn grace_min(&self) -> Duration {
        self.keeping.grace.saturating_sub(2 * self.resolution + 2 * self.disagreement)
    }

    /// Whether all goes well once nothing goes wrong. Where the store's clocks disagree by more than
    /// a lease, no answer can be believed for long.
    pub(crate) fn heals(&self) -> bool {
        2 * self.disagreement < LEASE
    }
}
