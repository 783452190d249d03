//! What must always hold.

use std::fmt;

use crate::{
    setup::Setup,
    state::{Log, Mark, Object, State, View},
};

/// What must always hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// What was acknowledged is in the log, in the slot in which it was acknowledged.
    AcknowledgedInItsPlace,
    /// Nothing is in the log twice.
    NothingTwice,
    /// Nothing is acknowledged, or gets into the log, after a delete.
    NothingAfterDelete,
    /// A checkpoint, and what is sealed with it, is the beginning of the log.
    CheckpointIsPrefix,
    /// A read returns the beginning of the log.
    ReadIsPrefix,
    /// A read returns all that was acknowledged before it began.
    ReadReflectsAcknowledged,
    /// A read that began after a delete was acknowledged returns nothing from before it.
    DeletedIsNotRead,
    /// Each record of the log was made for the record before it.
    BuiltOnTheLast,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AcknowledgedInItsPlace => "what was acknowledged is not in its place in the log",
            Self::NothingTwice => "something is in the log twice",
            Self::NothingAfterDelete => "something was acknowledged after a delete",
            Self::CheckpointIsPrefix => "a checkpoint is not the beginning of the log",
            Self::ReadIsPrefix => "a read returned what is not the beginning of the log",
            Self::ReadReflectsAcknowledged => "a read missed what was acknowledged before it began",
            Self::DeletedIsNotRead => "a read returned a stream whose delete had been acknowledged",
            Self::BuiltOnTheLast => "a record got into the log that was not made for the one before it",
        })
    }
}

/// Checks a record that is about to become the next of its log.
pub(crate) fn check_next(setup: &Setup, state: &State, incarnation: u8, object: Object) -> Result<(), Property> {
    let log = state.log(incarnation);
    let last = log.ghost.last();
    ensure(!setup.is_delete(last), Property::NothingAfterDelete)?;
    ensure(last == object.prev, Property::BuiltOnTheLast)?;
    ensure(!is_known(setup, state, log, object), Property::NothingTwice)
}

/// Whether the log has the record's operation already. A producer is known to an incarnation only.
fn is_known(setup: &Setup, state: &State, log: &Log, object: Object) -> bool {
    let (process, task) = (object.record.process(), object.record.task());
    let is_same = |(_, other): (u8, crate::state::Record)| (other.process(), other.task()) == (process, task);
    setup.repeated(log.ghost, process, task).is_some() || state.logs.iter().any(|log| log.ghost.iter().any(is_same))
}

/// Checks that what is about to be acknowledged at `mark` is there.
pub(crate) fn check_acknowledged(
    setup: &Setup,
    state: &State,
    mark: Mark,
    is_the_one: impl Fn(crate::state::Record) -> bool,
) -> Result<(), Property> {
    let ghost = state.log(mark.incarnation).ghost;
    if mark.slot == 0 || is_the_one(ghost.get(mark.slot)) {
        return Ok(());
    }
    let ended = setup.is_delete(ghost.last()) && mark.slot >= ghost.len();
    Err(if ended { Property::NothingAfterDelete } else { Property::AcknowledgedInItsPlace })
}

/// Checks what a read returns that began when `must` had been acknowledged.
pub(crate) fn check_read(setup: &Setup, state: &State, view: &View, must: Mark) -> Result<(), Property> {
    ensure(state.log(view.incarnation).ghost.starts_with(view.fold), Property::ReadIsPrefix)?;
    let here = Mark { incarnation: view.incarnation, slot: view.fold.len() };
    if here >= must {
        return Ok(());
    }
    let is_deleted =
        here.incarnation < must.incarnation || setup.is_delete(state.log(must.incarnation).ghost.get(must.slot));
    Err(if is_deleted { Property::DeletedIsNotRead } else { Property::ReadReflectsAcknowledged })
}

/// Checks a read that found incarnation `ended` to be the last, and ended.
pub(crate) fn check_read_of_nothing(ended: u8, must: Mark) -> Result<(), Property> {
    ensure(must.incarnation <= ended, Property::ReadReflectsAcknowledged)
}

/// Checks what a sealer folded.
pub(crate) fn check_checkpoint(state: &State, view: &View) -> Result<(), Property> {
    ensure(state.log(view.incarnation).ghost.starts_with(view.fold), Property::CheckpointIsPrefix)
}

fn ensure(holds: bool, property: Property) -> Result<(), Property> {
    if holds { Ok(()) } else { Err(property) }
}
