//! Reading a sealed stream of small appends whole, a page at a time, for the second time. The floor reads the
//! same bytes as objects of the size of chunks, one after the other. What a socket costs the loopback interface
//! tells: bare answers of the size of pages, read by the same client.

use super::{
    Sides, compared,
    fill::{fill, sealed},
    on_peers,
};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::Mount,
    limits::{CHUNK_BYTES, FILL_BODY_BYTES, MIB, PAGE_BYTES},
    load::{Contender, Load},
    report::{Report, Row, Unit},
    slots::{GetSlot, LoopbackSlot, ReadSlot},
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
    let socket = LoopbackSlot::open(bytes.min(PAGE_BYTES)).await?;
    let mut others = vec![(SOCKET.to_owned(), Ok(Box::new(Load::new(vec![socket])) as Box<dyn Contender>))];
    let peers = on_peers(arena, async |peer| {
        let filled = fill(peer, &name, bytes).await?;
        Ok(Box::new(Load::new(vec![read_once(peer, &name, filled).await?])) as Box<dyn Contender>)
    });
    others.extend(peers.await);
    let (wadi, floor) = (arena.on_wadi(vec![reader]), Box::new(Load::new(vec![floor])));
    let title = format!("catch-up, {} MiB of {FILL_BODY_BYTES} B appends, sealed", bytes / MIB);
    let sides = Sides { wadi, floor, others, span: arena.scale.span };
    let row = compared(store, arena, title, Unit::Mebibytes, sides).await?;
    let note = Some("an operation is a page; of the floor, a chunk; memory from the first read on".to_owned());
    Ok(Row { memory_before_mib: Some(memory_before), note, ..row })
}

/// What the loopback interface is called beside servers.
const SOCKET: &str = "the socket alone";

/// A reader that has read the stream once, and found it whole.
async fn read_once(mount: &Mount, name: &str, expected: u64) -> Result<ReadSlot, Failure> {
    let mut reader = ReadSlot::open(mount, name).await?;
    let found = reader.whole().await?;
    if found == expected { Ok(reader) } else { Err(Failure::Counts { row: name.to_owned(), expected, found }) }
}
