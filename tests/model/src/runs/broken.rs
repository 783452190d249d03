//! Runs that go without one rule each. What they break is the reason for that rule.

use super::{APPEND, READ, SEAL, delete_and_recreate, keyed, start};
use crate::Setup;

fn writers(a: crate::Task, b: crate::Task) -> Setup {
    Setup::new().with("writer A", &[a]).with("writer B", &[b]).with("sealer", &[SEAL])
}

fn reads_twice() -> Setup {
    Setup::new().with("writer", &[APPEND]).with("reader", &[READ, READ]).with("sealer", &[SEAL])
}

/// The success of a PUT is believed however old the view is.
#[must_use]
pub fn puts_believed_for_ever() -> Setup {
    writers(APPEND, APPEND).under(|rules| rules.puts_within_lease = false)
}

/// A record of unknown fate is taken for void, deleted and committed again.
#[must_use]
pub fn unknown_committed_again() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND]).with("sealer", &[SEAL]);
    setup.under(|rules| rules.unknown_left_alone = false)
}

/// The same with producers, who at least never commit anything twice.
#[must_use]
pub fn unknown_deleted() -> Setup {
    writers(keyed('x'), keyed('y')).under(|rules| rules.unknown_left_alone = false)
}

/// What a GET of a slot says is believed however old the view is.
#[must_use]
pub fn gets_believed_for_ever() -> Setup {
    reads_twice().under(|rules| rules.gets_within_lease = false)
}

/// The slots of an incarnation that ended are collected at once.
#[must_use]
pub fn dead_collected_at_once() -> Setup {
    delete_and_recreate().under(|rules| rules.dead_kept_for_grace = false)
}

/// A view below the checkpoint is kept, as long as it is not below the floor.
#[must_use]
pub fn below_checkpoint_kept() -> Setup {
    reads_twice().under(|rules| rules.below_checkpoint_discarded = false)
}

/// A record that was found validates the view.
#[must_use]
pub fn found_renews() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND, APPEND]).with("reader", &[READ]).with("sealer", &[SEAL]);
    setup.under(|rules| rules.found_does_not_renew = false)
}

/// The lease is longer than the grace period.
#[must_use]
pub fn lease_above_grace() -> Setup {
    writers(APPEND, APPEND).periods(3, 2)
}

/// The lease is as long as the grace period.
#[must_use]
pub fn lease_as_long_as_grace() -> Setup {
    writers(APPEND, APPEND).under(|rules| rules.lease_below_grace = false)
}

/// A record read back is not known to be one's own.
#[must_use]
pub fn own_record_not_recognised() -> Setup {
    writers(APPEND, APPEND).under(|rules| rules.own_record_recognised = false)
}

/// A record read back is folded whatever the date, from the start that makes it worst.
#[must_use]
pub fn basis_not_judged() -> Setup {
    start::two_late_puts(&[SEAL]).under(|rules| rules.judged_on_basis = false)
}

/// A checkpoint is dated before it is published.
#[must_use]
pub fn checkpoint_dated_early() -> Setup {
    writers(APPEND, APPEND).under(|rules| rules.grace_from_publication = false)
}

/// A tombstone is dated before it is in place.
#[must_use]
pub fn tombstone_dated_early() -> Setup {
    delete_and_recreate().under(|rules| rules.grace_from_publication = false)
}
