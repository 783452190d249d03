//! Every creation and every deletion is the effect of one call that allows it, and every call that
//! was told of its effect had one of its own.

use wadi_protocol::{CreateRequest, DeleteReason, Incarnation, Operation};

use super::{Evidence, matching::unpaired};
use crate::{
    ghost::{Cause, Life, Name},
    history::{Answer, Ask, Call, Certainty},
    violation::Violation,
};

const NAME: &str = "one effect a call";

struct Creation<'a> {
    incarnation: Incarnation,
    life: &'a Life,
    tick: u64,
}

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    for (stream, name) in &evidence.ghost.names {
        let calls: Vec<&Call> = evidence.calls.iter().filter(|call| *call.stream == **stream).collect();
        deletions(name, &calls)?;
        creations(name, &calls)?;
    }
    Ok(())
}

fn deletions(name: &Name, calls: &[&Call]) -> Result<(), Violation> {
    let requested = Operation::Delete { reason: DeleteReason::Requested };
    let is_delete = |cause: &Cause| matches!(cause, Cause::Applied { operation, .. } if **operation == requested);
    let ticks: Vec<u64> =
        name.timeline.iter().filter(|entry| is_delete(&entry.cause)).map(|entry| entry.tick).collect();
    let deletes: Vec<&&Call> = calls.iter().filter(|call| matches!(call.ask, Ask::Delete(_))).collect();
    let fits = |call: &Call, tick: u64| {
        call.invoked.0 <= tick
            && match call.answer.certainty() {
                Certainty::Unknown => true,
                Certainty::Void => false,
                Certainty::Definite => call.answer == Answer::Deleted(Ok(())) && tick <= call.end(),
            }
    };
    if let Some(index) = unpaired(ticks.len(), deletes.len(), |tick, call| fits(deletes[call], ticks[tick])) {
        let what = format!("the deletion #{} is no call's", ticks[index]);
        return Err(Violation::new(NAME, what));
    }
    let told: Vec<&&&Call> = deletes.iter().filter(|call| call.answer == Answer::Deleted(Ok(()))).collect();
    match unpaired(told.len(), ticks.len(), |call, tick| fits(told[call], ticks[tick])) {
        Some(index) => {
            let number = told[index].number;
            Err(Violation::new(NAME, format!("call {number} deleted nothing, and was told it did")).of_call(number))
        }
        None => Ok(()),
    }
}

fn creations(name: &Name, calls: &[&Call]) -> Result<(), Violation> {
    let born: Vec<Creation<'_>> = name
        .lives
        .iter()
        .filter_map(|(incarnation, life)| {
            Some(Creation { incarnation: *incarnation, life, tick: life.born.as_ref()?.when.tick })
        })
        .collect();
    let creates: Vec<&&Call> = calls.iter().filter(|call| matches!(call.ask, Ask::Create(_))).collect();
    if let Some(index) = unpaired(born.len(), creates.len(), |life, call| is_of(&born[life], creates[call])) {
        let Creation { incarnation, life, tick } = &born[index];
        let genesis = life.born.as_ref().map(|born| &born.genesis);
        let what = format!("incarnation {incarnation}, #{tick}, is no call's that allows it: {genesis:?}");
        let under_way = creates.iter().filter(|call| call.invoked.0 < *tick && call.end() > *tick);
        let violation = Violation::new(NAME, what).at_key(format!("/{incarnation}/"));
        return Err(under_way.fold(violation, |violation, call| violation.of_call(call.number)));
    }
    let told: Vec<&&&Call> =
        creates.iter().filter(|call| matches!(&call.answer, Answer::Created(Ok(made)) if !made.existed)).collect();
    match unpaired(told.len(), born.len(), |call, life| is_of(&born[life], told[call])) {
        Some(index) => {
            let number = told[index].number;
            Err(Violation::new(NAME, format!("call {number} created nothing, and was told it did")).of_call(number))
        }
        None => Ok(()),
    }
}

fn is_of(creation: &Creation<'_>, call: &Call) -> bool {
    let Ask::Create(request) = &call.ask else { return false };
    call.invoked.0 <= creation.tick
        && matches(creation.life, request)
        && match (&call.answer, call.answer.certainty()) {
            (_, Certainty::Unknown) => true,
            (Answer::Created(Ok(created)), _) => {
                !created.existed && created.stream.incarnation == creation.incarnation && creation.tick <= call.end()
            }
            _ => false,
        }
}

fn matches(life: &Life, request: &CreateRequest) -> bool {
    let Some(born) = &life.born else { return false };
    let genesis = &born.genesis;
    let initial = if genesis.has_initial_bytes { life.records.first().map(|record| &record.payload[..]) } else { None };
    genesis.content_type == request.content_type
        && genesis.lifetime == request.lifetime
        && genesis.closed == request.closed
        && initial.unwrap_or_default() == &request.text[..]
}
