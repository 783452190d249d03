//! Reading parts of objects.

use std::ops::Range;

use wadi_store::{GetOptions, GetOutcome, PutCondition};

use super::{Fixture, found};

async fn read(f: &Fixture, name: &str, range: Range<u64>) -> GetOutcome {
    f.store.get(&f.key(name), GetOptions { range: Some(range), ..GetOptions::default() }).await.unwrap()
}

pub async fn a_range_is_cut_out(f: &Fixture) {
    f.store("letters", "abcdefghij", PutCondition::IfAbsent).await;
    for (range, expected) in [(0..1, "a"), (3..6, "def"), (9..10, "j"), (0..10, "abcdefghij")] {
        let object = found(read(f, "letters", range.clone()).await);
        assert_eq!((object.body, object.size), (expected.into(), 10), "{range:?}");
    }
}

pub async fn a_range_is_clamped_to_the_end(f: &Fixture) {
    f.store("letters", "abcdefghij", PutCondition::IfAbsent).await;
    let object = found(read(f, "letters", 8..1_000_000).await);
    assert_eq!((object.body, object.size), ("ij".into(), 10));
    let object = found(read(f, "letters", 0..u64::MAX).await);
    assert_eq!(object.body, "abcdefghij");
}

pub async fn a_range_past_the_end_is_out_of_range(f: &Fixture) {
    f.store("letters", "abcdefghij", PutCondition::IfAbsent).await;
    for range in [10..11, 11..20, u64::MAX - 1..u64::MAX] {
        let answer = read(f, "letters", range.clone()).await;
        assert!(matches!(answer, GetOutcome::OutOfRange { .. }), "{range:?}: {answer:?}");
    }
    f.store("empty", "", PutCondition::IfAbsent).await;
    assert!(matches!(read(f, "empty", 0..1).await, GetOutcome::OutOfRange { .. }));
    assert!(matches!(read(f, "missing", 0..1).await, GetOutcome::Missing { .. }));
}
