//! New processes: the first HEAD of a long stream, and the first read of streams without a chunk: one that is not
//! sealed at all, and one in as many segments as there can be. The floor is one read of one small object.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::{BYTES, fill::fill};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::requests_told,
    limits::{FILL_BODY_BYTES, MIB, SEALED_RECORDS, SEGMENT_BODY_BYTES_MAX, SEGMENT_PAUSE, UNSEALED_RECORDS},
    load::{Contender, Load, Slot},
    report::{Report, Row, Unit},
    sample::{Figures, Sample, Step},
    slots::{AppendSlot, GetSlot, noise},
};

const LONG: &str = "opening-long";
const REST: &str = "opening-rest";
const SEGMENTS: &str = "opening-segments";

pub(super) async fn run(store: StoreKind, arena: &mut Arena, report: &mut Report) -> Result<(), Failure> {
    let bytes = fill(&arena.wadi, LONG, arena.scale.opened_bytes).await?;
    create(arena, REST).await?;
    append(arena, REST, FILL_BODY_BYTES, UNSEALED_RECORDS).await?;
    let segmented = append_segments(arena).await?;
    let (mut heads, mut rests, mut segments) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..arena.scale.openings {
        arena.restart().await?;
        // What a new process does once, whatever it opens, is no part of it.
        let mut connection = arena.wadi.connect().await?;
        let _ = arena.wadi.tail(&mut connection, "opening-none").await;
        heads.push(first(arena, LONG, "").await?);
        rests.push(first(arena, REST, "?offset=-1").await?);
        segments.push(first(arena, SEGMENTS, "?offset=-1").await?);
    }
    let mut get = Load::new(vec![GetSlot::fill(arena.floor.clone(), "opening", 1024, 1024).await?]);
    let floor = Figures::of(vec![get.trial(arena.scale.span / 4).await?]);
    let (records, levels) = (UNSEALED_RECORDS, arena.scale.segments);
    for (name, samples) in [
        (format!("first HEAD of {} MiB, new process", bytes / MIB), heads),
        (format!("first read of {records} unsealed records of {FILL_BODY_BYTES} B, new process"), rests),
        (format!("first read of {segmented} KiB in {levels} segments and {records} records, new process"), segments),
    ] {
        report.row(Row {
            name,
            store,
            unit: Unit::Latency,
            wadi: Figures::of(samples),
            floor: floor.clone(),
            others: Vec::new(),
            memory_before_mib: None,
            memory_peak_mib: arena.memory_peak_mib(),
            note: Some("floor: one read of 1 KiB".to_owned()),
        });
    }
    Ok(())
}

async fn create(arena: &Arena, name: &str) -> Result<(), Failure> {
    arena.wadi.create(&mut arena.wadi.connect().await?, name, BYTES).await
}

/// Appends one after the other, so that each is a record.
async fn append(arena: &Arena, name: &str, bytes: usize, records: u64) -> Result<(), Failure> {
    let mut slot = AppendSlot::open(&arena.wadi, name, BYTES, noise(bytes), 1).await?;
    for _ in 0..records {
        slot.step().await?;
    }
    Ok(())
}

/// A stream without a chunk in as many objects as there can be: segments half as long as the one before, since
/// one is merged with what is as long as itself, and the records of one that is not due. Returns its KiB.
async fn append_segments(arena: &Arena) -> Result<u64, Failure> {
    create(arena, SEGMENTS).await?;
    let mut body_bytes = SEGMENT_BODY_BYTES_MAX;
    let mut bytes = 0;
    for _ in 0..arena.scale.segments {
        append(arena, SEGMENTS, body_bytes, SEALED_RECORDS).await?;
        bytes += body_bytes as u64 * SEALED_RECORDS;
        // It is sealed in the background; how many objects there are in the end the requests of its reads tell.
        sleep(SEGMENT_PAUSE).await;
        body_bytes /= 2;
    }
    append(arena, SEGMENTS, body_bytes, UNSEALED_RECORDS).await?;
    Ok((bytes + body_bytes as u64 * UNSEALED_RECORDS) / 1024)
}

/// The first request for a stream: HEAD without a query, else a read.
async fn first(arena: &Arena, name: &str, query: &str) -> Result<Sample, Failure> {
    let mut connection = arena.wadi.connect().await?;
    let method = if query.is_empty() { http::Method::HEAD } else { http::Method::GET };
    let request = crate::http::whole(arena.wadi.request(method, name, query), bytes::Bytes::new())?;
    let start = Instant::now();
    let answer = connection.call(request).await?.expected("the first request for a stream")?;
    let elapsed: Duration = start.elapsed();
    let mut sample = Sample { elapsed, ..Sample::default() };
    sample.note(Step::done(1, requests_told(&answer.headers)), elapsed);
    Ok(sample)
}
