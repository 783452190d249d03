//! Conditional writes: they apply or they change nothing.

use wadi_store::{PutCondition, PutOutcome};

use super::Fixture;

fn failed(outcome: &PutOutcome) -> bool {
    matches!(outcome, PutOutcome::PreconditionFailed { .. })
}

pub async fn a_key_is_created_once(f: &Fixture) {
    let tag = f.store("slot", "first", PutCondition::IfAbsent).await;
    assert!(failed(&f.put("slot", "second", PutCondition::IfAbsent).await));
    // The same bytes again are no success either: who asks finds out by reading.
    assert!(failed(&f.put("slot", "first", PutCondition::IfAbsent).await));
    let object = f.found("slot").await;
    assert_eq!((object.body, object.tag), ("first".into(), tag));
}

pub async fn a_stale_tag_changes_nothing(f: &Fixture) {
    let stale = f.store("manifest", "one", PutCondition::IfAbsent).await;
    let current = f.store("manifest", "two", PutCondition::IfMatch(stale.clone())).await;
    let before = f.found("manifest").await;
    assert!(failed(&f.put("manifest", "three", PutCondition::IfMatch(stale)).await));
    let after = f.found("manifest").await;
    assert_eq!((after.body, after.tag), ("two".into(), current));
    assert_eq!((after.last_modified, after.size), (before.last_modified, before.size));
}

pub async fn the_current_tag_lets_a_write_through(f: &Fixture) {
    let mut tag = f.store("manifest", "0", PutCondition::IfAbsent).await;
    for revision in 1..5 {
        // A tag as read serves as well as a tag as written.
        assert_eq!(f.found("manifest").await.tag, tag);
        tag = f.store("manifest", format!("{revision}"), PutCondition::IfMatch(tag)).await;
    }
    assert_eq!(f.found("manifest").await.body, "4");
}

pub async fn an_update_of_a_missing_key_fails(f: &Fixture) {
    let tag = f.store("other", "x", PutCondition::IfAbsent).await;
    assert!(failed(&f.put("missing", "x", PutCondition::IfMatch(tag)).await));
    assert!(f.is_missing("missing").await);
}

pub async fn a_deleted_key_can_be_created_again(f: &Fixture) {
    let tag = f.store("slot", "first", PutCondition::IfAbsent).await;
    f.store.delete_many(&[f.key("slot")]).await.unwrap();
    assert!(failed(&f.put("slot", "update", PutCondition::IfMatch(tag)).await));
    f.store("slot", "second", PutCondition::IfAbsent).await;
    assert_eq!(f.found("slot").await.body, "second");
}
