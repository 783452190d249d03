//! Content codings of answers.

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
}
