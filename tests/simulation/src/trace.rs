//! What happened on the way to the store and back, request by request.

use std::{fmt, time::Duration};

use crate::fate::Event;

/// An instant: the number of an event, and world time.
pub(crate) type Instant = (u64, Duration);

/// One request to the store.
#[derive(Clone, Debug)]
pub(crate) struct StoreRequest {
    pub(crate) instance: String,
    pub(crate) what: String,
    pub(crate) sent: Instant,
    pub(crate) event: Event,
    pub(crate) applied: Option<Instant>,
    pub(crate) answer: String,
    /// When the instance was told; it may have been gone.
    pub(crate) answered: Option<Instant>,
}

impl fmt::Display for StoreRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} instance {:<4} {}", At(self.sent), self.instance, self.what)?;
        if self.event != Event::Delivered {
            write!(f, " [{:?}]", self.event)?;
        }
        if let Some(applied) = self.applied {
            write!(f, " applied {}", At(applied))?;
        }
        match self.answered {
            Some(answered) => write!(f, " -> {} {}", self.answer, At(answered)),
            None => write!(f, " -> never answered"),
        }
    }
}

/// An instant as people read it.
pub(crate) struct At(pub(crate) Instant);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tick, time) = self.0;
        write!(f, "#{tick}@{}.{:06}s", time.as_secs(), time.subsec_micros())
    }
}
