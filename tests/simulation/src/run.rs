//! One simulation from its seed to its verdict.

use std::{collections::BTreeMap, sync::Arc};

use futures::{FutureExt, channel::oneshot, future::join_all};

use crate::{
    chaos,
    check::{self, Evidence},
    coverage, epilogue,
    executor::{Ended, Sim, WORLD},
    keeper,
    network::Network,
    plan::Plan,
    random::Rng,
    story,
    violation::Violation,
    workload,
    world::World,
};

/// What came of a seed.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// Calls that clients made.
    pub calls: usize,
    /// Requests that reached the network.
    pub requests: usize,
    /// What is broken; empty when all is well.
    pub violations: Vec<Violation>,
    /// What happened how often.
    pub coverage: BTreeMap<String, u64>,
    /// The story of the first violation.
    pub story: Option<String>,
    /// Every request and every call, a line each.
    pub trace: Vec<String>,
}

/// Runs the simulation of a seed. With `trace` the report holds everything that happened.
pub fn simulate(seed: u64, trace: bool) -> Report {
    let plan = Arc::new(Plan::of(seed));
    let sim = Sim::new(Rng::part(seed, "scheduler", 0));
    let (network, kills) = Network::new(&sim, &plan);
    let world = Arc::new(World::new(&sim, &plan, &network));
    sim.spawn(WORLD, chaos::revive(world.clone(), kills).boxed());
    sim.spawn(WORLD, chaos::step_clocks(world.clone()).boxed());
    keeper::start(&world);
    let clients = workload::clients(&world);
    let ended = {
        let world = world.clone();
        sim.run(async move {
            let tasks = clients.into_iter().map(|client| {
                let (done, over) = oneshot::channel();
                world.sim.spawn(WORLD, client.map(|()| done.send(()).unwrap_or_default()).boxed());
                over
            });
            join_all(tasks.collect::<Vec<_>>()).await;
            epilogue::run(world).await;
        })
    };
    let report = report(seed, trace, ended, &world);
    sim.shut_down();
    report
}

fn report(seed: u64, trace: bool, ended: Ended, world: &World) -> Report {
    let keys = world.network.keys();
    let history = world.history();
    let inner = world.network.inner();
    let mut violations = inner.ghost.violations.clone();
    if ended != Ended::Done {
        violations.push(Violation::new("goes on", format!("the simulation ended: {ended:?}")));
    }
    if violations.is_empty() {
        let evidence = Evidence { plan: &world.plan, ghost: &inner.ghost, calls: &history.calls, keys: &keys };
        violations.extend(check::all(&evidence));
    }
    let tell = |violation| story::tell(violation, seed, &history.calls, &inner.trace, &inner.ghost);
    let mut lines = Vec::new();
    if trace {
        lines.extend(inner.trace.iter().map(ToString::to_string));
        lines.extend(history.calls.iter().map(ToString::to_string));
    }
    Report {
        seed,
        calls: history.calls.len(),
        requests: inner.trace.len(),
        coverage: coverage::count(&inner.ghost, &history.calls, &inner.trace),
        story: violations.first().map(tell),
        violations,
        trace: lines,
    }
}
