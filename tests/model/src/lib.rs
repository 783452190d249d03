//! An exhaustive model of the protocol by which streams live in a bucket: commit, checkpoint,
//! collection of what is no longer needed, delete and re-creation.
//!
//! Every request of every process to the bucket is a step of its own, and any number of steps of
//! others may come between two of them. [`check`](checker::check) visits every state that can be
//! reached that way, and says whether a [`Property`] is broken in one of them.
//!
//! Each rule of the protocol is a switch of [`Rules`]. With all of them on nothing is ever broken;
//! with one of them off the checker prints the shortest sequence of steps that breaks something,
//! which is the reason for that rule.

mod action;
pub mod checker;
mod fingerprint;
mod properties;
mod protocol;
mod rules;
pub mod runs;
mod setup;
mod state;

pub use action::Action;
pub use properties::Property;
pub use rules::Rules;
pub use setup::{Setup, Task};
pub use state::Record;
