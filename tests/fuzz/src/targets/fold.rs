//! States and operations as a bucket holds them, and the fold of the ones over the other.

use wadi_protocol::{Operation, StreamState, Summary, Timestamp};

use super::json_again;

/// Lines of JSON: a state, then operations that are folded over it, a minute apart.
pub fn fold(data: &[u8]) {
    let mut lines = data.split(|byte| *byte == b'\n');
    let Some(mut state) = json_again::<StreamState>(lines.next().unwrap_or_default()) else { return };
    let mut at = state.last_at;
    for operation in lines.filter_map(json_again::<Operation>) {
        at = Timestamp::from_millis(at.as_millis().saturating_add(60_000));
        let before = state.clone();
        match state.apply(&operation, at) {
            Ok(()) => assert!(state.tail >= before.tail && state.last_at >= before.last_at, "it went back"),
            Err(_) => assert_eq!(state, before, "a refused operation changed something"),
        }
    }
    json_again::<Summary>(&serde_json::to_vec(&state.summary()).expect("a summary is JSON")).expect("and read");
    let ended = state.ended();
    assert_eq!(ended.summary(), state.summary());
}
