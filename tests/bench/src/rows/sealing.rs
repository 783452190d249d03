//! Merging the small records of a stream that nobody sealed before. The floor puts the same bytes as objects
//! of the size of chunks, one after the other.

use std::time::Instant;

use super::fill::{fill, sealed};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    limits::{CHUNK_BYTES, FILL_BODY_BYTES, MIB},
    load::{Contender, Load},
    report::{Report, Row, Unit},
    requests::Requests,
    sample::{Figures, Sample, Step},
    slots::{PutSlot, noise},
};

const NAME: &str = "sealing";

pub(super) async fn run(store: StoreKind, arena: &mut Arena, report: &mut Report) -> Result<(), Failure> {
    arena.restart_with(&["--sealing", "off"]).await?;
    let bytes = fill(&arena.wadi, NAME, arena.scale.sealed_bytes).await?;
    arena.restart().await?;
    let mut connection = arena.wadi.connect().await?;
    let start = Instant::now();
    arena.wadi.close(&mut connection, NAME).await?;
    sealed(&arena.wadi, &mut connection, NAME, bytes).await?;
    let mut sample = Sample { elapsed: start.elapsed(), ..Sample::default() };
    sample.note(Step::done(bytes, Requests::default()), sample.elapsed);

    let body = noise(usize::try_from(CHUNK_BYTES).map_err(Failure::setting)?);
    let mut put = Load::new(vec![PutSlot::new(arena.floor.clone(), NAME, body, CHUNK_BYTES)]);
    let floor = put.trial(arena.scale.span).await?;
    report.row(Row {
        name: format!("sealing {} MiB of {FILL_BODY_BYTES} B appends", bytes / MIB),
        store,
        unit: Unit::Mebibytes,
        wadi: Figures::of(vec![sample]),
        floor: Figures::of(vec![floor]),
        others: Vec::new(),
        memory_before_mib: None,
        memory_peak_mib: arena.memory_peak_mib(),
        note: Some("one operation is the whole stream; of the floor, 4 MiB".to_owned()),
    });
    Ok(())
}
