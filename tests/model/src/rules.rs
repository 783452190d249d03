//! The rules of the protocol, each a switch.

/// The rules of the protocol. All of them are on in the real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule that a run can switch off by itself")]
pub struct Rules {
    /// The success of a PUT is believed only within a lease of the view's validation. Off: always.
    pub puts_within_lease: bool,
    /// What a GET of a slot says is believed only within a lease of the view's validation. Off: always.
    pub gets_within_lease: bool,
    /// An answer is judged on the view it was asked on, a record read back from one's own slot
    /// too. Off: such a record is folded whatever its date, and only one's own slot is looked at.
    pub judged_on_basis: bool,
    /// A record that was found proves nothing about the slots after it. Off: it validates the view.
    pub found_does_not_renew: bool,
    /// A view below the checkpoint is thrown away when it is revalidated. Off: it is kept as long
    /// as it is at or above the floor.
    pub below_checkpoint_discarded: bool,
    /// The slots of an incarnation that ended stay for a grace period. Off: they may go at once.
    pub dead_kept_for_grace: bool,
    /// The lease is shorter than the grace period. Off: it is as long.
    pub lease_below_grace: bool,
    /// A record read back is known by its id to be one's own. Off: it passes for another's.
    pub own_record_recognised: bool,
    /// A record whose fate cannot be told is left alone. Off: if a checkpoint covers its slot it is
    /// taken for void, deleted and committed again.
    pub unknown_left_alone: bool,
    /// A grace period starts when a manifest is in place. Off: when its author last read it.
    pub grace_from_publication: bool,
}

impl Rules {
    /// The protocol as it is.
    pub const ALL: Self = Self {
        puts_within_lease: true,
        gets_within_lease: true,
        judged_on_basis: true,
        found_does_not_renew: true,
        below_checkpoint_discarded: true,
        dead_kept_for_grace: true,
        lease_below_grace: true,
        own_record_recognised: true,
        unknown_left_alone: true,
        grace_from_publication: true,
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self::ALL
    }
}
