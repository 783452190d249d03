//! The network between instances and the one bucket: every request travels as a task of the world,
//! so that it goes on when the instance that sent it is paused or killed.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures::{
    FutureExt,
    channel::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded},
        oneshot,
    },
};
use wadi_protocol::Timestamp;
use wadi_store::{MemoryStore, PutOutcome, StoreError};

use crate::{
    executor::{Group, Sim, WORLD},
    fate::{Event, Fate},
    ghost::{Ghost, When},
    plan::Plan,
    random::Rng,
    request::{Reply, Request},
    servers::Servers,
    store::SimStore,
    trace::StoreRequest,
};

/// Where virtual time starts.
pub(crate) const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// The bucket and the ways to it.
pub(crate) struct Network {
    sim: Sim,
    plan: Arc<Plan>,
    pub(crate) bucket: MemoryStore,
    inner: Mutex<Inner>,
    healed: AtomicBool,
    killed: UnboundedSender<Group>,
    servers: Servers,
}

pub(crate) struct Inner {
    rng: Rng,
    pub(crate) ghost: Ghost,
    pub(crate) trace: Vec<StoreRequest>,
    /// Requests that may still take effect.
    under_way: usize,
    /// Until when instances are cut off.
    outages: BTreeMap<Group, Duration>,
}

impl Network {
    /// The network, and the instances it kills.
    pub(crate) fn new(sim: &Sim, plan: &Arc<Plan>) -> (Arc<Self>, UnboundedReceiver<Group>) {
        let (killed, kills) = unbounded();
        let (clock, resolution) = (sim.clone(), plan.resolution);
        let bucket = MemoryStore::new(Arc::new(move || floored(date(clock.now()), resolution)));
        let rng = Rng::part(plan.seed, "network", 0);
        let inner = Inner {
            rng,
            ghost: Ghost::new(plan.grace_min()),
            trace: Vec::new(),
            under_way: 0,
            outages: BTreeMap::new(),
        };
        let network = Self {
            sim: sim.clone(),
            plan: plan.clone(),
            bucket,
            inner: Mutex::new(inner),
            healed: AtomicBool::new(false),
            killed,
            servers: Servers::new(plan),
        };
        (Arc::new(network), kills)
    }

    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on nothing goes wrong any more.
    pub(crate) fn heal(&self) {
        self.healed.store(true, Ordering::Relaxed);
    }

    /// Whether all that was sent has arrived.
    pub(crate) fn is_quiet(&self) -> bool {
        self.inner().under_way == 0
    }

    fn is_healed(&self) -> bool {
        self.healed.load(Ordering::Relaxed)
    }

    /// Takes a request of an instance to the store and back.
    pub(crate) async fn send(self: &Arc<Self>, request: Request, from: &SimStore) -> Reply {
        let fate = if from.smooth { Fate::smooth() } else { self.draw(&request, from.group) };
        if let Some(queue) = fate.queue {
            self.sim.sleep(from.group, queue).await;
        }
        let number = self.note(&from.label, &request, fate.event);
        let (reply, answer) = oneshot::channel();
        let disturbed = if from.smooth { WORLD } else { from.group };
        self.sim.spawn(WORLD, self.clone().carry(number, request, fate, reply, disturbed).boxed());
        let gone = |_| Reply::Failed(StoreError::Unavailable { reason: "the network is gone".to_owned() });
        answer.await.unwrap_or_else(gone)
    }

    /// How coarse the store's dates are.
    pub(crate) fn resolution(&self) -> Duration {
        self.plan.resolution
    }

    fn draw(&self, request: &Request, group: Group) -> Fate {
        if self.is_healed() {
            return Fate::smooth();
        }
        let (plan, now) = (&self.plan.network, self.sim.now());
        let mut inner = self.inner();
        if inner.rng.millionths(plan.outage) {
            let end = now + inner.rng.duration(&plan.outage_for);
            inner.outages.insert(group, end);
        }
        let cut_off = inner.outages.get(&group).is_some_and(|end| now < *end);
        Fate::draw(plan, &mut inner.rng, request.kind(), cut_off)
    }

    /// Pauses or kills an instance at a moment that matters to it: around a request.
    fn disturb(&self, group: Group) {
        if group == WORLD || self.is_healed() || !self.sim.is_running(group) {
            return;
        }
        let chaos = &self.plan.chaos;
        let mut inner = self.inner();
        let (pause, kill) = (inner.rng.millionths(chaos.pause), inner.rng.millionths(chaos.kill));
        let pause_for = inner.rng.duration(&chaos.pause_for);
        drop(inner);
        if kill {
            self.sim.kill(group);
            // The fleet may have been taken down already.
            let _ = self.killed.unbounded_send(group);
        } else if pause {
            self.sim.pause(group);
            let sim = self.sim.clone();
            let resume = async move {
                sim.sleep(WORLD, pause_for).await;
                sim.resume(group);
            };
            self.sim.spawn(WORLD, resume.boxed());
        }
    }

    fn note(&self, from: &Arc<str>, request: &Request, event: Event) -> usize {
        let sent = (self.sim.tick(), self.sim.now());
        let mut inner = self.inner();
        inner.under_way += 1;
        inner.trace.push(StoreRequest {
            instance: from.to_string(),
            what: request.to_string(),
            sent,
            event,
            applied: None,
            answer: String::new(),
            answered: None,
        });
        inner.trace.len() - 1
    }

    /// Carries one request to the store and its answer back.
    async fn carry(
        self: Arc<Self>,
        number: usize,
        request: Request,
        fate: Fate,
        reply: oneshot::Sender<Reply>,
        group: Group,
    ) {
        self.disturb(group);
        self.sim.sleep(WORLD, fate.out).await;
        let unavailable = || Err(StoreError::Unavailable { reason: "simulated".to_owned() });
        let mut late = None;
        let answer = match fate.event {
            Event::Delivered => self.apply(number, &request),
            Event::AnswerLost => {
                let _ = self.apply(number, &request);
                unavailable()
            }
            Event::Repeated => {
                let _ = self.apply(number, &request);
                self.apply(number, &request)
            }
            Event::Late(delay) => {
                late = Some(delay);
                unavailable()
            }
            Event::LostBefore | Event::ServerError => unavailable(),
            Event::NotSent => Err(StoreError::NotSent { reason: "simulated".to_owned() }),
            Event::Rejected => {
                let (code, message) = ("AccessDenied".to_owned(), "simulated".to_owned());
                Err(StoreError::Rejected { status: 403, code, message })
            }
            Event::Conflict => Ok(Reply::conflict(self.date())),
        };
        let answer = answer.unwrap_or_else(Reply::Failed);
        self.disturb(group);
        if let Some(delay) = late {
            let (network, request) = (self.clone(), request.clone());
            let land = async move {
                network.sim.sleep(WORLD, delay).await;
                let _ = network.apply(number, &request);
                network.inner().under_way -= 1;
            };
            self.sim.spawn(WORLD, land.boxed());
        } else {
            self.inner().under_way -= 1;
        }
        self.sim.sleep(WORLD, fate.back).await;
        let answered = (self.sim.tick(), self.sim.now());
        if let Some(line) = self.inner().trace.get_mut(number) {
            line.answer = answer.to_string();
            line.answered = Some(answered);
        }
        // The instance may have given up, or be gone.
        let _ = reply.send(answer);
    }

    /// The moment at which a request takes effect.
    fn apply(&self, number: usize, request: &Request) -> Result<Reply, StoreError> {
        let when = When {
            tick: self.sim.tick(),
            time: self.sim.now(),
            date: date(self.sim.now()),
            date_max: date(self.sim.now() + self.plan.disagreement),
        };
        let mut reply = request.apply(&self.bucket)?;
        let mut inner = self.inner();
        self.servers.date(request, &mut reply, &mut inner.rng);
        if let Some(line) = inner.trace.get_mut(number) {
            line.applied = Some((when.tick, when.time));
        }
        match (request, &reply) {
            (Request::Put(key, object, _), Reply::Put(PutOutcome::Stored { .. })) => {
                inner.ghost.put(key.as_str(), object, when);
            }
            (Request::Delete(keys), Reply::Deleted(_)) => {
                for key in keys {
                    inner.ghost.deleted(key.as_str(), when);
                }
            }
            _ => {}
        }
        Ok(reply)
    }

    fn date(&self) -> Timestamp {
        floored(date(self.sim.now()), self.plan.resolution)
    }
}

/// The store's true time.
pub(crate) fn date(now: Duration) -> Timestamp {
    START.saturating_add(now)
}

/// A date as coarse as the store tells it.
pub(crate) fn floored(date: Timestamp, resolution: Duration) -> Timestamp {
    let step = u64::try_from(resolution.as_millis()).unwrap_or(1).max(1);
    Timestamp::from_millis(date.as_millis() / step * step)
}
