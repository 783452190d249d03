//! Streams that are appended to, one append in flight each. The floor puts as many objects at once.

use bytes::Bytes;

use super::{BYTES, Sides, compared, counted, on_peers};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::Mount,
    load::{Contender, Load},
    report::{Report, Row, Unit},
    slots::{AppendSlot, Appended, PutSlot, noise},
};

pub(super) async fn run(store: StoreKind, arena: &Arena, report: &mut Report) -> Result<(), Failure> {
    for &bytes in arena.scale.body_bytes {
        for &streams in arena.scale.streams {
            report.row(row(store, arena, streams, noise(bytes)).await?);
        }
    }
    Ok(())
}

async fn row(store: StoreKind, arena: &Arena, streams: usize, body: Bytes) -> Result<Row, Failure> {
    let bytes = body.len() as u64;
    let names: Vec<String> = (0..streams).map(|number| format!("append-{bytes}-{streams}-{number:03}")).collect();
    let (slots, appended) = open(&arena.wadi, &names, &body).await?;
    let floor = names.iter().map(|name| PutSlot::new(arena.floor.clone(), name, body.clone(), 1)).collect();
    let others =
        on_peers(arena, async |peer| Ok(Box::new(Load::new(open(peer, &names, &body).await?.0)) as Box<dyn Contender>));
    let others = others.await;
    let floor = Box::new(Load::new(floor));
    let sides = Sides { wadi: arena.on_wadi(slots), floor, others, span: arena.scale.span };
    let title = format!("append, {streams} streams, {bytes} B");
    let row = compared(store, arena, title, Unit::Operations, sides).await?;
    let mut connection = arena.wadi.connect().await?;
    for (name, appended) in names.iter().zip(&appended) {
        let tail = arena.wadi.tail(&mut connection, name).await?;
        counted(&row.name, appended.count() * bytes, row.wadi.refused * bytes, &tail)?;
    }
    Ok(row)
}

/// Creates the streams; a slot for each, and how many appends of each were acknowledged.
async fn open(mount: &Mount, names: &[String], body: &Bytes) -> Result<(Vec<AppendSlot>, Vec<Appended>), Failure> {
    let mut connection = mount.connect().await?;
    let (mut slots, mut counts) = (Vec::new(), Vec::new());
    for name in names {
        mount.create(&mut connection, name, BYTES).await?;
        let appended = Appended::default();
        slots.push(AppendSlot::open(mount, name, BYTES, body.clone(), 1).await?.counting(&appended));
        counts.push(appended);
    }
    Ok((slots, counts))
}
