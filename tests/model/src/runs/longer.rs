//! Runs under all rules that take minutes.

use super::{
    APPEND, CREATE, DELETE, READ, SEAL, delete_and_recreate, delete_recreate_and_reader, keyed, start, three_writers,
};
use crate::Setup;

/// Two processes append, one seals twice, one reads twice.
#[must_use]
pub fn two_writers_two_seals_and_reader() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]);
    setup.with("sealer", &[SEAL, SEAL]).with("reader", &[READ, READ]).alike(2).sends(2)
}

/// A producer appends two things at one process and the first of them at another; one reads.
#[must_use]
pub fn two_keys_at_two_processes_and_reader() -> Setup {
    let setup = Setup::new().with("writer A", &[keyed('x'), keyed('y')]).with("writer B", &[keyed('x')]);
    setup.with("sealer", &[SEAL]).with("reader", &[READ]).sends(2)
}

/// Three processes append, one seals twice.
#[must_use]
pub fn three_writers_two_seals() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("writer C", &[APPEND]);
    setup.with("sealer", &[SEAL, SEAL]).alike(3)
}

/// One process deletes, creates, appends and reads at once; another appends.
#[must_use]
pub fn deleter_and_reader_of_one_process() -> Setup {
    let setup = Setup::new().with("deleter", &[DELETE, CREATE, APPEND]).with("its reader", &[READ]);
    setup.with("writer", &[APPEND]).sharing(2)
}

/// Two PUTs of a filled slot are under way; one seals twice, one reads twice.
#[must_use]
pub fn late_puts_two_seals_and_reader() -> Setup {
    start::two_late_puts(&[SEAL, SEAL]).with("reader", &[READ, READ])
}

/// Three processes append and send again what was not answered; one seals.
#[must_use]
pub fn three_writers_sending_again() -> Setup {
    three_writers().sends(2)
}

/// Three processes append, one seals, one reads.
#[must_use]
pub fn three_writers_and_reader() -> Setup {
    three_writers().with("reader", &[READ])
}

/// One process appends while another deletes, creates and appends; both send again.
#[must_use]
pub fn delete_and_recreate_sending_again() -> Setup {
    delete_and_recreate().sends(2)
}

/// The same with a reader, and with scans that read slots in parallel instead of sending again.
#[must_use]
pub fn delete_recreate_and_parallel_scans() -> Setup {
    delete_recreate_and_reader().scans_in_parallel()
}
