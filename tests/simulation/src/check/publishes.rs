//! Every snapshot that was committed is what one publish asked for, and every retention what one request
//! asked for: none of them came before it was asked for, or after its caller was told otherwise.

use wadi_protocol::{Operation, state::Snapshot};

use super::{Evidence, matching::unpaired};
use crate::{
    ghost::{Cause, Entry},
    history::{Answer, Ask, Call, Certainty},
    violation::Violation,
};

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    for (stream, name) in &evidence.ghost.names {
        let made: Vec<(&Entry, &Operation)> = name.timeline.iter().filter_map(of_snapshots).collect();
        let calls: Vec<&Call> = evidence.calls.iter().filter(|call| *call.stream == **stream && asks(call)).collect();
        if let Some(index) = unpaired(made.len(), calls.len(), |made_by, call| is_of(made[made_by], calls[call])) {
            let (entry, operation) = made[index];
            let what = format!("{operation:?}, #{}, is no call's that allows it", entry.tick);
            return Err(Violation::new("one effect a call", what).at_key(stream.clone()));
        }
    }
    Ok(())
}

fn of_snapshots(entry: &Entry) -> Option<(&Entry, &Operation)> {
    match &entry.cause {
        Cause::Applied { operation, .. } => match &**operation {
            operation @ (Operation::Snapshot(_) | Operation::Retention { .. }) => Some((entry, operation)),
            _ => None,
        },
        _ => None,
    }
}

fn asks(call: &Call) -> bool {
    matches!(call.ask, Ask::Publish(..) | Ask::Retain(_))
}

fn is_of((entry, operation): (&Entry, &Operation), call: &Call) -> bool {
    let asked = match (operation, &call.ask) {
        (Operation::Snapshot(snapshot), Ask::Publish(request, _)) => {
            let Snapshot { content_type, bytes, .. } = snapshot;
            (snapshot.name(), content_type, *bytes) == (request.name, &request.content_type, request.bytes)
                && request.incarnation.is_none_or(|token| entry.status.token() == Some(token))
        }
        (Operation::Retention { retained }, Ask::Retain(request)) => {
            *retained == request.offset && request.incarnation.is_none_or(|token| entry.status.token() == Some(token))
        }
        _ => false,
    };
    let told = match call.answer.certainty() {
        Certainty::Unknown => true,
        Certainty::Void => false,
        Certainty::Definite => {
            entry.tick <= call.end() && matches!(call.answer, Answer::Published(Ok(_)) | Answer::Retained(Ok(_)))
        }
    };
    asked && told && call.invoked.0 <= entry.tick
}
