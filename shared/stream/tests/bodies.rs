//! Large payloads under contention: stored once, apart from the records that race.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use common::*;
use wadi_protocol::Refusal;
use wadi_store::{After, Before, Call, Fault, FaultHook, ObjectKey, Operation, Request};

/// Before each of a process's first `races` records is sent, another process takes its slot.
struct Rival {
    other: Process,
    races: Mutex<u32>,
}

#[async_trait]
impl FaultHook for Rival {
    async fn before(&self, request: &Request<'_>) -> Before {
        let slot = request.operation() == Operation::Put && request.mentions("/log/");
        if slot && std::mem::take(&mut *self.races.lock().unwrap()) > 0 {
            self.other.append("s", ".").await.unwrap();
        }
        Before::Proceed
    }

    async fn after(&self, _request: &Request<'_>, _applied: bool) -> After {
        After::Deliver
    }
}

fn payload(bytes: usize) -> Bytes {
    (0..bytes).map(|n| u8::try_from(n % 251).unwrap()).collect()
}

/// A process that loses its first `races` races.
async fn contended(world: &World, races: u32) -> (Process, Arc<Rival>) {
    let other = world.process();
    other.create("s").await.unwrap();
    let rival = Arc::new(Rival { other, races: Mutex::new(races) });
    (world.process_with(rival.clone()), rival)
}

async fn bodies(world: &World) -> Vec<ObjectKey> {
    world.keys("ds/", "/body/").await
}
