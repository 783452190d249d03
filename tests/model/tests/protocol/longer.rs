//! Runs that take minutes: `cargo test -p wadi-model -- --ignored --nocapture`.

use wadi_model::runs::longer;

#[test]
#[ignore = "takes minutes"]
fn longer_runs_hold_too() {
    for (name, setup) in longer::all() {
        let report = super::run(name, &setup);
        assert!(report.violation.is_none(), "{name}: the protocol was broken");
    }
}
