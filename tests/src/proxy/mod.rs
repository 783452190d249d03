//! A proxy in front of the S3 server, which does to requests what networks and stores do.
//!
//! A server is started on [`Proxy::bucket`]. A test says with [`Rule`]s what befalls which requests, or
//! shuffles a [`Deck`] of faults, and looks afterwards at what was asked of the store.

mod answer;
mod clock;
mod deck;
mod fault;
mod forward;
mod gate;
mod matcher;
mod rule;
mod script;
mod seen;
mod serve;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{net::TcpListener, task::JoinHandle};

use self::{clock::Clock, forward::Upstream, script::Script};
pub use self::{
    deck::Deck,
    fault::Fault,
    gate::Gate,
    matcher::Matcher,
    rule::Rule,
    seen::{Condition, Seen, Verb},
};
use crate::bucket::Bucket;

/// A running proxy. Dropping it cuts every connection through it.
#[derive(Debug)]
pub struct Proxy {
    bucket: Bucket,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

/// What all connections share.
#[derive(Debug)]
struct Shared {
    upstream: Upstream,
    /// What the paths of this bucket begin with, slashes included.
    root: String,
    script: Mutex<Script>,
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Proxy {
    /// Starts a proxy for a bucket, on a free port of the loopback interface.
    pub async fn before(bucket: &Bucket) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the address just bound");
        let place = bucket.store.strip_prefix("s3://").expect("a store on S3");
        let shared = Arc::new(Shared {
            upstream: Upstream::new(&bucket.endpoint),
            root: format!("/{place}/"),
            script: Mutex::default(),
        });
        let accepting = tokio::spawn(serve::accept(listener, shared.clone()));
        let bucket = Bucket { endpoint: format!("http://{address}"), ..bucket.clone() };
        Self { bucket, shared, accepting }
    }

    /// The bucket as it is reached through this proxy.
    pub fn bucket(&self) -> &Bucket {
        &self.bucket
    }

    /// Applies a rule from now on, before those given earlier.
    pub fn apply(&self, rule: Rule) {
        self.shared.script().rules.insert(0, rule);
    }

    /// Holds the next request that fits back from the store until the gate is opened.
    pub fn hold(&self, matcher: Matcher) -> Gate {
        let gate = Gate::default();
        self.apply(Rule::new(matcher, Fault::Hold(gate.clone())));
        gate
    }

    /// Hands the next request that fits to the store, and holds its answer until the gate is opened.
    pub fn hold_answer(&self, matcher: Matcher) -> Gate {
        let gate = Gate::default();
        self.apply(Rule::new(matcher, Fault::HoldAnswer(gate.clone())));
        gate
    }

    /// Deals the faults of a deck to the requests from now on.
    pub fn deal(&self, deck: Deck) {
        self.shared.script().deck = deck;
    }

    /// Faults of the deck that have not been dealt yet.
    pub fn undealt(&self) -> usize {
        self.shared.script().deck.len()
    }

    /// Every rule and the deck end here; what is held stays held.
    pub fn heal(&self) {
        let mut script = self.shared.script();
        script.rules.clear();
        script.deck = Deck::default();
    }

    /// From now on the store's clock is ahead by this much.
    pub fn turn_clock_ahead(&self, by: Duration) {
        self.shared.script().clock = Some(Clock::ahead(by));
    }

    /// The rules end here for keys that contain `part`.
    pub fn spare(&self, part: &str) {
        self.shared.script().spared.push(part.to_owned());
    }

    /// Forgets the requests seen so far.
    pub fn forget(&self) {
        self.shared.script().forget();
    }

    /// The requests seen since the start or the last [`Self::forget`], as they arrived.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.script().seen().to_vec()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}
