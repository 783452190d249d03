//! The bodies of JSON streams.

use wadi_protocol::{array_of, last_boundary, oracle, split_messages};

/// A body: taken apart as `serde_json` would, or refused where it would refuse.
pub fn messages(data: &[u8]) {
    let found = split_messages(data);
    let expected = std::str::from_utf8(data).ok().and_then(oracle::expected);
    let Ok(found) = found else {
        assert_eq!(expected, None, "refused");
        return;
    };
    let expected = expected.expect("refused, too");
    let lines: String = expected.iter().flat_map(|message| [message.as_str(), "\n"]).collect();
    assert_eq!(found.text, lines.as_bytes());
    assert_eq!(found.count, expected.len() as u64);
    // A comma or bracket goes for each line end that comes: never more than one byte longer.
    assert!(found.text.len() <= data.len() + 1, "{} bytes of {}", found.text.len(), data.len());
    assert_eq!(last_boundary(&found.text), found.text.len());
    assert_eq!(split_messages(&array_of(&found.text)), Ok(found));
}
