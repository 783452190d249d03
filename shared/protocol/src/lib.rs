//! The wire contract and the rules of a stream. Pure: no async, no I/O, no clock, no randomness.

mod value {
    pub mod time;
}

pub use value::time::Timestamp;
