//! What holds of every stream, whatever is asked of it and in whatever order.
//!
//! A walk makes random requests of one stream, folds what they commit, and keeps a small model
//! beside it: bytes, and what each producer applied.

#![allow(clippy::unwrap_used, reason = "what a walk commits can be applied")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{
    Decision, Moment, decide_delete, decide_touch, decide_write,
    fixtures::*,
    random_tests::{Step, lifetimes, steps},
};
use crate::{
    DeleteReason, DeleteRequest, Epoch, Genesis, Lifetime, Operation, ProducerId, ProducerKey, ProducerSeq,
    ProducerUpdate, Refusal, StreamState, Timestamp, Write, WriteOutcome, WriteRequest,
};

struct Walk {
    genesis: Genesis,
    state: StreamState,
    now: u64,
    log: Vec<(Operation, Timestamp)>,
    /// Bytes accepted so far.
    bytes: u64,
    /// Who is remembered, and how far each got.
    known: BTreeMap<ProducerId, (Epoch, ProducerSeq)>,
    /// Every key that ever applied.
    applied: BTreeSet<(ProducerId, Epoch, ProducerSeq)>,
}

impl Walk {
    fn new(lifetime: Lifetime) -> Self {
        let genesis = Genesis { lifetime, ..genesis() };
        let state = StreamState::born(&genesis);
        let (log, known, applied) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
        Self { genesis, state, now: 0, log, bytes: 0, known, applied }
    }

    fn moment(&self) -> Moment {
        moment(self.now)
    }

    fn expired(&self) -> bool {
        self.state.is_expired(self.moment().now, self.moment().resolution)
    }

    fn go(&mut self, step: &Step) {
        let before = self.state.clone();
        match step {
            Step::Wait(millis) => self.now += millis,
            Step::Write(draft) => self.write(&draft.on(&before)),
            Step::Touch => {
                if let Some(operation) = decide_touch(&before, self.moment()) {
                    self.commit(operation);
                    assert!(self.state.expires_at() >= before.expires_at(), "a renewal moves the expiry later");
                }
            }
            Step::Delete => self.delete(),
        }
        self.check(&before);
    }

    fn commit(&mut self, operation: Operation) {
        assert_eq!(self.state.deleted, None, "nothing is committed after the end");
        self.state.apply(&operation, at(self.now)).unwrap();
        self.log.push((operation, at(self.now)));
    }

    fn delete(&mut self) {
        match decide_delete(&self.state, &DeleteRequest::default(), self.moment()) {
            Decision::Answer(answer) => {
                assert_eq!(answer, Err(Refusal::StreamNotFound));
                assert!(self.state.deleted.is_some());
            }
            Decision::Commit { operation, answer } => {
                assert_eq!(answer.is_err(), self.expired());
                self.commit(operation);
            }
        }
    }

    fn write(&mut self, request: &WriteRequest) {
        let must_apply = self.must_apply(request);
        match decide_write(&self.state, request, self.moment()) {
            Decision::Answer(answer) => {
                assert!(!must_apply, "{request:?}: {answer:?}");
                self.answered(request, &answer);
            }
            Decision::Commit { operation: Operation::Append(write), answer } => {
                self.applied(request, &write, answer.unwrap(), Operation::Append(write.clone()));
            }
            Decision::Commit { operation: Operation::Close(write), answer } => {
                assert_eq!(write.start, write.end);
                assert!(write.closes);
                self.applied(request, &write, answer.unwrap(), Operation::Close(write.clone()));
            }
            Decision::Commit { operation, answer } => {
                assert_eq!(operation, Operation::Delete { reason: DeleteReason::Expired });
                assert_eq!(answer, Err(Refusal::StreamNotFound));
                assert!(self.expired());
                self.commit(operation);
            }
        }
    }

    /// Nothing stands against it: the stream is open, the body is good, there are no conditions, and
    /// it has no key, or begins an epoch above all that is known of its producer.
    fn must_apply(&self, request: &WriteRequest) -> bool {
        let open = self.state.deleted.is_none() && !self.expired() && !self.state.closed;
        let bytes = request.bytes() > 0 && request.content == body("text/plain", &"x".repeat(request.bytes()));
        let free = request.incarnation.is_none() && request.if_match.is_none() && request.stream_seq.is_none();
        let begins = |key: &ProducerKey| {
            key.seq == ProducerSeq::ZERO && self.known.get(&key.id).is_none_or(|(epoch, _)| key.epoch > *epoch)
        };
        open && bytes && free && request.producer.as_ref().is_none_or(begins)
    }

    fn answered(&self, request: &WriteRequest, answer: &Result<WriteOutcome, Refusal>) {
        let known = request.producer.as_ref().map(|key| (key, self.known.get(&key.id)));
        match (answer, known) {
            (Err(_), _) => {}
            (Ok(WriteOutcome::Closed { tail, .. }), None) => {
                assert!(self.state.closed && request.closes && request.bytes() == 0);
                assert_eq!(*tail, self.state.tail);
            }
            (Ok(WriteOutcome::Repeat(receipt)), Some((key, Some(newest)))) => {
                assert_eq!((key.epoch, key.seq), *newest);
                assert!(receipt.end <= self.state.tail);
            }
            (Ok(WriteOutcome::RepeatEvicted(_)), Some((key, Some((epoch, newest))))) => {
                assert!(key.epoch == *epoch && key.seq < *newest);
            }
            other => panic!("{request:?}: {other:?}"),
        }
        assert!(self.state.deleted.is_none() || *answer == Err(Refusal::StreamNotFound));
    }

    fn applied(&mut self, request: &WriteRequest, write: &Write, outcome: WriteOutcome, operation: Operation) {
        assert!(!self.state.closed && !self.expired());
        let added = request.bytes() as u64;
        assert_eq!((write.start, write.end), (offset(self.bytes), offset(self.bytes + added)));
        assert_eq!(write.closes, request.closes);
        self.bytes += added;
        if let Some(update) = &write.producer {
            self.applied_key(update, request.incarnation.is_some());
        }
        self.commit(operation);
        assert_eq!(self.state.closed, request.closes);
        let again = decide_write(&self.state, request, self.moment());
        match outcome {
            WriteOutcome::Applied(receipt) | WriteOutcome::KeyedClosed(receipt) => {
                assert_eq!((receipt.start, receipt.end, receipt.closed), (write.start, write.end, write.closes));
                assert_eq!(again, Decision::Answer(Ok(WriteOutcome::Repeat(receipt))));
            }
            WriteOutcome::Appended { end, closed, .. } => assert_eq!((end, closed), (write.end, write.closes)),
            WriteOutcome::Closed { tail, .. } => assert_eq!(tail, write.end),
            WriteOutcome::Repeat(_) | WriteOutcome::RepeatEvicted(_) => panic!("a repeat commits nothing"),
        }
    }

    fn applied_key(&mut self, update: &ProducerUpdate, tokened: bool) {
        for id in &update.forgotten {
            let (epoch, _) = self.known.remove(id).unwrap();
            assert!(update.floor.max(self.state.producers.floor()) >= Some(epoch), "the floor covers who is forgotten");
        }
        let ProducerUpdate { id, epoch, seq, .. } = update.clone();
        match (self.known.get(&id), update.claim) {
            (None, Some(_)) => assert_eq!(seq, ProducerSeq::ZERO),
            (Some((before, _)), Some(_)) => assert!(epoch > *before && seq == ProducerSeq::ZERO),
            (Some(before), None) => assert_eq!((epoch, Some(seq)), (before.0, before.1.next())),
            (None, None) => panic!("an unknown producer claims first"),
        }
        self.known.insert(id.clone(), (epoch, seq));
        let first = self.applied.insert((id, epoch, seq));
        assert!(first || !tokened, "a tokened key applies once in the life of a stream");
    }

    fn check(&self, before: &StreamState) {
        let state = &self.state;
        assert_eq!(state.tail, offset(self.bytes));
        assert!(state.tail >= before.tail && state.last_at >= before.last_at && state.renewed_at >= before.renewed_at);
        assert!(state.producers.floor() >= before.producers.floor());
        assert!(state.closed || !before.closed);
        if before.deleted.is_some() {
            assert_eq!(state, before);
        }
        let known: BTreeMap<_, _> =
            state.producers.iter().map(|(id, record)| (id.clone(), (record.epoch, record.last_seq))).collect();
        assert_eq!(known, self.known);
        if state != before {
            let text = serde_json::to_string(state).unwrap();
            assert_eq!(&serde_json::from_str::<StreamState>(&text).unwrap(), state);
        }
    }

    /// The log, written and read back, folds into the same state.
    fn check_log(&self) {
        let mut again = StreamState::born(&self.genesis);
        for (operation, at) in &self.log {
            let text = serde_json::to_string(operation).unwrap();
            let read: Operation = serde_json::from_str(&text).unwrap();
            assert_eq!(&read, operation);
            again.apply(&read, *at).unwrap();
        }
        assert_eq!(again, self.state);
    }
}

proptest! {
    #[test]
    fn every_walk_keeps_the_rules(lifetime in lifetimes(), steps in prop::collection::vec(steps(), 1..80)) {
        let mut walk = Walk::new(lifetime);
        for step in &steps {
            walk.go(step);
        }
        walk.check_log();
    }
}
