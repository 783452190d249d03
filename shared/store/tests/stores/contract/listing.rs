//! Listing keys.

use wadi_store::{ListRequest, PutCondition};

use super::Fixture;

/// Names in byte order.
const NAMES: [&str; 7] = ["a-b/1", "a.b/1", "a/1", "a/2", "a0", "b/1", "c"];

/// The same with keys that lie below other keys.
const NESTED: [&str; 9] = ["a", "a-b/1", "a.b/1", "a/1", "a/2", "a/2/x", "a0", "b/1", "c"];

async fn fill(f: &Fixture, names: &[&str]) {
    for name in names {
        f.store(name, (*name).to_owned(), PutCondition::IfAbsent).await;
    }
}

pub async fn a_prefix_selects(f: &Fixture) {
    fill(f, &NAMES).await;
    assert_eq!(f.names("a/", 1000).await, ["a/1", "a/2"]);
    assert_eq!(f.names("b", 1000).await, ["b/1"]);
    assert_eq!(f.names("nothing", 1000).await, Vec::<String>::new());
    let mut all = f.names("a", 1000).await;
    all.sort();
    assert_eq!(all, NAMES[..5]);
}

pub async fn pages_add_up(f: &Fixture) {
    let names: &[&str] = if f.any_key { &NESTED } else { &NAMES };
    fill(f, names).await;
    let whole = f.names("", 1000).await;
    if f.byte_order {
        assert_eq!(whole, names);
    }
    assert_eq!(whole.len(), names.len());
    for limit in 1..=names.len() + 1 {
        assert_eq!(f.names("", limit).await, whole, "pages of {limit}");
    }
}

pub async fn a_listing_starts_after_a_key(f: &Fixture) {
    fill(f, &NAMES).await;
    let after = |name: &str, below: &str| ListRequest {
        prefix: f.key(below).into_string(),
        start_after: Some(f.key(name)),
        limit: 1000,
    };
    let names = |page: wadi_store::Listing| -> Vec<String> {
        page.objects.into_iter().map(|object| object.key.as_str()[f.prefix.len()..].to_owned()).collect()
    };
    let page = f.store.list(after("a/1", "a/")).await.unwrap();
    assert!(!page.more);
    assert_eq!(names(page), ["a/2"]);
    // A key that is not there marks a place all the same.
    assert_eq!(names(f.store.list(after("a/15", "a/")).await.unwrap()), ["a/2"]);
    assert_eq!(names(f.store.list(after("c", "")).await.unwrap()), Vec::<String>::new());
    // A place before everything with the prefix, and one behind it.
    assert_eq!(names(f.store.list(after("a0", "b/")).await.unwrap()), ["b/1"]);
    assert_eq!(names(f.store.list(after("c", "b/")).await.unwrap()), Vec::<String>::new());
}

pub async fn a_listing_tells_size_and_date(f: &Fixture) {
    f.store("object", "12345", PutCondition::IfAbsent).await;
    let object = f.found("object").await;
    let request = ListRequest { prefix: f.prefix.clone(), start_after: None, limit: 10 };
    let page = f.store.list(request).await.unwrap();
    assert_eq!(page.objects[0].size, 5);
    assert!(page.date >= object.last_modified);
    let differ = page.objects[0].last_modified.since(object.last_modified);
    // A listing may carry a finer date than a header can.
    assert!(differ < f.store.date_resolution(), "{differ:?}");
}
