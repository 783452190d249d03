//! Deliberate defects, for the tests that prove the tests.
//!
//! Each breaks one rule that the engine keeps. With the feature `defects` some of them may be active
//! in a thread; without it, as in every release, none ever is and each hook is dead code.

/// A rule to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A record is put whatever is in its slot.
    CommitWithoutCondition,
    /// A record found after a lost answer is taken for another's.
    OwnRecordNotRecognised,
    /// A refusal or repeat is given without a probe.
    RefusalWithoutProof,
    /// A write is acknowledged before its record is put.
    AcknowledgedBeforePut,
    /// An answer that rests on operations not yet committed is given at once.
    UncommittedAnswerReleased,
    /// A record is folded whatever it names as its predecessor.
    PredecessorIgnored,
    /// The producers of a record that took the slot are not folded.
    ProducersOfWinnerForgotten,
    /// Any answer about a slot is believed, however late it comes.
    LateAnswersBelieved,
    /// A record that was found renews the state that it follows.
    FoundRecordRenews,
    /// A stream past its expiry is replaced by its manifest alone; its log goes on.
    ExpiredReplacedByManifest,
    /// A read is answered from what is known.
    ReadWithoutProbe,
    /// A probe that was sent before a read came answers it.
    ReadJoinsProbeUnderWay,
    /// A state is kept that a checkpoint has overtaken.
    OvertakenStateKept,
    /// A state is kept whose incarnation ended.
    EndedIncarnationKept,
    /// A record that may have landed is called void.
    OpenRecordCalledVoid,
    /// A reader calls a stream expired without ending it.
    ExpiryNotCommitted,
    /// Answers about slots are believed for twice as long as is safe.
    LeaseDoubled,
    /// A manifest found after a lost answer is taken for another's.
    OwnManifestNotRecognised,
    /// A manifest that may be in place, or get there, is called void.
    OpenManifestCalledVoid,
    /// A tail goes on with whatever incarnation is there.
    TailChangesIncarnation,
    /// A cell that ends at the tail of an open stream is sealed.
    CellAtOpenTailSealed,
    /// Slots are collected as soon as a checkpoint covers them.
    CollectedBeforeGrace,
    /// An incarnation that ended is collected at once.
    DroppedCollectedAtOnce,
    /// An incarnation that no manifest names is collected without a look at its name.
    OrphanCollectedWithoutFence,
    /// An object that is in the way of a sealed one is taken for it unseen.
    SealedObjectNotCompared,
    /// A checkpoint is published whose sealed objects the store did not confirm.
    SealedObjectUnconfirmed,
    /// A checkpoint counts as published from when its last record was.
    CoverDatedByItsRecord,
    /// A body is collected by its age alone.
    NamedBodyCollected,
    /// A checkpoint is sealed from a state that nothing has validated within a lease: the one after a
    /// record that landed too late to be believed.
    SealedFromOldState,
    /// A snapshot is copied to its own key before its record is committed.
    SnapshotCopiedBeforeCommit,
    /// A snapshot takes the place of another one at the same offset.
    SnapshotReplaced,
    /// The body of the latest snapshot is collected by its age.
    SnapshotBodyCollected,
    /// A snapshot is collected as soon as a later one supersedes it.
    SupersededCollectedAtOnce,
    /// A stream is let go of although no snapshot stands for it.
    RetentionWithoutSnapshot,
    /// A read is served from below what the stream keeps.
    RetentionNotLookedAt,
    /// A sealed state says that nothing was let go of.
    RetentionForgottenBySealing,
    /// A bootstrap ends with its snapshot.
    BootstrapStopsAtSnapshot,
    /// Chunks are collected as soon as a manifest has let go of them.
    ReleasedChunksCollectedAtOnce,
    /// A chunk is let go of that holds bytes which the stream keeps.
    ChunksReleasedAboveRetention,
}

#[cfg(feature = "defects")]
mod switch {
    use std::cell::Cell;

    use super::Defect;

    thread_local! {
        static ACTIVE: Cell<u64> = const { Cell::new(0) };
    }

    impl Defect {
        /// Breaks these rules, and no others, in the current thread.
        pub fn activate(defects: &[Self]) {
            ACTIVE.set(defects.iter().fold(0, |active, defect| active | defect.bit()));
        }

        const fn bit(self) -> u64 {
            1 << self as u64
        }
    }

    /// Whether the rule is broken.
    pub(crate) fn active(defect: Defect) -> bool {
        ACTIVE.get() & defect.bit() != 0
    }
}

#[cfg(feature = "defects")]
pub(crate) use switch::active;

/// Whether the rule is broken: never.
#[cfg(not(feature = "defects"))]
pub(crate) const fn active(_defect: Defect) -> bool {
    false
}
