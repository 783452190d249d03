//! Content codings of answers.

use std::io::{self, Write};

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;

use crate::limits::{BROTLI_QUALITY, BROTLI_WINDOW_LOG2, GZIP_LEVEL, ZSTD_LEVEL};

/// How the bytes of an answer are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// Zstandard (RFC 8878).
    Zstd,
    /// Brotli (RFC 7932).
    Brotli,
    /// gzip (RFC 1952).
    Gzip,
}

impl Coding {
    /// All of them. Where a client has no wish, the earlier one is taken: it costs less time for what
    /// it saves.
    pub(crate) const ALL: [Self; 3] = [Self::Zstd, Self::Brotli, Self::Gzip];

    /// Its name in `Content-Encoding`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// Whether a client calls it so. Names compare without regard to case (RFC 9110, section 8.4.1).
    pub(crate) fn is_named(self, name: &str) -> bool {
        name.eq_ignore_ascii_case(self.name()) || (self == Self::Gzip && name.eq_ignore_ascii_case("x-gzip"))
    }

    /// The bytes, compressed. Takes time linear in them.
    pub(crate) fn encode(self, bytes: &[u8]) -> io::Result<Bytes> {
        match self {
            Self::Zstd => zstd::bulk::compress(bytes, ZSTD_LEVEL),
            Self::Brotli => brotli(bytes),
            Self::Gzip => gzip(bytes),
        }
        .map(Bytes::from)
    }
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: BROTLI_WINDOW_LOG2,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut encoded = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut encoded, &parameters)?;
    Ok(encoded)
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL));
    writer.write_all(bytes)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn decoded(coding: Coding, bytes: &[u8]) -> Vec<u8> {
        let mut decoded = Vec::new();
        match coding {
            Coding::Zstd => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut decoded).unwrap(),
            Coding::Brotli => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut decoded).unwrap(),
            Coding::Gzip => flate2::read::GzDecoder::new(bytes).read_to_end(&mut decoded).unwrap(),
        };
        decoded
    }

    #[test]
    fn what_is_encoded_is_decoded_again_and_text_is_smaller() {
        let text = "a line of a log\n".repeat(100);
        for coding in Coding::ALL {
            for bytes in [&b""[..], b"a", text.as_bytes(), &vec![0xFF; 70_000]] {
                let encoded = coding.encode(bytes).unwrap();
                assert_eq!(decoded(coding, &encoded), bytes, "{coding:?} {}", bytes.len());
            }
            assert!(coding.encode(text.as_bytes()).unwrap().len() < text.len() / 4, "{coding:?}");
        }
    }
}
