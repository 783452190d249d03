//! The name of a part of a snapshot.

use std::fmt;

use super::{Malformed, limits::PART_ID_BYTES_MAX};

/// What a part is called: 1 to 64 visible ASCII characters. Chosen by the service.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartId(String);

impl PartId {
    /// 1 to 64 visible ASCII characters.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if visible && (1..=PART_ID_BYTES_MAX).contains(&text.len()) {
            return Ok(Self(text.to_owned()));
        }
        Err(Malformed::new("the name of a part must be 1 to 64 visible ASCII characters"))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_and_not_too_long() {
        let longest = "~".repeat(64);
        for text in ["a", "0123456789abcdef", "../x", "!", &longest] {
            assert_eq!(PartId::parse(text).map(|part| part.to_string()), Ok(text.to_owned()));
        }
        for text in ["", " ", "a b", "a\n", "\u{e9}", "\u{7f}", &format!("{longest}~")] {
            assert!(PartId::parse(text).is_err(), "{text:?}");
        }
    }
}
