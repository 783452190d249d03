//! Without any one of the rules something breaks, and this is the shortest way to break it.

use wadi_model::{Property, Setup, runs::broken};

fn breaks(name: &str, setup: &Setup, property: Property) {
    let violation = super::run(name, setup).violation;
    assert_eq!(violation.map(|violation| violation.fault), Some(property), "{name}");
}

macro_rules! runs_that_break {
    ($($name:ident: $property:ident,)*) => {
        $(#[test]
        fn $name() {
            breaks(stringify!($name), &broken::$name(), Property::$property);
        })*
    };
}

runs_that_break! {
    puts_believed_for_ever: AcknowledgedInItsPlace,
    unknown_committed_again: NothingTwice,
    unknown_deleted: AcknowledgedInItsPlace,
    gets_believed_for_ever: ReadReflectsAcknowledged,
    dead_collected_at_once: NothingAfterDelete,
    below_checkpoint_kept: ReadReflectsAcknowledged,
    found_renews: ReadReflectsAcknowledged,
    lease_above_grace: AcknowledgedInItsPlace,
    lease_as_long_as_grace: AcknowledgedInItsPlace,
    own_record_not_recognised: NothingTwice,
    basis_not_judged: BuiltOnTheLast,
    checkpoint_dated_early: AcknowledgedInItsPlace,
    tombstone_dated_early: NothingAfterDelete,
}

#[test]
fn a_counterexample_reads_as_a_story() {
    let setup = broken::gets_believed_for_ever();
    let violation = super::run("gets_believed_for_ever", &setup).violation;
    let words = violation.map(|violation| super::in_words(&setup, &violation)).unwrap_or_default();
    let lines: Vec<_> = words.lines().map(str::trim).collect();
    assert_eq!(lines.last(), Some(&"so a read missed what was acknowledged before it began"));
    assert!(lines.contains(&"4. writer: the PUT of slot 1 lands, stored: Landed"), "{words}");
    assert!(lines.contains(&"13. reader: GET slot 1 -> missing"), "{words}");
}
