//! Runs that take minutes: `cargo test -p wadi-model -- --ignored --nocapture --test-threads 1`.

use wadi_model::runs::longer;

macro_rules! longer_runs_that_hold {
    ($($name:ident,)*) => {
        $(#[test]
        #[ignore = "takes minutes"]
        fn $name() {
            super::holds::holds(stringify!($name), &longer::$name());
        })*
    };
}

longer_runs_that_hold! {
    delete_and_recreate_sending_again,
    delete_recreate_and_parallel_scans,
    deleter_and_reader_of_one_process,
    late_puts_two_seals_and_reader,
    three_writers_and_reader,
    three_writers_sending_again,
    three_writers_two_seals,
    two_keys_at_two_processes_and_reader,
    two_writers_two_seals_and_reader,
}
