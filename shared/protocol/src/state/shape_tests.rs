//! The form in which operations and state are kept: a change of it is seen here first.

#![allow(clippy::unwrap_used, reason = "what is written here can be read back")]

use insta::assert_snapshot;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Genesis, Opened, ProducerRecord, Receipt, Snapshot, StreamState, Summary};
use crate::{
    Claim, DeleteReason, Lifetime, Operation, ProducerUpdate, Write,
    decide::fixtures::{
        at, closed_epoch, content_type, digest, epoch, genesis, id, ids, key, offset, record, seq, stream, stream_seq,
        ttl,
    },
};

fn plain_write() -> Write {
    Write { start: offset(5), end: offset(9), messages: 1, closes: false, stream_seq: None, producer: None }
}

fn full_write() -> Write {
    let producer = ProducerUpdate {
        id: id("p"),
        epoch: epoch(4),
        seq: seq(0),
        digest: Some(digest("a")),
        claim: Some(Claim { opened: Opened::Above, closed: Some(closed_epoch("3/7")) }),
        forgotten: ids(&["q", "r"]),
        floor: Some(epoch(2)),
    };
    Write { closes: true, stream_seq: Some(stream_seq("b")), producer: Some(producer), ..plain_write() }
}

fn snapshot() -> Snapshot {
    Snapshot {
        offset: offset(4),
        digest: digest("a"),
        content_type: content_type("text/plain"),
        bytes: 7,
        object: "0f".to_owned(),
    }
}

fn operations() -> Vec<Operation> {
    let key = key("p/4/1");
    let (claim, forgotten, floor) = (None, Vec::new(), None);
    let next = ProducerUpdate { id: key.id, epoch: key.epoch, seq: key.seq, digest: None, claim, forgotten, floor };
    let close = Write { end: offset(5), messages: 0, closes: true, ..plain_write() };
    vec![
        Operation::Append(plain_write()),
        Operation::Append(full_write()),
        Operation::Append(Write { producer: Some(next), ..plain_write() }),
        Operation::Close(close),
        Operation::Touch,
        Operation::Snapshot(snapshot()),
        Operation::Retention { retained: offset(4) },
        Operation::Delete { reason: DeleteReason::Requested },
        Operation::Delete { reason: DeleteReason::Expired },
    ]
}

fn full_genesis() -> Genesis {
    let content_type = content_type("application/json; charset=utf-8");
    Genesis { content_type, lifetime: ttl(60), stream_seq: Some(stream_seq("b")), at: at(7), ..genesis() }
}

/// A state in which every field is set.
fn full_state() -> StreamState {
    let known = ProducerRecord {
        claim_digest: Some(digest("a")),
        newest: Receipt { start: offset(3), end: offset(5), closed: true, digest: Some(digest("b")) },
        ..record("4/1").below().replacing("3/7").of_history(1).seen(8)
    };
    let mut state = StreamState::born(&full_genesis()).knowing("p", known).knowing("q", record("0/0"));
    state.apply(&Operation::Append(Write { start: offset(0), end: offset(5), ..plain_write() }), at(9)).unwrap();
    state.apply(&Operation::Snapshot(snapshot()), at(9)).unwrap();
    state = state.shut().retaining(2).with_floor(6);
    StreamState { deleted: Some(DeleteReason::Expired), history: 2, ..state }
}

fn lines<T: Serialize>(values: &[T]) -> String {
    values.iter().map(|value| serde_json::to_string(value).unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_form_of_operations() {
    assert_snapshot!(lines(&operations()), @r#"
    {"op":"append","start":5,"end":9,"messages":1}
    {"op":"append","start":5,"end":9,"messages":1,"closes":true,"stream_seq":"b","producer":{"id":"p","epoch":4,"seq":0,"digest":"17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f","claim":{"opened":"above","closed":{"epoch":3,"last_seq":7}},"forgotten":["q","r"],"floor":2}}
    {"op":"append","start":5,"end":9,"messages":1,"producer":{"id":"p","epoch":4,"seq":1}}
    {"op":"close","start":5,"end":5,"closes":true}
    {"op":"touch"}
    {"op":"snapshot","offset":4,"digest":"17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f","content_type":"text/plain","bytes":7,"object":"0f"}
    {"op":"retention","retained":4}
    {"op":"delete","reason":"requested"}
    {"op":"delete","reason":"expired"}
    "#);
}

#[test]
fn the_form_of_a_state() {
    assert_snapshot!(serde_json::to_string_pretty(&full_state()).unwrap(), @r#"
    {
      "incarnation": 4503599627370497,
      "content_type": "application/json; charset=utf-8",
      "lifetime": {
        "ttl": {
          "seconds": 60
        }
      },
      "tail": 5,
      "retained": 2,
      "closed": true,
      "deleted": "expired",
      "stream_seq": "b",
      "snapshot": {
        "offset": 4,
        "digest": "17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f",
        "content_type": "text/plain",
        "bytes": 7,
        "object": "0f"
      },
      "renewed_at": 9,
      "last_at": 9,
      "history": 2,
      "producers": {
        "floor": 6,
        "records": {
          "p": {
            "epoch": 4,
            "last_seq": 1,
            "claim_digest": "17762fddd969a453925d65717ac3eea21320b66b54342fde15128d6caf21215f",
            "newest": {
              "start": 3,
              "end": 5,
              "closed": true,
              "digest": "10e5cf3d3c8a4f9f3468c8cc58eea84892a22fdadbc1acb22410190044c1d553"
            },
            "closed_epoch": {
              "epoch": 3,
              "last_seq": 7
            },
            "opened": "below",
            "history": 1,
            "last_seen": 8
          },
          "q": {
            "epoch": 0,
            "last_seq": 0,
            "newest": {
              "start": 0,
              "end": 0,
              "closed": false
            },
            "opened": "above",
            "history": 0,
            "last_seen": 0
          }
        }
      },
      "usage": {
        "23640": {
          "writes": 2,
          "messages": 1,
          "write_units": 2,
          "bytes": 5
        }
      }
    }
    "#);
}

#[test]
fn the_form_of_a_new_state_its_create_and_summaries() {
    assert_snapshot!(lines(&[stream()]), @r#"{"incarnation":4503599627370497,"content_type":"text/plain","lifetime":"forever","tail":0,"retained":0,"closed":false,"renewed_at":0,"last_at":0,"history":0,"producers":{"records":{}},"usage":{"23640":{"writes":1,"messages":0,"write_units":1,"bytes":0}}}"#);
    assert_snapshot!(lines(&[genesis(), full_genesis()]), @r#"
    {"incarnation":4503599627370497,"content_type":"text/plain","lifetime":"forever","closed":false,"has_initial_bytes":false,"at":0}
    {"incarnation":4503599627370497,"content_type":"application/json; charset=utf-8","lifetime":{"ttl":{"seconds":60}},"closed":false,"has_initial_bytes":false,"stream_seq":"b","at":7}
    "#);
    assert_snapshot!(lines(&[stream().summary(), full_state().summary()]), @r#"
    {"tail":0,"retained":0,"closed":false}
    {"tail":5,"retained":2,"closed":true,"deleted":"expired","stream_seq":"b","snapshot":4,"expires_at":60009}
    "#);
}

#[test]
fn the_form_of_lifetimes() {
    assert_snapshot!(lines(&[Lifetime::Forever, ttl(60), Lifetime::Until(at(9))]), @r#"
    "forever"
    {"ttl":{"seconds":60}}
    {"until":9}
    "#);
}

fn reads_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    assert_eq!(&serde_json::from_value::<T>(serde_json::to_value(value).unwrap()).unwrap(), value, "{text}");
}

#[test]
fn everything_kept_reads_back() {
    operations().iter().for_each(reads_back);
    [full_genesis(), genesis()].iter().for_each(reads_back);
    [full_state(), stream(), stream().crowded("p", 50, 3), full_state().ended()].iter().for_each(reads_back);
    let states = [full_state(), stream().living(ttl(u64::MAX)).holding(u64::MAX)];
    states.iter().map(StreamState::summary).for_each(|summary: Summary| reads_back(&summary));
}

/// All values that differ from `value` by one member more, in each of its objects.
fn with_one_member_more(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    if let Value::Object(members) = value {
        let mut more = members.clone();
        more.insert("unheard_of".to_owned(), json!(1));
        all.push(Value::Object(more));
        for (name, inner) in members {
            for inner in with_one_member_more(inner) {
                let mut changed = members.clone();
                changed.insert(name.clone(), inner);
                all.push(Value::Object(changed));
            }
        }
    }
    all
}

fn refuses_members_unheard_of<T: Serialize + DeserializeOwned>(value: &T) {
    let all = with_one_member_more(&serde_json::to_value(value).unwrap());
    assert!(!all.is_empty());
    for changed in all {
        assert!(serde_json::from_value::<T>(changed.clone()).is_err(), "{changed}");
        assert!(serde_json::from_str::<T>(&changed.to_string()).is_err(), "{changed}");
    }
}

#[test]
fn what_a_newer_release_added_is_refused_wherever_it_stands() {
    operations().iter().for_each(refuses_members_unheard_of);
    [full_state(), stream()].iter().for_each(refuses_members_unheard_of);
    [full_genesis(), genesis()].iter().for_each(refuses_members_unheard_of);
}

#[test]
fn operations_unheard_of_are_refused() {
    for text in [
        r#"{"op":"snapshot"}"#,
        r#"{"op":"snapshot","offset":4}"#,
        r#"{"op":"noop"}"#,
        r#"{"op":"Touch"}"#,
        r#"{"op":""}"#,
        r#"{"op":null}"#,
        "{}",
        r#""touch""#,
        r#"{"op":"delete"}"#,
        r#"{"op":"delete","reason":"purged"}"#,
        r#"{"op":"append"}"#,
        r#"{"op":"append","start":0}"#,
        r#"{"op":"append","start":-1,"end":0}"#,
        r#"{"op":"append","start":"0","end":"1"}"#,
    ] {
        assert!(serde_json::from_str::<Operation>(text).is_err(), "{text}");
    }
}

#[test]
fn values_that_break_a_rule_are_refused() {
    let state = serde_json::to_value(full_state()).unwrap();
    for (pointer, value) in [
        ("/incarnation", json!(0)),
        ("/content_type", json!("garbage")),
        ("/lifetime", json!("never")),
        ("/tail", json!(-1)),
        ("/deleted", json!("purged")),
        ("/stream_seq", json!(" ")),
        ("/producers/floor", json!(9_007_199_254_740_992_u64)),
        ("/producers/records/p/epoch", json!(-1)),
        ("/producers/records/p/claim_digest", json!("a")),
        ("/producers/records/p/opened", json!("beside")),
        ("/producers/records", json!({ "": {} })),
        ("/usage", json!({ "1970-01": {} })),
    ] {
        let mut changed = state.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert!(serde_json::from_value::<StreamState>(changed).is_err(), "{pointer}");
    }
}
