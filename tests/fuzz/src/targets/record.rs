//! Records as a bucket holds them.

use bytes::Bytes;
use wadi_stream::fuzzing::{Read, read_record, with_check};

/// A record, as it is and with its check put right: a fuzzer finds no hash by chance.
pub fn record(data: &[u8]) {
    whole(&Bytes::copy_from_slice(data));
    whole(&with_check(data).into());
}

fn whole(object: &Bytes) {
    let length = object.len() as u64;
    let Read::Whole { header, payload, again } = read_record(object, length) else { return };
    beginnings(object, &header);
    let (Some(payload), Some(again)) = (payload, again) else { return };
    assert!(payload.len() < object.len());
    let Read::Whole { payload: same, again: stable, .. } = read_record(&again, again.len() as u64) else {
        panic!("what was written cannot be read");
    };
    assert_eq!(same, Some(payload));
    assert_eq!(stable, Some(again), "it is written the same way ever after");
}

/// A reader that has only the beginning of an object sees its header, or that it is cut off, but never
/// another record and never damage.
fn beginnings(object: &Bytes, header: &str) {
    let line = object.iter().position(|byte| *byte == b'\n').expect("a record has a header line");
    for end in [0, line / 2, line, line + 1, object.len() - 1].map(|end| end.min(object.len() - 1)) {
        match read_record(&object.slice(..end), object.len() as u64) {
            Read::Short => assert!(end <= line),
            Read::Whole { header: begun, payload, .. } => {
                assert!(end > line && begun == header && payload.is_none());
            }
            Read::Refused => panic!("{end} bytes of a record are refused"),
        }
    }
}
