//! The world of one simulation, shared by everything in it.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::{
    FutureExt,
    channel::oneshot,
    future::{Either, select},
};
use wadi_protocol::{Account, StreamKey, StreamName};

use crate::{
    asking::Asking,
    executor::{Sim, WORLD},
    history::{Answer, Ask, Call, History},
    instance::{Fleet, Instance},
    network::Network,
    plan::Plan,
    random::Rng,
};

/// How long a client waits that waits for every answer.
const PATIENCE_MAX: Duration = Duration::from_mins(5);

/// A stream that clients work on.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) key: StreamKey,
    pub(crate) text: Arc<str>,
    pub(crate) json: bool,
}

/// Everything.
pub(crate) struct World {
    pub(crate) sim: Sim,
    pub(crate) plan: Arc<Plan>,
    pub(crate) network: Arc<Network>,
    pub(crate) fleet: Fleet,
    pub(crate) streams: Vec<Stream>,
    history: Mutex<History>,
    /// Until when everybody rests.
    rest_until: Mutex<Duration>,
    bodies: AtomicU64,
    finished: AtomicBool,
}

/// Who calls.
pub(crate) struct Client {
    pub(crate) name: Arc<str>,
    pub(crate) rng: Rng,
    /// The instance it stays with.
    pub(crate) home: Option<usize>,
}

impl World {
    pub(crate) fn new(sim: &Sim, plan: &Arc<Plan>, network: &Arc<Network>) -> Self {
        let mut rng = Rng::part(plan.seed, "streams", 0);
        let streams = (0..plan.streams).filter_map(|number| {
            let name = StreamName::upstream(&format!("stream-{number}")).ok()?;
            let key = StreamKey { account: Account::default_account(), name };
            Some(Stream { text: key.key_text().into(), key, json: rng.percent(30) })
        });
        Self {
            sim: sim.clone(),
            plan: plan.clone(),
            network: network.clone(),
            fleet: Fleet::new(sim, plan, network),
            streams: streams.collect(),
            history: Mutex::default(),
            rest_until: Mutex::default(),
            bodies: AtomicU64::new(0),
            finished: AtomicBool::new(false),
        }
    }

    pub(crate) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that no other body has.
    pub(crate) fn body_number(&self) -> u64 {
        self.bodies.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether clients should stop: enough was done, or an invariant is broken already.
    pub(crate) fn is_over(&self) -> bool {
        self.is_finished()
            || self.history().calls.len() >= self.plan.calls
            || !self.network.inner().ghost.violations.is_empty()
    }

    /// Calls on, but from now on only those that end the simulation.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }

    /// The pause between two calls of a client.
    pub(crate) async fn think(&self, client: &mut Client) {
        let think = client.rng.duration(&self.plan.clients.think);
        self.sim.sleep(WORLD, think).await;
        if client.rng.percent(self.plan.clients.rest) {
            let rest = client.rng.duration(&self.plan.clients.rest_for);
            *self.rest_until() = self.sim.now() + rest;
        }
        let rest = self.rest_until().saturating_sub(self.sim.now());
        if !rest.is_zero() && !self.is_over() {
            self.sim.sleep(WORLD, rest).await;
        }
    }

    fn rest_until(&self) -> MutexGuard<'_, Duration> {
        self.rest_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a call and waits for its answer, as long as the client has patience.
    pub(crate) async fn call(&self, client: &mut Client, stream: &Stream, ask: Ask) -> Answer {
        let instance = self.instance_for(client).await;
        let number = self.begin(client, &instance, stream, &ask);
        let (reply, answer) = oneshot::channel();
        let asking = Asking {
            engine: instance.engine.clone(),
            key: stream.key.clone(),
            lag: self.lag(client, &ask),
            sim: self.sim.clone(),
            group: instance.group,
        };
        let work = async move {
            let answer = asking.answer(ask).await;
            // The client may have gone away.
            let _ = reply.send(answer);
        };
        let task = self.sim.spawn(instance.group, work.boxed());
        let patience = client.rng.duration(&self.plan.clients.patience);
        let patience = if self.is_finished() { PATIENCE_MAX } else { patience };
        let answer = match select(answer, self.sim.sleep(WORLD, patience)).await {
            Either::Left((answer, _)) => answer.unwrap_or(Answer::Lost),
            Either::Right(_) => {
                if client.rng.percent(50) {
                    self.sim.abort(task);
                }
                Answer::Lost
            }
        };
        self.end(number, &answer);
        answer
    }

    /// How long a client takes between two pieces of an answer that comes in pieces: some take their time,
    /// while the stream goes on, is sealed and collected.
    fn lag(&self, client: &mut Client, ask: &Ask) -> Option<Duration> {
        let in_pieces = matches!(ask, Ask::Snapshot { .. } | Ask::Bootstrap(_)) && !self.is_finished();
        (in_pieces && client.rng.percent(40)).then(|| client.rng.duration(&self.plan.clients.think))
    }

    /// The instance that a client calls next: one that lives, though it may be paused.
    pub(crate) async fn instance_for(&self, client: &mut Client) -> Arc<Instance> {
        loop {
            let place = client.home.unwrap_or_else(|| client.rng.index(self.plan.instances));
            let instance = self.fleet.at(place);
            if self.sim.is_alive(instance.group) {
                return instance;
            }
            self.sim.sleep(WORLD, Duration::from_millis(client.rng.within(1..=100))).await;
        }
    }

    /// Takes note of how a call ended.
    pub(crate) fn end(&self, number: usize, answer: &Answer) {
        let returned = (self.sim.tick(), self.sim.now());
        if let Some(call) = self.history().calls.get_mut(number) {
            call.returned = Some(returned);
            call.answer = answer.clone();
        }
    }

    /// Takes note of a call that begins.
    pub(crate) fn begin(&self, client: &Client, instance: &Instance, stream: &Stream, ask: &Ask) -> usize {
        let invoked = (self.sim.tick(), self.sim.now());
        let mut history = self.history();
        let number = history.calls.len();
        history.calls.push(Call {
            number,
            client: client.name.clone(),
            instance: instance.label.clone(),
            stream: stream.text.clone(),
            ask: ask.clone(),
            invoked,
            returned: None,
            answer: Answer::Lost,
        });
        number
    }
}
