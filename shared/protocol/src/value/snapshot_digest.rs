//! The digest of a snapshot: of its content type and its body together.

use std::fmt;

use super::{ContentType, Digest};

/// A snapshot's digest in the making, for a body that comes piece by piece.
///
/// It is BLAKE3-256 of the length of the content type (8 bytes, little-endian), the content type in
/// normal form, and the body (wire contract, "Snapshots"). So the same bytes under another type are
/// another snapshot.
// In a box: it is large, and held across waits.
#[derive(Clone)]
pub struct SnapshotDigest(Box<blake3::Hasher>);

impl SnapshotDigest {
    /// Begins with the content type.
    pub fn new(content_type: &ContentType) -> Self {
        let text = content_type.as_str();
        let mut hasher = Box::new(blake3::Hasher::new());
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        Self(hasher)
    }

    /// Goes on with the next bytes of the body.
    pub fn update(&mut self, body: &[u8]) {
        self.0.update(body);
    }

    /// The digest of what came so far.
    pub fn finish(&self) -> Digest {
        Digest::from_bytes(*self.0.finalize().as_bytes())
    }

    /// The digest of a whole snapshot.
    pub fn of(content_type: &ContentType, body: &[u8]) -> Digest {
        let mut digest = Self::new(content_type);
        digest.update(body);
        digest.finish()
    }
}

impl fmt::Debug for SnapshotDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SnapshotDigest")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_values() {
        for (content_type, body, expected) in [
            ("application/json", "{\"n\":1}", "ab420a1fe7831ddacdf7979150eb8d55b8b6259dcfa656b4300888a7887c4283"),
            ("application/octet-stream", "", "cecc1097efdd5bad6b90256bcfb122a72337573558de9814ba531cffeb63d8e5"),
            ("application/octet-stream", "abc", "af353227804b3d14bd1b55e07339391b822a25a42418ba5a994c3c8d7913674e"),
        ] {
            let content_type = ContentType::parse(content_type).unwrap();
            assert_eq!(SnapshotDigest::of(&content_type, body.as_bytes()).to_string(), expected, "{body}");
        }
    }

    proptest! {
        #[test]
        fn pieces_make_the_whole(pieces: Vec<Vec<u8>>) {
            let mut digest = SnapshotDigest::new(&ContentType::json());
            for piece in &pieces {
                digest.update(piece);
            }
            prop_assert_eq!(digest.finish(), SnapshotDigest::of(&ContentType::json(), &pieces.concat()));
        }
    }
}
