//! Which keys tell of sealing.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn every_fiftieth_record_and_every_mark_tell_of_sealing() {
    let log = "ds/acct/a%2Fb c/incarnation/1234567/log";
    let stream = StreamKey::parse_key_text("acct/a%2Fb c").unwrap();
    let record = Some(SealSign::Record(stream));
    for (key, expected) in [
        (format!("{log}/00000000000000000050.rec"), record.clone()),
        (format!("{log}/00000000000000000100.rec"), record.clone()),
        (format!("{log}/00000000000000001150.rec"), record),
        (format!("{log}/00000000000000000049.rec"), None),
        (format!("{log}/00000000000000000005.rec"), None),
        ("ds/acct/log/incarnation/1234567/body/00.rec".to_owned(), None),
        ("ds/acct/s/log/50.rec".to_owned(), None),
        ("manifest/acct/50.rec".to_owned(), None),
        ("due/seal/7f".to_owned(), Some(SealSign::Mark("due/seal/7f".into()))),
        (String::new(), None),
    ] {
        assert_eq!(SealSign::of(&ObjectKey::new(key.clone())), expected, "{key}");
    }
}
