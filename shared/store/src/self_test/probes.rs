//! The probes, one a function.

use bytes::Bytes;
use futures::future::join_all;

use super::{Probe, Unfit};
use crate::{
    GetOptions, GetOutcome, NewObject, ObjectKey, ObjectStore, ObjectTag, PutCondition, PutOutcome, StoredObject,
};

/// More at once make some stores stall for seconds; three suffice to find one that does not serialise.
const RACERS: usize = 3;
const ROUNDS: usize = 5;

const OBJECT: &str = "object";
const MISSING: &str = "missing";
const RACED_UPDATE: &str = "raced-update";

pub(super) struct Probes<'s> {
    store: &'s dyn ObjectStore,
    prefix: String,
}

impl<'s> Probes<'s> {
    pub(super) fn new(store: &'s dyn ObjectStore, unique_id: &str) -> Self {
        Self { store, prefix: format!("selftest/{unique_id}/") }
    }

    pub(super) async fn run(&self) -> Result<(), Unfit> {
        self.create_once().await?;
        self.range_read().await?;
        self.updates().await?;
        self.update_of_missing().await?;
        for round in 0..ROUNDS {
            self.concurrent_creates(round).await?;
        }
        self.concurrent_updates().await
    }

    /// Deletes whatever the probes have made, and checks that it is gone.
    pub(super) async fn clear(&self) -> Result<(), Unfit> {
        let slots = (0..ROUNDS).map(raced_create);
        let names = [OBJECT, MISSING, RACED_UPDATE].map(str::to_owned).into_iter().chain(slots);
        let keys: Vec<_> = names.map(|name| self.key(&name)).collect();
        self.store.delete_many(&keys).await.map_err(|source| Unfit::Unproved { probe: Probe::Delete, source })?;
        match self.get(Probe::Delete, OBJECT, GetOptions::default()).await? {
            GetOutcome::Missing { .. } => Ok(()),
            other => Err(broken(Probe::Delete, format!("it answered {}", told(&other)))),
        }
    }

    async fn create_once(&self) -> Result<(), Unfit> {
        let tag = self.store_first(Probe::CreateOnce, OBJECT, "first").await?;
        self.must_see(Probe::ReadSeesWrite, OBJECT, "first", &tag).await?;
        self.must_fail(Probe::CreateOnce, OBJECT, "second", PutCondition::IfAbsent).await?;
        self.must_see(Probe::FailedWriteChangesNothing, OBJECT, "first", &tag).await
    }

    async fn range_read(&self) -> Result<(), Unfit> {
        let options = GetOptions { range: Some(1..4), ..GetOptions::default() };
        match self.get(Probe::RangeRead, OBJECT, options).await? {
            GetOutcome::Found(StoredObject { body, size: 5, .. }) if body == "irs" => Ok(()),
            other => Err(broken(Probe::RangeRead, format!("for bytes 1 to 3 of 5 it answered {}", told(&other)))),
        }
    }

    async fn updates(&self) -> Result<(), Unfit> {
        let stale = self.tag(Probe::CurrentUpdate, OBJECT).await?;
        let update = self.put(Probe::CurrentUpdate, OBJECT, "second", PutCondition::IfMatch(stale.clone())).await?;
        let PutOutcome::Stored { tag, .. } = update else {
            return Err(broken(Probe::CurrentUpdate, format!("it answered {update:?}")));
        };
        self.must_see(Probe::ReadSeesWrite, OBJECT, "second", &tag).await?;
        self.must_fail(Probe::StaleUpdate, OBJECT, "third", PutCondition::IfMatch(stale)).await?;
        self.must_see(Probe::FailedWriteChangesNothing, OBJECT, "second", &tag).await
    }

    async fn update_of_missing(&self) -> Result<(), Unfit> {
        let tag = self.tag(Probe::UpdateOfMissing, OBJECT).await?;
        self.must_fail(Probe::UpdateOfMissing, MISSING, "x", PutCondition::IfMatch(tag)).await
    }

    async fn concurrent_creates(&self, round: usize) -> Result<(), Unfit> {
        self.race(Probe::ConcurrentCreates, &raced_create(round), round, &PutCondition::IfAbsent).await
    }

    async fn concurrent_updates(&self) -> Result<(), Unfit> {
        let probe = Probe::ConcurrentUpdates;
        let mut tag = self.store_first(probe, RACED_UPDATE, "start").await?;
        for round in 0..ROUNDS {
            self.race(probe, RACED_UPDATE, round, &PutCondition::IfMatch(tag)).await?;
            tag = self.tag(probe, RACED_UPDATE).await?;
        }
        Ok(())
    }

    /// Several writes of one key at once: one must succeed, and its bytes must be there.
    ///
    /// No two bodies of one key are equal: on many stores equal bytes have equal tags, so that a second
    /// update could rightly succeed after a first one that changed nothing.
    async fn race(&self, probe: Probe, name: &str, round: usize, condition: &PutCondition) -> Result<(), Unfit> {
        let bodies: Vec<_> = (0..RACERS).map(|racer| format!("round {round}, racer {racer}")).collect();
        let racers = bodies.iter().map(|body| self.put(probe, name, body, condition.clone()));
        let outcomes = join_all(racers).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let winners: Vec<_> = outcomes
            .into_iter()
            .zip(&bodies)
            .filter_map(
                |(outcome, body)| if let PutOutcome::Stored { tag, .. } = outcome { Some((tag, body)) } else { None },
            )
            .collect();
        match winners.as_slice() {
            [(tag, body)] => self.must_see(probe, name, body, tag).await,
            _ => Err(broken(probe, format!("{} of {RACERS} succeeded", winners.len()))),
        }
    }

    async fn store_first(&self, probe: Probe, name: &str, body: &str) -> Result<ObjectTag, Unfit> {
        match self.put(probe, name, body, PutCondition::IfAbsent).await? {
            PutOutcome::Stored { tag, .. } => Ok(tag),
            other => Err(broken(probe, format!("the first write of a new key was answered {other:?}"))),
        }
    }

    async fn must_fail(&self, probe: Probe, name: &str, body: &str, condition: PutCondition) -> Result<(), Unfit> {
        match self.put(probe, name, body, condition).await? {
            PutOutcome::PreconditionFailed { .. } => Ok(()),
            other => Err(broken(probe, format!("it answered {other:?}"))),
        }
    }

    async fn must_see(&self, probe: Probe, name: &str, body: &str, tag: &ObjectTag) -> Result<(), Unfit> {
        match self.get(probe, name, GetOptions::default()).await? {
            GetOutcome::Found(object) if object.body == body && object.tag == *tag => Ok(()),
            other => Err(broken(probe, format!("after the write of {body:?} a read answered {}", told(&other)))),
        }
    }

    async fn tag(&self, probe: Probe, name: &str) -> Result<ObjectTag, Unfit> {
        match self.get(probe, name, GetOptions::default()).await? {
            GetOutcome::Found(object) => Ok(object.tag),
            other => Err(broken(probe, format!("a read answered {}", told(&other)))),
        }
    }

    async fn put(&self, probe: Probe, name: &str, body: &str, condition: PutCondition) -> Result<PutOutcome, Unfit> {
        let object = NewObject::from(Bytes::copy_from_slice(body.as_bytes()));
        let outcome = self.store.put(&self.key(name), object, condition).await;
        outcome.map_err(|source| Unfit::Unproved { probe, source })
    }

    async fn get(&self, probe: Probe, name: &str, options: GetOptions) -> Result<GetOutcome, Unfit> {
        let outcome = self.store.get(&self.key(name), options).await;
        outcome.map_err(|source| Unfit::Unproved { probe, source })
    }

    fn key(&self, name: &str) -> ObjectKey {
        ObjectKey::new(format!("{}{name}", self.prefix))
    }
}

fn raced_create(round: usize) -> String {
    format!("raced-create-{round}")
}

fn broken(probe: Probe, seen: String) -> Unfit {
    Unfit::Broken { probe, seen }
}

/// An answer in few words.
fn told(outcome: &GetOutcome) -> String {
    match outcome {
        GetOutcome::Found(object) => format!("{:?} ({} bytes in all, ETag {})", object.body, object.size, object.tag.0),
        other => format!("{other:?}"),
    }
}
