//! Which content coding a client asks for (RFC 9110, section 12.5.3).

use http::{HeaderMap, header::ACCEPT_ENCODING};

use super::quality;
use crate::answer::Coding;

/// The coding that `Accept-Encoding` wants most; of those wanted equally the first of [`Coding::ALL`].
///
/// `None` where it wants none, or wants bytes as they are more. Without the header nothing is coded.
pub(crate) fn accepted_coding(headers: &HeaderMap) -> Option<Coding> {
    let accepted = Accepted::parse(headers);
    let mut best = None;
    for coding in Coding::ALL {
        let quality = accepted.quality(coding).unwrap_or_default();
        if quality > best.map_or(0, |(_, best)| best) {
            best = Some((coding, quality));
        }
    }
    let (coding, quality) = best?;
    (quality >= accepted.identity.unwrap_or_default()).then_some(coding)
}

/// What the members of the header state, in thousandths. Of members that say it twice the last counts.
#[derive(Clone, Copy, Debug, Default)]
struct Accepted {
    listed: [Option<u16>; Coding::ALL.len()],
    identity: Option<u16>,
    any: Option<u16>,
}

impl Accepted {
    fn parse(headers: &HeaderMap) -> Self {
        let mut accepted = Self::default();
        let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        for member in lines.flat_map(|line| line.split(',')) {
            let mut pieces = member.split(';').map(str::trim);
            let name = pieces.next().unwrap_or_default();
            let stated = Some(quality::stated(pieces));
            if name == "*" {
                accepted.any = stated;
            } else if name.eq_ignore_ascii_case("identity") {
                accepted.identity = stated;
            } else if let Some(place) = Coding::ALL.iter().position(|coding| coding.is_named(name)) {
                accepted.listed[place] = stated;
            }
        }
        accepted
    }

    fn quality(&self, coding: Coding) -> Option<u16> {
        let place = Coding::ALL.iter().position(|one| *one == coding)?;
        self.listed[place].or(self.any)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn table() {
        let (zstd, brotli, gzip) = (Some(Coding::Zstd), Some(Coding::Brotli), Some(Coding::Gzip));
        for (lines, expected) in [
            (&[][..], None),
            (&[""], None),
            (&["gzip"], gzip),
            (&["GZIP"], gzip),
            (&["x-gzip"], gzip),
            (&["deflate"], None),
            (&["gzip, deflate, br, zstd"], zstd),
            (&["gzip, deflate, br"], brotli),
            (&["gzip", "br"], brotli),
            (&["gzip;q=1.0, br;q=0.8, zstd;q=0.8"], gzip),
            (&["br;q=0.8,zstd;q=0.9"], zstd),
            (&["gzip;q=0"], None),
            (&["zstd;q=0, *"], brotli),
            (&["*"], zstd),
            (&["*;q=0"], None),
            (&["*;q=0, gzip"], gzip),
            (&["identity"], None),
            (&["identity;q=0"], None),
            (&["identity, gzip;q=0.9"], None),
            (&["identity;q=0.5, gzip;q=0.5"], gzip),
            (&["gzip;q=junk"], None),
            (&["gzip;q=0.5, gzip;q=0"], None),
            (&[",;,;q=1"], None),
        ] {
            let headers = lines.iter().map(|line| (ACCEPT_ENCODING, HeaderValue::from_static(line))).collect();
            assert_eq!(accepted_coding(&headers), expected, "{lines:?}");
        }
    }
}
