//! A decorator that breaks requests on purpose: what a network and a loaded server do to them.
//!
//! A [`FaultHook`] decides for every request; the store itself holds no clock and no randomness, so
//! a simulation that seeds its hook is repeatable. [`FaultScript`] is the hook for plain tests.

mod hold;
mod hook;
mod postponed;
mod script;
mod store;

pub use hold::Hold;
pub use hook::{After, Before, Call, FaultHook, Request};
pub use script::{Fault, FaultScript};
pub use store::FaultyStore;
