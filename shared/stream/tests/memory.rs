//! What a process keeps in memory is a setting, and only a matter of costs.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use wadi_stream::EngineSettings;

/// GETs of a read of what the same process just wrote.
async fn gets_of_a_read(settings: EngineSettings) -> u64 {
    let world = World::new();
    let process = world.process_by(settings);
    process.create("s").await.unwrap();
    process.append("s", "kept").await.unwrap();
    let (read, cost) = process.counting(process.read("s")).await;
    assert_eq!(read.unwrap(), "kept");
    cost.get
}

#[tokio::test(start_paused = true)]
async fn a_process_without_room_for_payloads_or_states_asks_the_bucket_for_them() {
    let roomy = EngineSettings::default();
    assert_eq!(gets_of_a_read(roomy).await, 1);
    assert!(gets_of_a_read(EngineSettings { payload_cache_bytes: 0, ..roomy }).await > 1);
    assert!(gets_of_a_read(EngineSettings { state_cache_bytes: 0, ..roomy }).await > 1);
}
