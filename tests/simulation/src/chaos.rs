//! What happens to instances beside their requests: those that died come back, clocks step.

use std::sync::Arc;

use futures::{StreamExt, channel::mpsc::UnboundedReceiver};

use crate::{
    executor::{Group, WORLD},
    random::Rng,
    world::World,
};

/// Starts another instance in the place of each that was killed.
pub(crate) async fn revive(world: Arc<World>, mut kills: UnboundedReceiver<Group>) {
    let mut rng = Rng::part(world.plan.seed, "revive", 0);
    while let Some(group) = kills.next().await {
        let pause = rng.duration(&world.plan.chaos.restart_after);
        world.sim.sleep(WORLD, pause).await;
        world.fleet.replace(group);
    }
}

/// Steps a wall clock now and then.
pub(crate) async fn step_clocks(world: Arc<World>) {
    let Some(every) = world.plan.chaos.step_every else { return };
    let mut rng = Rng::part(world.plan.seed, "clocks", 0);
    while !world.is_over() {
        let pause = rng.duration(&(every / 10..=every * 10));
        world.sim.sleep(WORLD, pause).await;
        world.fleet.step_a_clock();
    }
}
