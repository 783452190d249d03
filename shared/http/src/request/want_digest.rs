//! Whether a client wants a digest with its answer (RFC 9530, section 4).

use http::{HeaderMap, HeaderValue};
use sfv::{BareItem, Dictionary, ListEntry, Parser};

/// The one algorithm.
const SHA_256: &str = "sha-256";

/// Whether `Want-Content-Digest` asks for SHA-256: its preference is there and not 0. A header that is
/// malformed asks for nothing.
pub(crate) fn wants_sha_256(headers: &HeaderMap) -> bool {
    let lines: Vec<&[u8]> = headers.get_all("want-content-digest").iter().map(HeaderValue::as_bytes).collect();
    let Ok(wanted) = Parser::new(&lines.join(&b", "[..])).parse::<Dictionary>() else { return false };
    let Some(ListEntry::Item(item)) = wanted.get(SHA_256) else { return false };
    matches!(&item.bare_item, BareItem::Integer(preference) if (1..=10).contains(&i64::from(*preference)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        for (lines, expected) in [
            (&[][..], false),
            (&["sha-256=1"], true),
            (&["sha-256=10, sha-512=3"], true),
            (&["sha-512=3", "sha-256=5"], true),
            (&["sha-512=3"], false),
            (&["sha-256=0"], false),
            (&["sha-256=11"], false),
            (&["sha-256"], false),
            (&["sha-256=1.0"], false),
            (&["SHA-256=1"], false),
            (&["sha-256=1, sha-256=0"], false),
            (&["sha-256=1;x=2"], true),
            (&["sha-256=1,"], false),
            (&["sha-256=(1 2)"], false),
            (&["\u{1}"], false),
        ] {
            let header =
                |line: &&str| ("want-content-digest".parse().unwrap(), HeaderValue::from_bytes(line.as_bytes()));
            let headers = lines.iter().map(header).filter_map(|(name, value)| Some((name, value.ok()?))).collect();
            assert_eq!(wants_sha_256(&headers), expected, "{lines:?}");
        }
    }
}
