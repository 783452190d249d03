//! The targets.

mod fold;
mod manifest;
mod messages;
mod names;
mod record;
mod request;
mod values;

pub use fold::fold;
pub use manifest::manifest;
pub use messages::messages;
pub use names::names;
pub use record::record;
pub use request::request;
pub use values::values;

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

/// What a JSON text says, where it says something: written and read again it is the same, and what is
/// written is written the same way ever after.
fn json_again<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &[u8]) -> Option<T> {
    let value: T = serde_json::from_slice(text).ok()?;
    let written = serde_json::to_vec(&value).expect("what was read can be written");
    let again: T = serde_json::from_slice(&written).expect("what was written can be read");
    assert_eq!(again, value);
    assert_eq!(serde_json::to_vec(&again).expect("and written again"), written);
    Some(value)
}
