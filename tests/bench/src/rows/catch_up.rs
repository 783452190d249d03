//! Reading a sealed stream of small appends whole, a page at a time, for the second time. The floor reads the
//! same bytes as objects of the size of chunks, one after the other.

use super::{
    compared,
    fill::{fill, sealed},
};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::Mount,
    limits::{CHUNK_BYTES, FILL_BODY_BYTES, MIB},
    load::{Contender, Load},
    report::{Report, Row, Unit},
    slots::{GetSlot, ReadSlot},
};

pub(super) async fn run(store: StoreKind, arena: &mut Arena, report: &mut Report) -> Result<(), Failure> {
    for &bytes in arena.scale.catch_up_bytes {
        report.row(row(store, arena, bytes).await?);
    }
    Ok(())
}

async fn row(store: StoreKind, arena: &mut Arena, bytes: u64) -> Result<Row, Failure> {
    let name = format!("catch-up-{bytes}");
    let bytes = fill(&arena.wadi, &name, bytes).await?;
    let mut connection = arena.wadi.connect().await?;
    arena.wadi.close(&mut connection, &name).await?;
    sealed(&arena.wadi, &mut connection, &name, bytes).await?;
    // What this process wrote it may still hold in memory: another one reads.
    arena.restart().await?;
    let reader = read_once(&arena.wadi, &name, bytes).await?;
    let memory_before = arena.memory_peak_mib();
    let floor = GetSlot::fill(arena.floor.clone(), &name, bytes, CHUNK_BYTES).await?;
    let mut contenders = vec![arena.on_wadi(vec![reader]), Box::new(Load::new(vec![floor]))];
    if let Some(peer) = &arena.peer {
        let filled = fill(peer, &name, bytes).await?;
        contenders.push(Box::new(Load::new(vec![read_once(peer, &name, filled).await?])) as Box<dyn Contender>);
    }
    let title = format!("catch-up, {} MiB of {FILL_BODY_BYTES} B appends, sealed", bytes / MIB);
    let row = compared(store, arena, title, Unit::Mebibytes, contenders).await?;
    let note = Some(format!("an operation is a page; memory after the first read {memory_before} MiB"));
    Ok(Row { note, ..row })
}

/// A reader that has read the stream once, and found it whole.
async fn read_once(mount: &Mount, name: &str, expected: u64) -> Result<ReadSlot, Failure> {
    let mut reader = ReadSlot::open(mount, name).await?;
    let found = reader.whole().await?;
    if found == expected { Ok(reader) } else { Err(Failure::Counts { row: name.to_owned(), expected, found }) }
}
