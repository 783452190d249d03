//! What a failed probe means, told to the person who runs the service.

use std::fmt;

use thiserror::Error;

use crate::StoreError;

/// Why a store was not proved fit.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unfit {
    /// The store broke a promise: it must not be used.
    #[error("this store is unfit: {probe} ({seen}). {}", probe.meaning())]
    Broken {
        /// The probe that failed.
        probe: Probe,
        /// What the store did.
        seen: String,
    },
    /// The store could not be asked; nothing is proved either way.
    #[error("the store could not be tested ({probe}): {source}")]
    Unproved {
        /// The probe that could not be run.
        probe: Probe,
        /// What went wrong.
        source: StoreError,
    },
}

/// A promise that is probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// A key is created once.
    CreateOnce,
    /// A write whose condition failed changes nothing.
    FailedWriteChangesNothing,
    /// A read that follows a write sees it.
    ReadSeesWrite,
    /// A part of an object can be read.
    RangeRead,
    /// An update with the current tag is stored.
    CurrentUpdate,
    /// An update with an old tag fails.
    StaleUpdate,
    /// An update of a missing key fails.
    UpdateOfMissing,
    /// Of concurrent creates of one key, one succeeds.
    ConcurrentCreates,
    /// Of concurrent updates from one tag, one succeeds.
    ConcurrentUpdates,
    /// A deleted object is gone.
    Delete,
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CreateOnce => "a key must be created only once",
            Self::FailedWriteChangesNothing => "a write whose condition fails must change nothing",
            Self::ReadSeesWrite => "a read must see the write before it",
            Self::RangeRead => "a part of an object must be readable",
            Self::CurrentUpdate => "an update with the current ETag must be stored",
            Self::StaleUpdate => "an update with an old ETag must fail",
            Self::UpdateOfMissing => "an update of a missing key must fail",
            Self::ConcurrentCreates => "of concurrent creates of one key exactly one must succeed",
            Self::ConcurrentUpdates => "of concurrent updates from one ETag exactly one must succeed",
            Self::Delete => "a deleted object must be gone",
        })
    }
}

const USE_ANOTHER: &str =
    "Use a store with conditional writes, such as Amazon S3, SeaweedFS 4.16 or later, or the embedded store.";

impl Probe {
    /// What it would mean to use a store that fails this probe, and what to do.
    fn meaning(self) -> String {
        let consequence = match self {
            Self::CreateOnce => {
                "It ignores If-None-Match: two writers would overwrite each other's acknowledged records. If it is known \
                 to honour it, check that the self-test's id was never used before"
            }
            Self::FailedWriteChangesNothing | Self::StaleUpdate | Self::UpdateOfMissing => {
                "It does not honour its conditions: acknowledged records could be overwritten"
            }
            Self::ReadSeesWrite => {
                "Its reads are stale (a cache or a replica in between?): readers would miss acknowledged records"
            }
            Self::RangeRead => "Sealed data could not be read in parts",
            Self::CurrentUpdate => "It does not support If-Match: no stream could be changed after its creation",
            Self::ConcurrentCreates => {
                "It ignores If-None-Match under concurrency: acknowledged records would be lost when two processes write"
            }
            Self::ConcurrentUpdates => {
                "It ignores If-Match under concurrency: a stream's manifest would be lost when two processes write"
            }
            Self::Delete => "Retention could not free space",
        };
        format!("{consequence}. {USE_ANOTHER}")
    }
}
