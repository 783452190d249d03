//! The meter of a task.

use std::future::Future;

use super::Meter;

tokio::task_local! {
    static METER: Option<Meter>;
}

/// Runs `work` with this meter, or with none: work that serves no request in particular.
///
/// A task that `work` starts has no meter, unless it is given one the same way.
pub fn metered<F: Future>(meter: Option<Meter>, work: F) -> impl Future<Output = F::Output> {
    METER.scope(meter, work)
}

/// The meter of the work that calls this, if it has one.
pub fn current_meter() -> Option<Meter> {
    METER.try_with(Clone::clone).ok().flatten()
}
