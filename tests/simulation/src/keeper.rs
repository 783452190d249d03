//! Those that seal and collect beside the instances that serve: processes of their own, which share
//! nothing with them but the bucket, and are paused and killed like them.

use std::{sync::Arc, time::Duration};

use futures::{
    FutureExt,
    channel::oneshot,
    future::{Either, select},
};
use wadi_protocol::StreamKey;
use wadi_stream::{Engine, SweepScope};

use crate::{executor::WORLD, random::Rng, world::World};

/// How often everything is swept at the end. What one pass leaves another one finds when a grace
/// period has passed: what ended, what it left, and what nobody had named until then.
const LAST_SWEEPS: usize = 5;

/// What a keeper does.
#[derive(Clone, Debug)]
enum Chore {
    Seal(StreamKey),
    Collect(StreamKey),
    Sweep(SweepScope),
}

impl Chore {
    fn draw(rng: &mut Rng, world: &World) -> Self {
        let key = rng.pick(&world.streams).key.clone();
        match rng.below(20) {
            0..=9 => Self::Seal(key),
            10..=16 => Self::Collect(key),
            17 => Self::Sweep(SweepScope::Recent),
            _ => Self::Sweep(SweepScope::Full),
        }
    }

    /// What fails is done again some time.
    async fn run(self, engine: &Engine) {
        match self {
            Self::Seal(key) => drop(engine.seal(&key).await),
            Self::Collect(key) => drop(engine.collect(&key).await),
            Self::Sweep(scope) => drop(engine.sweep(scope, &|_| {}).await),
        }
    }
}

/// Starts all keepers of a world.
pub(crate) fn start(world: &Arc<World>) {
    for number in 0..world.plan.keeping.keepers {
        world.sim.spawn(WORLD, keep(world.clone(), number).boxed());
    }
}

async fn keep(world: Arc<World>, number: usize) {
    let mut rng = Rng::part(world.plan.seed, "keeper", number as u64);
    while !world.is_over() {
        world.sim.sleep(WORLD, rng.duration(&world.plan.keeping.every)).await;
        let instance = world.fleet.at(world.plan.instances + number);
        let chore = Chore::draw(&mut rng, &world);
        let (done, over) = oneshot::channel();
        let engine = instance.engine.clone();
        let work = async move {
            chore.run(&engine).await;
            // Whoever asked for it may have turned to something else.
            let _ = done.send(());
        };
        world.sim.spawn(instance.group, work.boxed());
        let patience = rng.duration(&(Duration::from_secs(1)..=Duration::from_mins(5)));
        match select(over, world.sim.sleep(WORLD, patience)).await {
            Either::Left(_) | Either::Right(_) => {}
        }
    }
}

/// Seals and collects with the instance in a place, in a world that has healed, until nothing is left
/// to collect.
pub(crate) async fn finish(world: &Arc<World>, place: usize) {
    let engine = world.fleet.at(place).engine.clone();
    let plan = &world.plan;
    for _ in 0..LAST_SWEEPS {
        for stream in &world.streams {
            Chore::Seal(stream.key.clone()).run(&engine).await;
        }
        Chore::Sweep(SweepScope::Full).run(&engine).await;
        let more = 4 * plan.disagreement + 4 * plan.resolution + Duration::from_secs(5);
        world.sim.sleep(WORLD, plan.keeping.grace + more).await;
    }
}
