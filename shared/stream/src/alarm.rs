//! A timer for what is waited for again and again.

use std::{fmt, future::Future, time::Duration};

use futures::future::{BoxFuture, Either, select};

use crate::Runtime;

/// Rings at a deadline. It is set anew only where it must ring earlier than it is set for, or has rung too early:
/// whoever waits for the next of many events, each with a later deadline, seldom touches a timer.
#[derive(Default)]
pub(crate) struct Alarm(Option<Set>);

struct Set {
    at: Duration,
    timer: BoxFuture<'static, ()>,
}

impl Alarm {
    /// What comes of `event`, unless `deadline`, in monotonic time, comes first.
    pub(crate) async fn before<E: Future + Unpin>(
        &mut self,
        deadline: Duration,
        runtime: &dyn Runtime,
        mut event: E,
    ) -> Option<E::Output> {
        loop {
            let set = match self.0.take().filter(|set| set.at <= deadline) {
                Some(set) => set,
                None => Set { at: deadline, timer: runtime.sleep(deadline.saturating_sub(runtime.monotonic())) },
            };
            let Set { timer, .. } = self.0.insert(set);
            match select(event, timer).await {
                Either::Left((output, _)) => return Some(output),
                Either::Right(((), waiting)) => event = waiting,
            }
            // It has rung, at its own time.
            if self.0.take().is_none_or(|set| set.at >= deadline) {
                return None;
            }
        }
    }
}

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Alarm").field(&self.0.as_ref().map(|set| set.at)).finish()
    }
}

#[cfg(test)]
#[path = "alarm_tests.rs"]
mod tests;
