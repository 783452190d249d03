//! A body of several parts (RFC 2046, `multipart/mixed`), written as its bytes come.

/// The parts of one body, in the making.
#[derive(Debug)]
pub(crate) struct Multipart {
    boundary: String,
    open: bool,
}

impl Multipart {
    /// A body whose boundary is drawn at random: 128 bits that no part has.
    pub(crate) fn new(high: u64, low: u64) -> Self {
        Self { boundary: format!("ursula-bootstrap-{high:016x}{low:016x}"), open: false }
    }

    /// The value of `Content-Type`.
    pub(crate) fn content_type(&self) -> String {
        format!("multipart/mixed; boundary={}", self.boundary)
    }

    /// Ends the part before, if there is one, and begins another.
    pub(crate) fn begin(&mut self, content_type: &str, out: &mut Vec<u8>) {
        self.end(out);
        out.extend_from_slice(format!("--{}\r\nContent-Type: {content_type}\r\n\r\n", self.boundary).as_bytes());
        self.open = true;
    }

    /// Ends the part that is open.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.open) {
            out.extend_from_slice(b"\r\n");
        }
    }

    /// Adds bytes of a JSON stream, one part a message; a message may come in pieces.
    pub(crate) fn messages(&mut self, content_type: &str, bytes: &[u8], out: &mut Vec<u8>) {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            if !self.open {
                self.begin(content_type, out);
            }
            out.extend_from_slice(line);
            if line.ends_with(b"\n") {
                self.end(out);
            }
        }
    }

    /// Ends the body.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        self.end(out);
        out.extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_alike_however_their_bytes_come() {
        let bytes = b"{\"a\":1}\n2\n\"three\"\n";
        for size in 1..=bytes.len() {
            let (mut parts, mut out) = (Multipart::new(1, 0xab), Vec::new());
            parts.begin("text/plain", &mut out);
            out.extend_from_slice(b"state");
            parts.end(&mut out);
            for piece in bytes.chunks(size) {
                parts.messages("application/json", piece, &mut out);
            }
            parts.finish(&mut out);
            let boundary = "ursula-bootstrap-000000000000000100000000000000ab";
            let part = |content_type: &str, body: &str| {
                format!("--{boundary}\r\nContent-Type: {content_type}\r\n\r\n{body}\r\n")
            };
            let messages = ["{\"a\":1}\n", "2\n", "\"three\"\n"].map(|body| part("application/json", body)).concat();
            let expected = format!("{}{messages}--{boundary}--\r\n", part("text/plain", "state"));
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
