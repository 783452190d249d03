//! New processes: the first HEAD of a long stream, and the first read of a stream that is not sealed. The
//! floor is one read of one small object.

use std::time::{Duration, Instant};

use super::{BYTES, fill::fill};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::requests_told,
    limits::{FILL_BODY_BYTES, MIB, UNSEALED_RECORDS},
    load::{Contender, Load, Slot},
    report::{Report, Row, Unit},
    sample::{Figures, Sample, Step},
    slots::{AppendSlot, GetSlot, noise},
};

const LONG: &str = "opening-long";
const REST: &str = "opening-rest";

pub(super) async fn run(store: StoreKind, arena: &mut Arena, report: &mut Report) -> Result<(), Failure> {
    let bytes = fill(&arena.wadi, LONG, arena.scale.opened_bytes).await?;
    append_rest(arena).await?;
    let (mut heads, mut rests) = (Vec::new(), Vec::new());
    for _ in 0..arena.scale.openings {
        arena.restart().await?;
        // What a new process does once, whatever it opens, is no part of it.
        let mut connection = arena.wadi.connect().await?;
        let _ = arena.wadi.tail(&mut connection, "opening-none").await;
        heads.push(first(arena, LONG, "").await?);
        rests.push(first(arena, REST, "?offset=-1").await?);
    }
    let mut get = Load::new(vec![GetSlot::fill(arena.floor.clone(), "opening", 1024, 1024).await?]);
    let floor = Figures::of(vec![get.trial(arena.scale.span / 4).await?]);
    let records = UNSEALED_RECORDS;
    for (name, samples) in [
        (format!("first HEAD of {} MiB, new process", bytes / MIB), heads),
        (format!("first read of {records} unsealed records of {FILL_BODY_BYTES} B, new process"), rests),
    ] {
        report.row(Row {
            name,
            store,
            unit: Unit::Operations,
            wadi: Figures::of(samples),
            floor: Some(floor.clone()),
            peer: None,
            memory_peak_mib: arena.memory_peak_mib(),
            note: Some("floor: one read of 1 KiB".to_owned()),
        });
    }
    Ok(())
}

/// A stream with as many records as one has that is not sealed yet.
async fn append_rest(arena: &Arena) -> Result<(), Failure> {
    arena.wadi.create(&mut arena.wadi.connect().await?, REST, BYTES).await?;
    let mut slot = AppendSlot::open(&arena.wadi, REST, BYTES, noise(FILL_BODY_BYTES), 1).await?;
    for _ in 0..UNSEALED_RECORDS {
        slot.step().await?;
    }
    Ok(())
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
    sample.note(Step { acknowledged: true, amount: 1, requests: requests_told(&answer.headers) }, elapsed);
    Ok(sample)
}
