//! The fold: results are applied as they stand, and what cannot follow changes nothing.

#![allow(clippy::unwrap_used, reason = "the rows are well formed")]

use super::{ClosedEpoch, Counters, FoldError, Genesis, Opened, ProducerRecord, Receipt, StreamState, Summary};
use crate::{
    Claim, DeleteReason, Lifetime, Operation, ProducerUpdate, Write,
    decide::fixtures::{
        at, closed_epoch, content_type, digest, epoch, genesis, id, ids, key, offset, record, stream, stream_seq,
        token, ttl,
    },
};

fn write(start: u64, end: u64) -> Write {
    Write { start: offset(start), end: offset(end), messages: 1, closes: false, stream_seq: None, producer: None }
}

/// `id/epoch/seq`, not a claim.
fn next(text: &str) -> ProducerUpdate {
    let key = key(text);
    let (claim, forgotten, floor) = (None, Vec::new(), None);
    ProducerUpdate { id: key.id, epoch: key.epoch, seq: key.seq, digest: key.digest, claim, forgotten, floor }
}

fn claim(text: &str, opened: Opened, closed: Option<ClosedEpoch>) -> ProducerUpdate {
    ProducerUpdate { claim: Some(Claim { opened, closed }), ..next(text) }
}

fn by(producer: ProducerUpdate, write: Write) -> Operation {
    Operation::Append(Write { producer: Some(producer), ..write })
}

fn snapshot(at: u64) -> Operation {
    Operation::Snapshot(stream().keeping(at, "a").snapshot.unwrap())
}

fn folded(operations: &[(u64, Operation)]) -> StreamState {
    operations.iter().fold(stream(), |mut state, (millis, operation)| {
        state.apply(operation, at(*millis)).unwrap();
        state
    })
}

#[test]
fn a_stream_is_born_empty_with_the_settings_of_its_create() {
    let asked = Genesis {
        content_type: content_type("application/json"),
        lifetime: ttl(60),
        closed: true,
        stream_seq: Some(stream_seq("b")),
        at: at(7),
        ..genesis()
    };
    let state = StreamState::born(&asked);
    assert_eq!((state.incarnation, state.content_type.as_str()), (token(), "application/json"));
    assert_eq!((state.lifetime, state.expires_at()), (ttl(60), Some(at(60_007))));
    assert_eq!((state.tail, state.retained, state.closed), (offset(0), offset(0), true));
    assert_eq!((state.renewed_at, state.last_at), (at(7), at(7)));
    assert_eq!((state.deleted, &state.stream_seq, state.history), (None, &Some(stream_seq("b")), 0));
    assert!(state.producers.is_empty());
    assert_eq!(state.producers.floor(), None);
}

#[test]
fn usage_counts_writes_and_the_create_once() {
    let close = || Operation::Close(Write { closes: true, messages: 0, ..write(0, 0) });
    let closing = Operation::Append(Write { closes: true, ..write(0, 9) });
    let messages = Operation::Append(Write { messages: 5, ..write(0, 9) });
    let deleted = Operation::Delete { reason: DeleteReason::Requested };
    let two = vec![Operation::Append(write(0, 9)), Operation::Append(write(9, 10))];
    let keyed_close = Operation::Close(Write { producer: Some(claim("p/0/0", Opened::Above, None)), ..write(0, 0) });
    let counters = |writes, messages, write_units, bytes| Counters { writes, messages, write_units, bytes };
    let rows = [
        ("an empty create", false, vec![], counters(1, 0, 1, 0)),
        ("a create with bytes, before them", true, vec![], counters(0, 0, 0, 0)),
        ("a create with bytes", true, vec![Operation::Append(write(0, 9))], counters(1, 1, 1, 9)),
        ("a create with bytes and another append", true, two.clone(), counters(2, 2, 2, 10)),
        ("an empty create and two appends", false, two, counters(3, 2, 3, 10)),
        ("messages", true, vec![messages], counters(1, 5, 1, 9)),
        ("one unit", true, vec![Operation::Append(write(0, 10_240))], counters(1, 1, 1, 10_240)),
        ("two units", true, vec![Operation::Append(write(0, 10_241))], counters(1, 1, 2, 10_241)),
        ("a close", false, vec![close()], counters(1, 0, 1, 0)),
        ("a keyed close", false, vec![keyed_close], counters(1, 0, 1, 0)),
        ("an append that closes", false, vec![closing], counters(2, 1, 2, 9)),
        ("a touch", false, vec![Operation::Touch], counters(1, 0, 1, 0)),
        ("a delete", false, vec![deleted], counters(1, 0, 1, 0)),
    ];
    for (name, has_initial_bytes, operations, expected) in rows {
        let mut state = StreamState::born(&Genesis { has_initial_bytes, ..genesis() });
        for operation in operations {
            state.apply(&operation, at(0)).unwrap();
        }
        assert_eq!(state.usage.in_month_of(at(0)), expected, "{name}");
    }
}

#[test]
fn usage_goes_to_the_month_of_the_write() {
    const FEBRUARY_MS: u64 = 31 * 24 * 60 * 60 * 1000;
    let state = folded(&[
        (FEBRUARY_MS - 1, Operation::Append(write(0, 3))),
        (FEBRUARY_MS, Operation::Append(write(3, 8))),
        (FEBRUARY_MS + 1, Operation::Append(write(8, 9))),
    ]);
    assert_eq!(state.usage.in_month_of(at(0)), Counters { writes: 2, messages: 1, write_units: 2, bytes: 3 });
    let february = Counters { writes: 2, messages: 2, write_units: 2, bytes: 6 };
    assert_eq!(state.usage.in_month_of(at(FEBRUARY_MS)), february);
    assert_eq!(state.usage.in_month_of(at(3 * FEBRUARY_MS)), Counters::default());
}

#[test]
fn a_write_moves_the_tail_and_the_dates() {
    let state = folded(&[(5, Operation::Append(write(0, 3))), (9, Operation::Append(write(3, 8)))]);
    assert_eq!((state.tail, state.closed, state.renewed_at, state.last_at), (offset(8), false, at(9), at(9)));
    let closed = Write { closes: true, messages: 0, stream_seq: Some(stream_seq("z")), ..write(0, 0) };
    let state = folded(&[(5, Operation::Close(closed))]);
    assert_eq!((state.tail, state.closed, state.stream_seq), (offset(0), true, Some(stream_seq("z"))));
}

#[test]
fn dates_never_go_back() {
    let state = folded(&[(9, Operation::Append(write(0, 3))), (5, Operation::Append(write(3, 8)))]);
    assert_eq!((state.tail, state.renewed_at, state.last_at), (offset(8), at(9), at(9)));
    let state = folded(&[(9, Operation::Touch), (5, Operation::Touch)]);
    assert_eq!((state.renewed_at, state.last_at), (at(9), at(9)));
    let state = folded(&[(9, Operation::Touch), (5, Operation::Delete { reason: DeleteReason::Requested })]);
    assert_eq!((state.renewed_at, state.last_at), (at(9), at(9)));
}

#[test]
fn a_touch_renews_and_changes_nothing_else() {
    let mut state = stream().living(ttl(60));
    state.apply(&Operation::Touch, at(9)).unwrap();
    assert_eq!(state, StreamState { renewed_at: at(9), last_at: at(9), ..stream().living(ttl(60)) });
}

#[test]
fn results_are_applied_though_no_decision_would_make_them_now() {
    let late = Operation::Append(Write { stream_seq: Some(stream_seq("a")), ..write(5, 7) });
    let mut state = stream().holding(5).shut().at_seq("m").living(ttl(1)).with_floor(9);
    state.apply(&late, at(99_000)).unwrap();
    assert_eq!((state.tail, state.closed, &state.stream_seq), (offset(7), true, &Some(stream_seq("a"))));

    let odd = ProducerUpdate { floor: Some(epoch(3)), ..claim("p/2/8", Opened::Above, Some(closed_epoch("7/7"))) };
    state.apply(&by(odd, write(7, 8)), at(99_000)).unwrap();
    assert_eq!(state.producers.get(&id("p")).unwrap().last_seq, key("p/2/8").seq);
    assert_eq!(state.producers.floor(), Some(epoch(9)), "a floor is raised, never lowered");

    state.apply(&by(next("p/2/40"), write(8, 9)), at(99_000)).unwrap();
    assert_eq!(state.producers.get(&id("p")).unwrap().last_seq, key("p/2/40").seq);
}

#[test]
fn a_claim_and_the_writes_after_it_make_one_record() {
    let closed = Some(closed_epoch("3/7"));
    let claimed = by(claim("p/4/0#a", Opened::Below, closed), write(0, 3));
    let newest = |start, end, closed, text| Receipt {
        start: offset(start),
        end: offset(end),
        closed,
        digest: Some(digest(text)),
    };
    let expected = ProducerRecord {
        claim_digest: Some(digest("a")),
        newest: newest(0, 3, false, "a"),
        closed_epoch: closed,
        ..record("4/0").below().of_history(2).seen(5)
    };
    let mut state = StreamState { history: 2, ..stream() };
    state.apply(&claimed, at(5)).unwrap();
    assert_eq!(state.producers.get(&id("p")), Some(&expected));

    // A new history does not change what was claimed in the old one.
    state.history = 3;
    state.apply(&by(next("p/4/1#b"), write(3, 8)), at(9)).unwrap();
    let expected =
        ProducerRecord { last_seq: key("p/4/1").seq, newest: newest(3, 8, false, "b"), last_seen: at(9), ..expected };
    assert_eq!(state.producers.get(&id("p")), Some(&expected));

    let closing = Write { closes: true, messages: 0, producer: Some(next("p/4/2#c")), ..write(8, 8) };
    state.apply(&Operation::Close(closing), at(10)).unwrap();
    assert_eq!(state.producers.get(&id("p")).unwrap().newest, newest(8, 8, true, "c"));

    let again = by(claim("p/5/0", Opened::Above, None), write(8, 9));
    state.apply(&again, at(11)).unwrap();
    let receipt = Receipt { start: offset(8), end: offset(9), closed: false, digest: None };
    let expected = ProducerRecord { newest: receipt, ..record("5/0").of_history(3).seen(11) };
    assert_eq!(state.producers.get(&id("p")), Some(&expected));
    assert_eq!(state.producers.len(), 1);
}

#[test]
fn those_named_are_forgotten_and_nobody_else() {
    let state = || stream().knowing("a", record("1/0").seen(1)).knowing("b", record("2/0").seen(2));
    let forgets = |names: &[&str], update| ProducerUpdate { forgotten: ids(names), ..update };
    let known = |state: &StreamState| state.producers.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>();
    let rows: [(&[&str], &[&str]); 4] =
        [(&[], &["a", "b", "p"]), (&["a"], &["b", "p"]), (&["b", "a"], &["p"]), (&["p", "nobody"], &["a", "b", "p"])];
    for (forgotten, left) in rows {
        let mut state = state();
        let update =
            ProducerUpdate { floor: Some(epoch(1)), ..forgets(forgotten, claim("p/0/0", Opened::Above, None)) };
        state.apply(&by(update, write(0, 1)), at(3)).unwrap();
        assert_eq!(known(&state), left, "{forgotten:?}");
        assert_eq!(state.producers.least_recent().count(), left.len(), "{forgotten:?}");
        assert_eq!(state.producers.floor(), Some(epoch(1)));
    }
}

#[test]
fn producers_are_listed_from_the_least_recently_seen() {
    let mut state = stream();
    for (n, who) in ["p", "q", "r"].into_iter().enumerate() {
        let n = n as u64;
        state.apply(&by(claim(&format!("{who}/0/0"), Opened::Above, None), write(n, n + 1)), at(n)).unwrap();
    }
    state.apply(&by(next("p/0/1"), write(3, 4)), at(2)).unwrap();
    let order: Vec<_> = state.producers.least_recent().map(|(seen, id)| (seen.as_millis(), id.as_str())).collect();
    assert_eq!(order, [(1, "q"), (2, "p"), (2, "r")]);
}

#[test]
fn what_cannot_follow_is_refused_and_changes_nothing() {
    let known = || stream().holding(5).knowing("p", record("0/0"));
    let ended = || StreamState { deleted: Some(DeleteReason::Expired), ..known() };
    let not_at = |start| FoldError::NotAtTail { start, tail: 5 };
    let retention = |at| Operation::Retention { retained: offset(at) };
    let outside = |kept, retained| FoldError::RetentionOutside { kept, retained, tail: 5 };
    let forgetful = ProducerUpdate { forgotten: ids(&["p"]), floor: Some(epoch(9)), ..next("q/0/1") };
    let rows = [
        ("before the tail", known(), Operation::Append(write(4, 9)), not_at(4)),
        ("after the tail", known(), Operation::Append(write(6, 9)), not_at(6)),
        ("a close elsewhere", known(), Operation::Close(write(4, 4)), not_at(4)),
        ("ends before it starts", known(), Operation::Append(write(5, 4)), not_at(5)),
        ("keyed, not at the tail", known(), by(next("p/0/1"), write(4, 9)), not_at(4)),
        ("next of a producer not known", known(), by(next("q/0/1"), write(5, 9)), FoldError::UnknownProducer),
        ("the same, that would forget", known(), by(forgetful, write(5, 9)), FoldError::UnknownProducer),
        ("a snapshot beyond the tail", known(), snapshot(6), FoldError::BeyondTail { offset: 6, tail: 5 }),
        ("retention that goes back", known().retaining(3), retention(2), outside(3, 2)),
        ("retention beyond the tail", known().retaining(3), retention(6), outside(3, 6)),
        ("retention after the end", ended(), retention(5), FoldError::AfterDelete),
        ("a snapshot after the end", ended(), snapshot(5), FoldError::AfterDelete),
        ("append after the end", ended(), Operation::Append(write(5, 9)), FoldError::AfterDelete),
        ("close after the end", ended(), Operation::Close(write(5, 5)), FoldError::AfterDelete),
        ("touch after the end", ended(), Operation::Touch, FoldError::AfterDelete),
        ("end after the end", ended(), Operation::Delete { reason: DeleteReason::Expired }, FoldError::AfterDelete),
    ];
    for (name, before, operation, error) in rows {
        let mut state = before.clone();
        assert_eq!(state.apply(&operation, at(77)), Err(error), "{name}");
        assert_eq!(state, before, "{name}");
    }
}

#[test]
fn an_ended_stream_says_why_and_its_tombstone_forgets_who_wrote() {
    for reason in [DeleteReason::Requested, DeleteReason::Expired] {
        let mut state = stream().holding(5).at_seq("b").knowing("p", record("0/0")).with_floor(3);
        state.apply(&Operation::Delete { reason }, at(9)).unwrap();
        assert_eq!((state.deleted, state.last_at, state.tail), (Some(reason), at(9), offset(5)));
        assert_eq!(state.producers.len(), 1);
        let ended = state.ended();
        assert!(ended.producers.is_empty());
        assert_eq!(ended, StreamState { producers: ended.producers.clone(), ..state });
    }
}

#[test]
fn the_summary_is_the_state_without_producers_and_usage() {
    let plain = Summary {
        tail: offset(5),
        retained: offset(0),
        closed: false,
        deleted: None,
        stream_seq: None,
        snapshot: None,
        expires_at: None,
    };
    let state = || stream().holding(5);
    let ended = StreamState { deleted: Some(DeleteReason::Expired), ..state() };
    let renewed = StreamState { renewed_at: at(4), ..state().living(ttl(1)) };
    let until = Lifetime::Until(at(9));
    let rows = [
        ("plain", state(), plain.clone()),
        ("retained", state().retaining(3), Summary { retained: offset(3), ..plain.clone() }),
        ("closed", state().shut(), Summary { closed: true, ..plain.clone() }),
        ("deleted", ended, Summary { deleted: Some(DeleteReason::Expired), ..plain.clone() }),
        ("seq", state().at_seq("b"), Summary { stream_seq: Some(stream_seq("b")), ..plain.clone() }),
        ("snapshot", state().keeping(4, "a"), Summary { snapshot: Some(offset(4)), ..plain.clone() }),
        ("time-to-live", renewed, Summary { expires_at: Some(at(1004)), ..plain.clone() }),
        ("date", state().living(until), Summary { expires_at: Some(at(9)), ..plain.clone() }),
        ("producers", state().knowing("p", record("0/0")), plain),
    ];
    for (name, state, expected) in rows {
        assert_eq!(state.summary(), expected, "{name}");
    }
}
