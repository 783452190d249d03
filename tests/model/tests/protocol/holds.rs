//! With all rules on, nothing can be broken.

use wadi_model::{Setup, runs};

pub(super) fn holds(name: &str, setup: &Setup) {
    let report = super::run(name, setup);
    assert!(report.violation.is_none(), "{name}: the protocol was broken");
}

macro_rules! runs_that_hold {
    ($($name:ident,)*) => {
        $(#[test]
        fn $name() {
            holds(stringify!($name), &runs::$name());
        })*
    };
}

runs_that_hold! {
    two_writers,
    two_writers_two_seals,
    two_writers_and_reader,
    two_writers_and_parallel_scans,
    longer_grace,
    longer_lease,
    one_key_at_two_processes,
    key_repeated_and_reader,
    warm_writer_and_reader,
    writer_and_reader_of_one_process,
    delete_and_recreate,
    delete_recreate_and_reader,
    two_creators,
    two_deleters_and_reader,
    three_writers,
    two_late_puts_and_reader,
}
