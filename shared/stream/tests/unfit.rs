//! A store that was not proved to honour its conditions: nothing is ever acknowledged on it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use wadi_protocol::{CreateRequest, Lifetime, Refusal};
use wadi_store::RequestCounts;
use wadi_stream::Fitness;

#[tokio::test(start_paused = true)]
async fn a_store_that_is_not_proved_takes_no_write_and_answers_reads() {
    let world = World::new();
    let process = world.process();
    process.create("s").await.unwrap();
    process.append("s", "x").await.unwrap();
    let lifetime = Lifetime::Ttl { seconds: 100 };
    process.engine.create(&key("t"), CreateRequest { lifetime, ..create() }).await.unwrap();
    for fitness in [Fitness::Untested, Fitness::Unfit { probe: "a stale update succeeded".to_owned() }] {
        process.engine.set_fitness(fitness.clone());
        assert_eq!(process.engine.fitness(), fitness);
        let ((), cost) = process
            .counting(async {
                let refused = [
                    process.append("s", "y").await.map(drop),
                    process.close("s").await.map(drop),
                    process.delete("s").await,
                    process.create("s").await.map(drop),
                    process.create("fresh").await.map(drop),
                ];
                for refused in refused {
                    assert!(matches!(refused, Err(Refusal::StoreUnfit { .. } | Refusal::StoreUntested)), "{refused:?}");
                }
            })
            .await;
        assert_eq!(cost, RequestCounts::default());
        assert_eq!(process.read("s").await.unwrap(), "x");
        pass(secs(30)).await;
        assert_eq!(process.read("t").await.unwrap(), "", "read, though it cannot be renewed");
    }
    pass(secs(41)).await;
    let expired = process.read("t").await;
    assert!(
        matches!(expired, Err(Refusal::StoreUnfit { .. } | Refusal::StoreUntested)),
        "nobody may say that it ended: {expired:?}"
    );
    process.engine.set_fitness(Fitness::Proved);
    assert_eq!(process.read("t").await, Err(Refusal::StreamNotFound));
    process.append("s", "y").await.unwrap();
    assert_eq!(process.read("s").await.unwrap(), "xy");
}
