//! What compresses answers. Without the feature `compression` nothing does, and no setting turns it on.

use std::io::{self, Write};

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;

use super::Coding;
use crate::limits::{BROTLI_QUALITY, BROTLI_WINDOW_LOG2, GZIP_LEVEL, ZSTD_LEVEL};

/// The bytes, compressed. Takes time linear in them.
pub(crate) fn compressed(coding: Coding, bytes: &[u8]) -> io::Result<Bytes> {
    match coding {
        Coding::Zstd => zstd::bulk::compress(bytes, ZSTD_LEVEL),
        Coding::Brotli => brotli(bytes),
        Coding::Gzip => gzip(bytes),
    }
    .map(Bytes::from)
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
                let encoded = compressed(coding, bytes).unwrap();
                assert_eq!(decoded(coding, &encoded), bytes, "{coding:?} {}", bytes.len());
            }
            assert!(compressed(coding, text.as_bytes()).unwrap().len() < text.len() / 4, "{coding:?}");
        }
    }
}
