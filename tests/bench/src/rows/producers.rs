//! Producers whose appends are numbered, all on one stream. The floor is one raw writer: what one stream
//! came to if each append took a request of its own.

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
    for &producers in arena.scale.producers {
        let bytes = arena.scale.body_bytes.first().copied().unwrap_or_default();
        report.row(row(store, arena, producers, noise(bytes)).await?);
    }
    Ok(())
}

async fn row(store: StoreKind, arena: &Arena, producers: usize, body: Bytes) -> Result<Row, Failure> {
    let bytes = body.len() as u64;
    let name = format!("producers-{producers}");
    let appended = Appended::default();
    let slots = open(&arena.wadi, &name, producers, &body, &appended).await?;
    let floor = PutSlot::new(arena.floor.clone(), &name, body.clone(), 1);
    let others = on_peers(arena, async |peer| {
        let slots = open(peer, &name, producers, &body, &Appended::default()).await?;
        Ok(Box::new(Load::new(slots)) as Box<dyn Contender>)
    });
    let others = others.await;
    let floor = Box::new(Load::new(vec![floor]));
    let sides = Sides { wadi: arena.on_wadi(slots), floor, others, span: arena.scale.span };
    let title = format!("1 stream, {producers} producers, {bytes} B");
    let row = compared(store, arena, title, Unit::Operations, sides).await?;
    let row = Row { note: Some("floor: one writer".to_owned()), ..row };
    let tail = arena.wadi.tail(&mut arena.wadi.connect().await?, &name).await?;
    counted(&row.name, appended.count() * bytes, row.wadi.refused * bytes, &tail)?;
    Ok(row)
}

async fn open(
    mount: &Mount,
    name: &str,
    producers: usize,
    body: &Bytes,
    appended: &Appended,
) -> Result<Vec<AppendSlot>, Failure> {
    mount.create(&mut mount.connect().await?, name, BYTES).await?;
    let mut slots = Vec::new();
    for number in 0..producers {
        let slot = AppendSlot::open(mount, name, BYTES, body.clone(), 1).await?.counting(appended);
        slots.push(slot.by_producer(&format!("producer-{number:03}"))?);
    }
    Ok(slots)
}
