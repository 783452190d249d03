//! Checkpoints and collection, as the rules allow them and no better: so that slots vanish under
//! those who are late.
//!
//! It works through the same network as the instances and is paused and killed like them.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::FutureExt;
use wadi_protocol::{Incarnation, StreamState, Timestamp};
use wadi_store::{
    GetOptions, GetOutcome, ListRequest, NewObject, ObjectKey, ObjectStore, ObjectTag, PutCondition, PutOutcome,
    StoreError,
};
use wadi_stream::{
    Checkpoint, Cover, Manifest, RecordId, incarnation_prefix,
    limits::{GRACE, LEASE},
    manifest_key,
};

use crate::{
    executor::{Group, WORLD},
    ghost::Said,
    plan::CollectorPlan,
    random::Rng,
    store::SimStore,
    world::{Stream, World},
};

/// Starts a collector in a group of its own.
pub(crate) fn start(world: &Arc<World>, life: u64) -> Option<Group> {
    let plan = world.plan.collector.clone()?;
    let group = world.sim.group();
    let mut collector = Collector::new(world, plan, group, life);
    let work = {
        let world = world.clone();
        async move {
            while !world.is_over() {
                let pause = collector.rng.duration(&collector.plan.every);
                world.sim.sleep(group, pause).await;
                let stream = collector.rng.pick(&world.streams).clone();
                // A pass that fails is made again some time.
                let _ = collector.pass(&stream).await;
            }
        }
    };
    world.sim.spawn(group, work.boxed());
    Some(group)
}

/// Collects until nothing is left to collect, in a world that has healed.
pub(crate) async fn finish(world: &Arc<World>) {
    let Some(plan) = world.plan.collector.clone() else { return };
    let mut collector = Collector::new(world, plan, WORLD, 1000);
    for _ in 0..3 {
        for stream in &world.streams {
            let _ = collector.pass(stream).await;
            let _ = collector.pass(stream).await;
        }
        world.sim.sleep(WORLD, collector.plan.grace + Duration::from_secs(5)).await;
    }
}

pub(crate) struct Collector {
    store: SimStore,
    plan: CollectorPlan,
    rng: Rng,
    /// When an incarnation was first seen to have been dropped.
    dropped: BTreeMap<Incarnation, Timestamp>,
}

/// A manifest as read.
struct Read {
    manifest: Manifest,
    tag: ObjectTag,
    date: Timestamp,
}

/// The fold from a checkpoint to the tail.
struct Tail {
    checkpoint: Checkpoint,
    state: StreamState,
}

impl Collector {
    fn new(world: &Arc<World>, plan: CollectorPlan, group: Group, life: u64) -> Self {
        let store =
            SimStore { network: world.network.clone(), group, label: format!("c.{life}").into(), smooth: plan.swift };
        Self { store, plan, rng: Rng::part(world.plan.seed, "collector", life), dropped: BTreeMap::new() }
    }

    /// One pass over one stream; `Ok(None)` when there was nothing to do or the race was lost.
    async fn pass(&mut self, stream: &Stream) -> Result<Option<()>, StoreError> {
        let key = manifest_key(&stream.key);
        let Some(read) = self.manifest(&key).await? else { return Ok(None) };
        let mut next = read.manifest.clone();
        self.collect_dropped(stream, &read, &mut next).await?;
        if !read.manifest.is_tombstone() {
            self.collect_slots(stream, &read, &mut next).await?;
            self.raise_floor(&read, &mut next);
            if self.rng.percent(80)
                && let Some(tail) = self.fold(stream, &read).await?
            {
                next.log.checkpoint = tail.checkpoint;
                next.state = Some(tail.state);
            }
        }
        if next == read.manifest {
            return Ok(None);
        }
        next.revision += 1;
        next.writer = format!("collector-{:016x}", self.rng.next());
        let bytes = next.to_json().map(Bytes::from).map_err(|error| unusable(&error.to_string()))?;
        let put = self.store.put(&key, NewObject::from(bytes), PutCondition::IfMatch(read.tag)).await?;
        Ok(matches!(put, PutOutcome::Stored { .. }).then_some(()))
    }

    async fn manifest(&self, key: &ObjectKey) -> Result<Option<Read>, StoreError> {
        match self.store.get(key, GetOptions::default()).await? {
            GetOutcome::Found(object) => {
                let manifest = Manifest::from_json(&object.body).map_err(|error| unusable(&error.to_string()))?;
                Ok(Some(Read { manifest, tag: object.tag, date: object.date }))
            }
            _ => Ok(None),
        }
    }

    /// Deletes what lies at or below the published floor, and says so in the next manifest.
    async fn collect_slots(&self, stream: &Stream, read: &Read, next: &mut Manifest) -> Result<(), StoreError> {
        let log = &read.manifest.log;
        let keys: Vec<ObjectKey> =
            (log.collected + 1..=log.floor).map(|seq| slot_key(stream, &read.manifest, seq)).collect();
        if !keys.is_empty() {
            self.store.delete_many(&keys).await?;
            next.log.collected = log.floor;
        }
        Ok(())
    }

    /// Raises the floor to what has been covered for long enough. A checkpoint counts as covered
    /// from the date of an answer that showed it, never from before it was published.
    fn raise_floor(&self, read: &Read, next: &mut Manifest) {
        let log = &mut next.log;
        let seen = Cover { seq: log.checkpoint.seq, date: read.date };
        if seen.seq > log.floor && log.covers.iter().all(|cover| cover.seq != seen.seq) {
            log.covers.push(seen);
        }
        let old = log.covers.iter().filter(|cover| cover.date.saturating_add(self.plan.grace) <= read.date);
        log.floor = old.map(|cover| cover.seq).max().unwrap_or(0).max(log.floor);
        let floor = log.floor;
        log.covers.retain(|cover| cover.seq > floor);
    }

    /// Reads on to the tail; `None` when an answer came too late to be believed, or nothing is new.
    async fn fold(&self, stream: &Stream, read: &Read) -> Result<Option<Tail>, StoreError> {
        let mut checkpoint = read.manifest.log.checkpoint.clone();
        let mut state = read.manifest.state_at_checkpoint();
        let first = checkpoint.seq;
        loop {
            let key = slot_key(stream, &read.manifest, checkpoint.seq + 1);
            let (object, date) = match self.store.get(&key, GetOptions::default()).await? {
                GetOutcome::Found(object) => (Some(object.body), object.date),
                GetOutcome::Missing { date } => (None, date),
                _ => return Ok(None),
            };
            if date.since(read.date) > LEASE {
                return Ok(None);
            }
            let Some(object) = object else { break };
            let Some(said) = Said::parse(&object).filter(|said| said.prev == checkpoint.id.as_str()) else {
                return Ok(None);
            };
            for operation in &said.operations {
                state.apply(operation, said.at).map_err(|error| unusable(&error.to_string()))?;
            }
            checkpoint = Checkpoint { seq: checkpoint.seq + 1, id: RecordId::root(said.id), at: said.at };
        }
        // The end of a stream is for the instances to complete.
        let usable = checkpoint.seq > first && state.deleted.is_none();
        Ok(usable.then_some(Tail { checkpoint, state }))
    }

    /// Removes the objects of incarnations that ended long enough ago.
    async fn collect_dropped(&mut self, stream: &Stream, read: &Read, next: &mut Manifest) -> Result<(), StoreError> {
        for dropped in &read.manifest.dropped {
            let seen = *self.dropped.entry(dropped.incarnation).or_insert(read.date);
            // The date in the manifest is from before it was put: it counts where no PUT takes as
            // long as the grace period.
            let since = if self.plan.grace == GRACE { dropped.date } else { seen };
            if since.saturating_add(self.plan.grace) > read.date {
                continue;
            }
            let prefix = format!("{}/", incarnation_prefix(&stream.key, dropped.incarnation));
            let listing = self.store.list(ListRequest { prefix, start_after: None, limit: 1000 }).await?;
            let keys: Vec<ObjectKey> = listing.objects.into_iter().map(|object| object.key).collect();
            if !keys.is_empty() {
                self.store.delete_many(&keys).await?;
            }
            if !listing.more {
                next.dropped.retain(|other| other.incarnation != dropped.incarnation);
            }
        }
        Ok(())
    }
}

fn slot_key(stream: &Stream, manifest: &Manifest, seq: u64) -> ObjectKey {
    ObjectKey::new(format!("{}/log/{seq:020}.rec", incarnation_prefix(&stream.key, manifest.incarnation())))
}

fn unusable(reason: &str) -> StoreError {
    StoreError::Unavailable { reason: reason.to_owned() }
}
