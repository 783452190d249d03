//! What requests about snapshots are told, with status and headers.

use std::ops::Range;

use insta::assert_snapshot;

use super::{Answer, Discarded, Published, Retained, Staged, describe_snapshot, render_tests::shown};
use crate::{
    PartId,
    decide::{
        SnapshotPlan,
        fixtures::{offset, publish, stream, token},
    },
    state::Snapshot,
};

fn plan(part: Option<Range<u64>>, not_modified: bool, at_tail: bool) -> SnapshotPlan {
    let snapshot = stream().keeping(5, "hello").snapshot;
    let Some(snapshot) = snapshot else { panic!("it keeps one") };
    SnapshotPlan { snapshot: Snapshot { bytes: 70, ..snapshot }, part, not_modified, at_tail }
}

#[test]
fn a_snapshot_that_is_read() {
    let rows = [
        ("whole", plan(None, false, false), false),
        ("whole, at the tail", plan(None, false, true), false),
        ("a part", plan(Some(1..3), false, false), false),
        ("known", plan(None, true, true), false),
        ("immutable", plan(None, false, true), true),
        ("a part, immutable", plan(Some(69..70), false, true), true),
        ("known, immutable", plan(None, true, true), true),
    ];
    let table: Vec<String> = rows
        .iter()
        .map(|(name, plan, immutable)| format!("{name}: {}", shown(&describe_snapshot(plan, token(), *immutable))))
        .collect();
    assert_snapshot!(table.join("\n"), @r#"
    whole: 200
      accept-ranges: bytes
      content-length: 70
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
    whole, at the tail: 200
      accept-ranges: bytes
      content-length: 70
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
      stream-up-to-date: true
    a part: 206
      accept-ranges: bytes
      content-length: 2
      content-range: bytes 1-2/70
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
    known: 304
      accept-ranges: bytes
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
      stream-up-to-date: true
    immutable: 200
      accept-ranges: bytes
      content-length: 70
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-immutable: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
    a part, immutable: 206
      accept-ranges: bytes
      content-length: 1
      content-range: bytes 69-69/70
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-immutable: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
    known, immutable: 304
      accept-ranges: bytes
      content-type: text/plain
      etag: "6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861"
      stream-immutable: true
      stream-incarnation: 4503599627370497
      stream-next-offset: 00000000000000000005
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
    "#);
}

#[test]
fn a_snapshot_that_was_published() {
    let published = Published { incarnation: token(), snapshot: publish(5, "hello").name };
    assert_snapshot!(shown(&Answer::from(&published)), @r#"
    204
      stream-incarnation: 4503599627370497
      stream-snapshot-digest: 6ce3d048bb72b23b9a2d07c07da33d2b78b2f325d71ddc5dcc5f416aa4bf4861
      stream-snapshot-offset: 00000000000000000005
    "#);
}

#[test]
fn how_far_a_stream_is_let_go_of() {
    let kept = Retained { incarnation: token(), retained: offset(5) };
    assert_snapshot!(shown(&Answer::from(&kept)), @r#"
    204
      stream-incarnation: 4503599627370497
      stream-retained-offset: 00000000000000000005
    "#);
}

#[test]
fn parts_that_were_staged_and_discarded() {
    let Ok(part) = PartId::parse("0123abcd") else { panic!("it is visible") };
    assert_snapshot!(shown(&Answer::from(&Staged { part })), @r#"
    201
      stream-snapshot-part: 0123abcd
    "#);
    assert_snapshot!(shown(&Answer::from(&Discarded { incarnation: token() })), @r#"
    204
      stream-incarnation: 4503599627370497
    "#);
}
