//! Which of the two forms of a JSON stream a client asks for.

use http::{HeaderMap, header::ACCEPT};
use wadi_protocol::ReadForm;

use super::quality;

const ARRAY: &str = "application/json";
const LINES: &str = "application/x-ndjson";

/// How much a form is wanted: first by quality (thousandths), then by how exactly it is named.
type Wish = (u16, u8);

/// The form that `Accept` prefers, or `default` where it prefers neither.
///
/// A form named exactly beats one that only a wildcard of the same quality covers.
pub(crate) fn json_form(headers: &HeaderMap, default: ReadForm) -> ReadForm {
    let (array, lines) = (wish_for(headers, ARRAY), wish_for(headers, LINES));
    match array.cmp(&lines) {
        std::cmp::Ordering::Greater => ReadForm::Array,
        std::cmp::Ordering::Less => ReadForm::Stored,
        std::cmp::Ordering::Equal => default,
    }
}

/// The most specific range that covers a media type decides.
fn wish_for(headers: &HeaderMap, media_type: &str) -> Wish {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges = lines.flat_map(|line| line.split(','));
    let found = ranges.filter_map(|range| covers(range, media_type)).max();
    let (specificity, quality) = found.unwrap_or_default();
    (quality, if quality == 0 { 0 } else { specificity })
}

/// Specificity and quality of a range that covers a media type.
fn covers(range: &str, media_type: &str) -> Option<(u8, u16)> {
    let mut pieces = range.split(';').map(str::trim);
    let name = pieces.next()?.to_ascii_lowercase();
    let specificity = match name.as_str() {
        name if name == media_type => 3,
        "application/*" => 2,
        "*/*" => 1,
        _ => return None,
    };
    Some((specificity, quality::stated(pieces)))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use wadi_protocol::ReadForm::{Array, Stored};

    use super::*;

    #[test]
    fn table() {
        for (accept, by_default_lines, by_default_array) in [
            (&[][..], Stored, Array),
            (&["*/*"], Stored, Array),
            (&["application/*"], Stored, Array),
            (&["text/html"], Stored, Array),
            (&["application/json"], Array, Array),
            (&["Application/JSON"], Array, Array),
            (&["application/json;q=0.5"], Array, Array),
            (&["application/x-ndjson"], Stored, Stored),
            (&["application/json, text/plain, */*"], Array, Array),
            (&["*/*, application/x-ndjson"], Stored, Stored),
            (&["application/json, application/x-ndjson"], Stored, Array),
            (&["application/json;q=0.9, application/x-ndjson"], Stored, Stored),
            (&["application/json", "application/x-ndjson;q=0.9"], Array, Array),
            (&["application/json;q=0, */*"], Stored, Stored),
            (&["application/x-ndjson; q=0 , */*;q=0.1"], Array, Array),
            (&["application/json;q=0"], Stored, Array),
            (&["application/json;q=nan"], Stored, Array),
            (&["application/json;charset=utf-8"], Array, Array),
            (&[",;,"], Stored, Array),
        ] {
            let mut headers = HeaderMap::new();
            for value in accept {
                headers.append(ACCEPT, HeaderValue::from_static(value));
            }
            assert_eq!(json_form(&headers, Stored), by_default_lines, "{accept:?}");
            assert_eq!(json_form(&headers, Array), by_default_array, "{accept:?}");
        }
    }
}
