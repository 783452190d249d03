//! The protocol holds under all of its rules, and without any one of them it does not.

mod coverage;
mod holds;
mod longer;
mod violations;

use wadi_model::{
    Action, Property, Setup,
    checker::{Counterexample, Report, check},
};

/// Runs to the end and tells how it went.
fn run(name: &str, setup: &Setup) -> Report<Action, Property> {
    let report = check(setup);
    let Report { states, steps, depth, elapsed, .. } = report;
    tell(&format!("{name}: {states} states, {steps} steps, depth {depth}, {:.1} s", elapsed.as_secs_f64()));
    if let Some(violation) = &report.violation {
        tell(&in_words(setup, violation));
    }
    report
}

/// A counterexample, a step a line.
fn in_words(setup: &Setup, violation: &Counterexample<Action, Property>) -> String {
    let steps = violation.actions.iter().zip(1..);
    let steps = steps.map(|(action, number)| format!("{number:4}. {}\n", action.describe(setup)));
    format!("{}      so {}", steps.collect::<String>(), violation.fault)
}

#[expect(clippy::print_stdout, reason = "shown with --nocapture, and when a test fails")]
fn tell(text: &str) {
    println!("{text}");
}
