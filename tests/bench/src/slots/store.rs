//! The floor: what the store itself takes, through the same client.

use bytes::Bytes;
use wadi_store::{GetOptions, GetOutcome, NewObject, ObjectKey, PutCondition, PutOutcome, SharedStore};

use crate::{failure::Failure, load::Slot, requests::Requests, sample::Step};

/// Puts objects, each if absent, under keys like those of records.
#[derive(Debug)]
pub(crate) struct PutSlot {
    store: SharedStore,
    prefix: String,
    next: u64,
    body: Bytes,
    amount: u64,
}

/// Reads objects whole, one after the other, again and again.
#[derive(Debug)]
pub(crate) struct GetSlot {
    store: SharedStore,
    keys: Vec<ObjectKey>,
    next: usize,
}

impl PutSlot {
    /// Puts `body` under keys of its own, which begin with `name`; each counts `amount`.
    pub(crate) fn new(store: SharedStore, name: &str, body: Bytes, amount: u64) -> Self {
        let prefix = format!("ds/default/{name}/incarnation/4503599627370496/log");
        Self { store, prefix, next: 0, body, amount }
    }
}

impl Slot for PutSlot {
    async fn step(&mut self) -> Result<Step, Failure> {
        self.next += 1;
        let key = ObjectKey::new(format!("{}/{:020}.rec", self.prefix, self.next));
        let outcome = self.store.put(&key, NewObject::from(self.body.clone()), PutCondition::IfAbsent).await;
        let acknowledged = matches!(outcome, Ok(PutOutcome::Stored { .. }));
        Ok(Step { acknowledged, ..Step::done(self.amount, Requests::ONE_PUT) })
    }
}

impl GetSlot {
    /// Puts `bytes` bytes as objects of at most `each` bytes, and reads those.
    pub(crate) async fn fill(store: SharedStore, name: &str, bytes: u64, each: u64) -> Result<Self, Failure> {
        let mut keys = Vec::new();
        let mut start = 0;
        while start < bytes {
            let length = each.min(bytes - start);
            let body = super::noise(usize::try_from(length).map_err(Failure::setting)?);
            let key = ObjectKey::new(format!("ds/default/{name}/incarnation/4503599627370496/chunk/{start:020}"));
            store.put(&key, NewObject::from(body), PutCondition::Always).await?;
            keys.push(key);
            start += length;
        }
        Ok(Self { store, keys, next: 0 })
    }
}

impl Slot for GetSlot {
    async fn step(&mut self) -> Result<Step, Failure> {
        let key = &self.keys[self.next];
        self.next = (self.next + 1) % self.keys.len();
        match self.store.get(key, GetOptions::default()).await? {
            GetOutcome::Found(object) => Ok(Step::done(object.body.len() as u64, Requests::ONE_GET)),
            _ => Err(Failure::Late("an object that was put")),
        }
    }
}
