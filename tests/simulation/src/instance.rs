//! Instances: processes that share nothing but the bucket.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use wadi_protocol::Timestamp;
use wadi_stream::{Engine, EngineSettings, Fitness, Runtime, Sealing};

use crate::{
    executor::{Group, Sim},
    network::{Network, date},
    plan::Plan,
    random::Rng,
    store::SimStore,
};

/// The runtime of one instance: its clocks, its dice, its tasks.
struct SimRuntime {
    sim: Sim,
    group: Group,
    rng: Mutex<Rng>,
    skew_ms: Arc<AtomicI64>,
}

impl fmt::Debug for SimRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimRuntime").field("group", &self.group).finish_non_exhaustive()
    }
}

impl Runtime for SimRuntime {
    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.sim.spawn(self.group, task);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        self.sim.sleep(self.group, duration).boxed()
    }

    fn monotonic(&self) -> Duration {
        self.sim.local(self.group)
    }

    fn wall(&self) -> Timestamp {
        let millis = date(self.sim.now()).as_millis();
        Timestamp::from_millis(millis.saturating_add_signed(self.skew_ms.load(Ordering::Relaxed)))
    }

    fn random(&self) -> u64 {
        self.rng.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

/// One process.
pub(crate) struct Instance {
    pub(crate) group: Group,
    /// Its place and its life in it: `2.0`, and `2.1` after a restart.
    pub(crate) label: Arc<str>,
    pub(crate) engine: Engine,
    skew_ms: Arc<AtomicI64>,
}

/// What an instance is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Clients ask it.
    Serves,
    /// It seals and collects; `smooth`: nothing ever happens to it.
    Keeps { smooth: bool },
    /// It seals whatever there is to seal, at the end of the world.
    Finishes,
}

impl Role {
    /// The role of a place: those that serve come first, then those that keep.
    fn of(place: usize, plan: &Plan) -> Self {
        match place.checked_sub(plan.instances) {
            None => Self::Serves,
            Some(keeper) if keeper < plan.keeping.keepers => Self::Keeps { smooth: plan.keeping.swift && keeper == 0 },
            Some(_) => Self::Finishes,
        }
    }

    fn settings(self, plan: &Plan) -> EngineSettings {
        let background = self == Self::Serves && plan.keeping.background;
        EngineSettings {
            sealing: if background { Sealing::Background } else { Sealing::Elsewhere },
            seal_records: if self == Self::Finishes { 1 } else { plan.keeping.seal_records },
            grace: plan.keeping.grace,
            ..EngineSettings::default()
        }
    }
}

/// All instances, each in its place.
pub(crate) struct Fleet {
    sim: Sim,
    plan: Arc<Plan>,
    network: Arc<Network>,
    places: Mutex<Places>,
}

struct Places {
    rng: Rng,
    lives: Vec<u64>,
    here: Vec<Arc<Instance>>,
}

impl Fleet {
    pub(crate) fn new(sim: &Sim, plan: &Arc<Plan>, network: &Arc<Network>) -> Self {
        let places = Places { rng: Rng::part(plan.seed, "fleet", 0), lives: Vec::new(), here: Vec::new() };
        let fleet = Self { sim: sim.clone(), plan: plan.clone(), network: network.clone(), places: Mutex::new(places) };
        (0..plan.instances + plan.keeping.keepers).for_each(|_| {
            fleet.add();
        });
        fleet
    }

    fn places(&self) -> std::sync::MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more place, with an instance that knows nothing. Returns its number.
    pub(crate) fn add(&self) -> usize {
        let mut places = self.places();
        let index = places.here.len();
        places.lives.push(0);
        let instance = self.start(index, 0, &mut places.rng);
        places.here.push(instance);
        index
    }

    /// A new instance in the place of one that was killed.
    pub(crate) fn replace(&self, group: Group) {
        let mut places = self.places();
        let Some(index) = places.here.iter().position(|instance| instance.group == group) else { return };
        places.lives[index] += 1;
        let life = places.lives[index];
        let instance = self.start(index, life, &mut places.rng);
        places.here[index] = instance;
    }

    pub(crate) fn at(&self, index: usize) -> Arc<Instance> {
        self.places().here[index].clone()
    }

    /// Sets the wall clock of some instance forward or back.
    pub(crate) fn step_a_clock(&self) {
        let mut places = self.places();
        let index = {
            let count = places.here.len();
            places.rng.index(count)
        };
        let skew = self.skew(&mut places.rng);
        places.here[index].skew_ms.store(skew, Ordering::Relaxed);
    }

    /// Lets every paused instance go on.
    pub(crate) fn resume_all(&self) {
        self.places().here.iter().for_each(|instance| self.sim.resume(instance.group));
    }

    fn skew(&self, rng: &mut Rng) -> i64 {
        let span = i64::try_from(self.plan.chaos.skew.as_millis()).unwrap_or(i64::MAX / 4);
        let drawn = rng.below(2 * span.unsigned_abs() + 1);
        i64::try_from(drawn).unwrap_or(0) - span
    }

    fn start(&self, index: usize, life: u64, rng: &mut Rng) -> Arc<Instance> {
        let group = self.sim.group();
        let role = Role::of(index, &self.plan);
        let smooth = matches!(role, Role::Keeps { smooth: true });
        let label: Arc<str> = format!("{index}.{life}").into();
        let skew_ms = Arc::new(AtomicI64::new(self.skew(rng)));
        let runtime = SimRuntime {
            sim: self.sim.clone(),
            group,
            rng: Mutex::new(Rng::new(rng.next())),
            skew_ms: skew_ms.clone(),
        };
        let store = SimStore { network: self.network.clone(), group, label: label.clone(), smooth };
        let settings = role.settings(&self.plan);
        let engine = Engine::with_settings(Arc::new(store), Arc::new(runtime), Fitness::Proved, settings);
        Arc::new(Instance { group, label, engine, skew_ms })
    }
}
