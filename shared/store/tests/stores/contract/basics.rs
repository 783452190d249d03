//! Writing, reading, deleting.

use std::{collections::BTreeMap, sync::LazyLock};

use bytes::Bytes;
use futures::{StreamExt, stream};
use wadi_store::{Attributes, GetOptions, GetOutcome, NewObject, PutCondition, PutOutcome};

use super::{Fixture, date_of_put, found};

/// Bytes without a pattern that a damaged body could share by chance: the first `size` of one sequence.
pub fn noise(size: usize) -> Bytes {
    static NOISE: LazyLock<Bytes> = LazyLock::new(|| {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut bytes = Vec::with_capacity(NOISE_BYTES);
        while bytes.len() < NOISE_BYTES {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes.extend(state.to_le_bytes());
        }
        bytes.into()
    });
    NOISE.slice(..size)
}

const NOISE_BYTES: usize = 8 * 1024 * 1024;

pub async fn a_missing_key_is_missing(f: &Fixture) {
    assert!(f.is_missing("nothing").await);
}

pub async fn a_write_is_read_back(f: &Fixture) {
    let tag = f.store("hello", "world", PutCondition::IfAbsent).await;
    let object = f.found("hello").await;
    assert_eq!((object.body, object.size, object.tag), ("world".into(), 5, tag));
}

pub async fn an_empty_body_is_kept(f: &Fixture) {
    f.store("empty", "", PutCondition::IfAbsent).await;
    let object = f.found("empty").await;
    assert_eq!((object.body.len(), object.size), (0, 0));
}

pub async fn a_write_replaces_the_object(f: &Fixture) {
    let first = f.store("object", "first", PutCondition::Always).await;
    let second = f.store("object", "second and longer", PutCondition::Always).await;
    assert_ne!(first, second);
    assert_eq!(f.found("object").await.body, "second and longer");
    f.store("object", "3", PutCondition::Always).await;
    assert_eq!(f.found("object").await.body, "3");
}

pub async fn attributes_come_back(f: &Fixture) {
    let attributes = Attributes {
        content_type: Some("application/json; charset=utf-8".to_owned()),
        cache_control: Some("max-age=31536000, immutable".to_owned()),
        metadata: BTreeMap::from([
            ("stream-offset".to_owned(), "00000000000004194304".to_owned()),
            ("stream-closed".to_owned(), "true".to_owned()),
        ]),
    };
    let object = NewObject { body: "x".into(), attributes: attributes.clone() };
    f.store.put(&f.key("chunk"), object, PutCondition::IfAbsent).await.unwrap();
    assert_eq!(f.found("chunk").await.attributes, attributes);

    let ranged = GetOptions { range: Some(0..1), ..GetOptions::default() };
    assert_eq!(found(f.store.get(&f.key("chunk"), ranged).await.unwrap()).attributes, attributes);
}

pub async fn eight_mebibytes_come_back(f: &Fixture) {
    let body = noise(8 * 1024 * 1024);
    f.store("large", body.clone(), PutCondition::IfAbsent).await;
    assert!(f.found("large").await.body == body);

    let middle = GetOptions { range: Some(4_000_000..4_100_000), ..GetOptions::default() };
    let part = found(f.store.get(&f.key("large"), middle).await.unwrap());
    assert!(part.body == body.slice(4_000_000..4_100_000));
    assert_eq!(part.size, body.len() as u64);
}

pub async fn a_body_of_every_awkward_size_comes_back(f: &Fixture) {
    for size in [1, 4095, 4096, 65_535, 65_536, 262_144, 262_145, 1_048_577] {
        let body = noise(size);
        f.store("awkward", body.clone(), PutCondition::Always).await;
        assert!(f.found("awkward").await.body == body, "{size} bytes");
    }
}

pub async fn deleted_objects_are_gone(f: &Fixture) {
    for name in ["a", "b", "c"] {
        f.store(name, name, PutCondition::IfAbsent).await;
    }
    f.store("large", noise(300_000), PutCondition::IfAbsent).await;
    let keys = ["a", "c", "large", "never-there"].map(|name| f.key(name));
    f.store.delete_many(&keys).await.unwrap();
    assert_eq!(f.names("", 1000).await, ["b"]);
    assert!(f.is_missing("a").await && f.is_missing("large").await);
    f.store.delete_many(&[]).await.unwrap();
}

pub async fn a_known_tag_is_not_modified(f: &Fixture) {
    let old = f.store("object", "old", PutCondition::Always).await;
    let known = GetOptions { if_none_match: Some(old), ..GetOptions::default() };
    let answer = f.store.get(&f.key("object"), known.clone()).await.unwrap();
    assert!(matches!(answer, GetOutcome::NotModified { .. }), "{answer:?}");
    f.store("object", "new", PutCondition::Always).await;
    assert_eq!(found(f.store.get(&f.key("object"), known).await.unwrap()).body, "new");
}

pub async fn odd_keys_are_kept_apart(f: &Fixture) {
    let plain = [
        "Case",
        "case",
        "a b",
        "a+b",
        "a%2Fb",
        "a%20b",
        "ä€𝄞",
        "a&b=c?d#e",
        "it's <\"quoted\">",
        "~!$*(),;:@",
        "日本/語",
        "-",
        "a.b",
    ];
    let hostile =
        ["../up", "./here", "/lead", "two//slashes", "end/", "line\nbreak", "nul\0", "back\\slash", "con", "."];
    let names = || plain.iter().chain(hostile.iter().filter(|_| f.any_key));
    for name in names() {
        f.store(name, format!("body of {name}"), PutCondition::IfAbsent).await;
    }
    for name in names() {
        assert_eq!(f.found(name).await.body, format!("body of {name}"), "{name:?}");
    }
    let mut expected: Vec<_> = names().map(ToString::to_string).collect();
    let mut listed = f.names("", 4).await;
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected);
}

pub async fn the_longest_key_works(f: &Fixture) {
    // Below 255 bytes a segment where a store keeps segments as names of files.
    let segment = if f.any_key { 2000 } else { 200 };
    let filler: String =
        (0..).map(|i| if i % segment == segment - 1 { '/' } else { 'k' }).take(1023 - f.prefix.len()).collect();
    let (one, other) = (format!("{filler}1"), format!("{filler}2"));
    assert_eq!(f.key(&one).as_str().len(), wadi_store::KEY_BYTES_MAX);
    f.store(&one, "one", PutCondition::IfAbsent).await;
    f.store(&other, "other", PutCondition::IfAbsent).await;
    assert_eq!(f.found(&one).await.body, "one");
    assert_eq!(f.names("", 10).await, [one, other]);
}

pub async fn dates_never_go_back(f: &Fixture) {
    let mut newest = date_of_put(&f.put("object", "0", PutCondition::Always).await);
    for round in 0..5 {
        let written = date_of_put(&f.put("object", format!("{round}"), PutCondition::Always).await);
        let object = f.found("object").await;
        let GetOutcome::Missing { date: missing } = f.get("nothing").await else { panic!("found nothing") };
        let deleted = f.store.delete_many(&[f.key("other")]).await.unwrap();
        let dates = [newest, written, object.date, missing, deleted];
        assert!(dates.is_sorted(), "{dates:?}");
        assert!(object.last_modified.since(object.date) <= f.store.date_resolution(), "written after it was read");
        newest = deleted;
    }
}

pub async fn concurrent_writes_of_many_keys_all_land(f: &Fixture) {
    let names: Vec<_> = (0..100).map(|i| format!("key-{i:03}")).collect();
    let writes = names.iter().map(|name| f.put(name, name.clone(), PutCondition::IfAbsent));
    let outcomes: Vec<_> = stream::iter(writes).buffer_unordered(16).collect().await;
    assert!(outcomes.iter().all(|outcome| matches!(outcome, PutOutcome::Stored { .. })));
    for name in &names {
        assert_eq!(f.found(name).await.body, *name);
    }
    assert_eq!(f.names("", 1000).await, names);
}
