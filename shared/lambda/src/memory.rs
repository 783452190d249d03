//! How the memory of an environment is shared out.

use wadi_http::limits::BODIES_IN_FLIGHT_BYTES_MAX;
use wadi_stream::{
    EngineSettings,
    limits::{PAYLOAD_CACHE_BYTES, STATE_CACHE_BYTES},
};

use crate::limits::REQUEST_BYTES_MAX;

const MIB: u64 = 1024 * 1024;

/// What fills up in time takes these parts of the memory: a quarter the states of streams, an eighth each their
/// payloads and the bodies of requests.
const STATES_PART: u64 = 4;
const PAYLOADS_PART: u64 = 8;
const BODIES_PART: u64 = 8;

/// The memory of an environment, in bytes.
///
/// A process that outgrows it is killed with the request that it serves, so at most half of it is given to what
/// fills up in time; the other half is for what one request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory(u64);

impl Memory {
    /// The memory of an environment of so many MiB.
    pub(crate) fn of_mib(mib: u64) -> Self {
        Self(mib.saturating_mul(MIB))
    }

    /// Settings of an engine, with caches that fit.
    pub(crate) fn applied_to(self, settings: EngineSettings) -> EngineSettings {
        EngineSettings {
            state_cache_bytes: STATE_CACHE_BYTES.min(self.0 / STATES_PART),
            payload_cache_bytes: PAYLOAD_CACHE_BYTES.min(self.0 / PAYLOADS_PART),
            ..settings
        }
    }

    /// Bytes of request bodies held at once. The largest request fits always.
    pub(crate) fn bodies_in_flight_bytes_max(self) -> u64 {
        (self.0 / BODIES_PART).clamp(REQUEST_BYTES_MAX, BODIES_IN_FLIGHT_BYTES_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fills_up_takes_half_of_the_memory_at_most() {
        for mib in [128, 256, 512, 1024, 3008, 10_240] {
            let memory = Memory::of_mib(mib);
            let caches = memory.applied_to(EngineSettings::default());
            let bodies = memory.bodies_in_flight_bytes_max();
            assert!(caches.state_cache_bytes + caches.payload_cache_bytes + bodies <= mib * MIB / 2, "{mib}");
            assert!(bodies >= REQUEST_BYTES_MAX, "{mib}");
        }
        assert_eq!(Memory::of_mib(1).bodies_in_flight_bytes_max(), REQUEST_BYTES_MAX);
    }

    #[test]
    fn a_large_environment_keeps_what_a_server_keeps() {
        let memory = Memory::of_mib(10_240);
        assert_eq!(memory.applied_to(EngineSettings::default()), EngineSettings::default());
        assert_eq!(memory.bodies_in_flight_bytes_max(), BODIES_IN_FLIGHT_BYTES_MAX);
    }
}
