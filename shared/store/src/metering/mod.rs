//! What one piece of work asks of the store, counted along the tasks that do it.
//!
//! [`metered`] binds a [`Meter`] to work; a [`MeteredStore`] notes each request on the meter of the work
//! that sends it, if there is one.

mod meter;
mod store;
mod task;

pub use meter::{Meter, Usage};
pub use store::MeteredStore;
pub use task::{current_meter, metered};
