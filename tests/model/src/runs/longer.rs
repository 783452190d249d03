//! Runs under all rules that take minutes.

use super::{
    APPEND, CREATE, DELETE, READ, SEAL, delete_and_recreate, delete_recreate_and_reader, keyed, start, three_writers,
};
use crate::Setup;

/// All of them, with their names.
#[must_use]
pub fn all() -> Vec<(&'static str, Setup)> {
    vec![
        ("two_writers_two_seals_and_reader", two_writers_two_seals_and_reader()),
        ("two_keys_at_two_processes_and_reader", two_keys_at_two_processes_and_reader()),
        ("three_writers_sending_again", three_writers().sends(2)),
        ("three_writers_and_reader", three_writers().with("reader", &[READ])),
        ("three_writers_two_seals", three_writers_two_seals()),
        ("delete_and_recreate_sending_again", delete_and_recreate().sends(2)),
        ("delete_recreate_and_parallel_scans", delete_recreate_and_reader().scans_in_parallel()),
        ("delete_recreate_and_reader_of_one_process", deleter_and_reader_of_one_process()),
        ("late_puts_two_seals_and_reader", late_puts_two_seals_and_reader()),
    ]
}

fn two_writers_two_seals_and_reader() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]);
    setup.with("sealer", &[SEAL, SEAL]).with("reader", &[READ, READ]).alike(2).sends(2)
}

fn two_keys_at_two_processes_and_reader() -> Setup {
    let setup = Setup::new().with("writer A", &[keyed('x'), keyed('y')]).with("writer B", &[keyed('x')]);
    setup.with("sealer", &[SEAL]).with("reader", &[READ]).sends(2)
}

fn three_writers_two_seals() -> Setup {
    let setup = Setup::new().with("writer A", &[APPEND]).with("writer B", &[APPEND]).with("writer C", &[APPEND]);
    setup.with("sealer", &[SEAL, SEAL]).alike(3)
}

fn deleter_and_reader_of_one_process() -> Setup {
    let setup = Setup::new().with("deleter", &[DELETE, CREATE, APPEND]).with("its reader", &[READ]);
    setup.with("writer", &[APPEND]).sharing(2)
}

fn late_puts_two_seals_and_reader() -> Setup {
    start::two_late_puts(&[SEAL, SEAL]).with("reader", &[READ, READ])
}
