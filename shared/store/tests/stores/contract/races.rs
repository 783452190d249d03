//! The races on which the log rests: one creator of a key, no update lost.

use std::sync::Arc;

use bytes::Bytes;
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, PutOutcome, SharedStore};

use super::Fixture;

const ROUNDS: usize = 5;

pub async fn one_racer_creates_a_key(f: &Fixture) {
    for round in 0..ROUNDS {
        let name = format!("slot-{round}");
        let racers = (0..f.racers).map(|racer| {
            let (store, key) = (Arc::clone(&f.store), f.key(&name));
            tokio::spawn(async move {
                let body = Bytes::from(format!("racer {racer}"));
                let outcome = store.put(&key, body.clone().into(), PutCondition::IfAbsent).await.unwrap();
                matches!(outcome, PutOutcome::Stored { .. }).then_some(body)
            })
        });
        let ended = futures::future::join_all(racers).await;
        let winners: Vec<_> = ended.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!(winners.len(), 1, "{winners:?} all created one key");
        assert_eq!(f.found(&name).await.body, winners[0]);
    }
}

pub async fn compare_and_set_loses_no_update(f: &Fixture) {
    const INCREMENTS: usize = 10;
    f.store("counter", "0", PutCondition::IfAbsent).await;
    let racers = (0..f.racers).map(|_| {
        let (store, key) = (Arc::clone(&f.store), f.key("counter"));
        tokio::spawn(async move {
            for _ in 0..INCREMENTS {
                increment(&store, &key).await;
            }
        })
    });
    for racer in racers.collect::<Vec<_>>() {
        racer.await.unwrap();
    }
    assert_eq!(f.found("counter").await.body, (f.racers * INCREMENTS).to_string());
}

async fn increment(store: &SharedStore, key: &ObjectKey) {
    loop {
        let GetOutcome::Found(object) = store.get(key, GetOptions::default()).await.unwrap() else {
            panic!("the counter is gone")
        };
        let count: usize = std::str::from_utf8(&object.body).unwrap().parse().unwrap();
        let next = NewObject::from(Bytes::from((count + 1).to_string()));
        if let PutOutcome::Stored { .. } = store.put(key, next, PutCondition::IfMatch(object.tag)).await.unwrap() {
            return;
        }
    }
}
