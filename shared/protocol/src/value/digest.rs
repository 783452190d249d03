//! BLAKE3-256.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Malformed, malformed::text_value};

const BYTES: usize = 32;

/// A BLAKE3-256 digest. Displays, and is written in JSON, as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; BYTES]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The digest with these 32 bytes, for one computed piece by piece.
    pub const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes of the digest.
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// Exactly 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let malformed = Malformed::new("the digest must be exactly 64 lower-case hexadecimal digits");
        // The decoder also takes capitals, which would give one digest two spellings.
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(malformed);
        }
        let mut bytes = [0; BYTES];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| malformed)?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 2 * BYTES];
        hex::encode_to_slice(self.0, &mut text).map_err(|_| fmt::Error)?;
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

text_value!(Digest, Digest::parse);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_values() {
        for (input, expected) in [
            ("", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
            ("{\"n\":0}", "7c9dc47b3b7a928e86b42605f7de4f4d48ce4fcd8c52f9e691acd38c7ff00037"),
        ] {
            assert_eq!(Digest::of(input.as_bytes()).to_string(), expected, "{input}");
        }
    }

    #[test]
    fn refuses_other_spellings() {
        let good = Digest::of(b"").to_string();
        assert!(Digest::parse(&good).is_ok());
        for text in [
            String::new(),
            good.to_uppercase(),
            good[1..].to_owned(),
            format!("{good}0"),
            format!(" {good}"),
            "g".repeat(64),
            "\u{e9}".repeat(32),
        ] {
            assert!(Digest::parse(&text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn returns(bytes: [u8; 32]) {
            let digest = Digest::from_bytes(bytes);
            prop_assert_eq!(Digest::parse(&digest.to_string()), Ok(digest));
            let json = serde_json::to_string(&digest).unwrap();
            prop_assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        }

        #[test]
        fn never_panics(text in ".*") {
            let _ = Digest::parse(&text);
        }
    }
}
