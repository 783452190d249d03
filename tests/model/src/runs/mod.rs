//! The runs: under all rules, and with one of them off each.

pub mod broken;
pub mod longer;
mod start;

use crate::{Setup, Task};

const APPEND: Task = Task::Append { key: None };
const READ: Task = Task::Read;
const SEAL: Task = Task::Seal;
const DELETE: Task = Task::Delete;
const CREATE: Task = Task::Create;

const fn keyed(key: char) -> Task {
    Task::Append { key: Some(key) }
}

/// Two processes append, and send again what was not answered; one seals.
#[must_use]
pub fn two_writers() -> Setup {
    Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("sealer", &[SEAL]).alike(2).sends(2)
}

/// The same, sealed twice.
#[must_use]
pub fn two_writers_two_seals() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]);
    setup.with("sealer", &[SEAL, SEAL]).alike(2).sends(2)
}

/// Two processes append, one seals, one reads twice: the second time from what it knows.
#[must_use]
pub fn two_writers_and_reader() -> Setup {
    two_writers().with("reader", &[READ, READ])
}

/// Two processes append, one seals, one reads; scans read slots in parallel.
#[must_use]
pub fn two_writers_and_parallel_scans() -> Setup {
    two_writers().with("reader", &[READ]).scans_in_parallel()
}

/// A grace period of three ticks.
#[must_use]
pub fn longer_grace() -> Setup {
    two_writers().with("reader", &[READ]).periods(1, 3)
}

/// A lease of two ticks and a grace period of three.
#[must_use]
pub fn longer_lease() -> Setup {
    two_writers().with("reader", &[READ]).periods(2, 3)
}

/// Two processes append the same thing for one producer; one seals.
#[must_use]
pub fn one_key_at_two_processes() -> Setup {
    let setup = Setup::new().with("writer A", &[keyed('x')]).with("writer B", &[keyed('x')]);
    setup.with("sealer", &[SEAL]).alike(2).sends(2)
}

/// A producer repeats what it may have appended, there and elsewhere; one seals, one reads.
#[must_use]
pub fn key_repeated_and_reader() -> Setup {
    let setup = Setup::new().with("writer A", &[keyed('x'), keyed('x')]).with("writer B", &[keyed('x')]);
    setup.with("sealer", &[SEAL]).with("reader", &[READ]).sends(2)
}

/// A process with a view that lasts appends twice, one reads twice, one seals twice.
#[must_use]
pub fn warm_writer_and_reader() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND, APPEND]);
    setup.with("reader", &[READ, READ]).with("sealer", &[SEAL, SEAL]).sends(2)
}

/// One process appends and reads at once, another appends, one seals.
#[must_use]
pub fn writer_and_reader_of_one_process() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("reader A", &[READ, READ]);
    setup.with("writer B", &[APPEND]).with("sealer", &[SEAL]).sharing(2)
}

/// One process appends while another deletes, creates anew and appends; one seals.
#[must_use]
pub fn delete_and_recreate() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND]);
    setup.with("deleter", &[DELETE, CREATE, APPEND]).with("sealer", &[SEAL])
}

/// The same, and one reads.
#[must_use]
pub fn delete_recreate_and_reader() -> Setup {
    delete_and_recreate().with("reader", &[READ])
}

/// One deletes; it and another create anew; both and a third append.
#[must_use]
pub fn two_creators() -> Setup {
    let setup = Setup::new().with("writer", &[APPEND]).with("deleter", &[DELETE, CREATE]);
    setup.with("creator", &[CREATE, APPEND])
}

/// Two delete, and one of them goes on to create and append; one reads.
#[must_use]
pub fn two_deleters_and_reader() -> Setup {
    let setup = Setup::new().with("deleter A", &[DELETE, CREATE, APPEND]).with("deleter B", &[DELETE]);
    setup.with("reader", &[READ])
}

/// Three processes append; one seals.
#[must_use]
pub fn three_writers() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("writer C", &[APPEND]);
    setup.with("sealer", &[SEAL]).alike(3)
}

/// Two PUTs of one slot are under way that were given up, and a third record has the slot; one
/// seals, one reads.
#[must_use]
pub fn two_late_puts_and_reader() -> Setup {
    start::two_late_puts(&[SEAL]).with("reader", &[READ])
}
