//! JSON arrays of several messages. The floor puts the same bytes.

use bytes::Bytes;

use super::{JSON, Sides, compared, on_peers};
use crate::{
    arena::{Arena, StoreKind},
    failure::Failure,
    http::Mount,
    load::{Contender, Load},
    report::{Report, Row, Unit},
    slots::{AppendSlot, PutSlot},
};

pub(super) async fn run(store: StoreKind, arena: &Arena, report: &mut Report) -> Result<(), Failure> {
    for &messages in arena.scale.batches {
        report.row(row(store, arena, messages).await?);
    }
    Ok(())
}

async fn row(store: StoreKind, arena: &Arena, messages: usize) -> Result<Row, Failure> {
    let bytes = arena.scale.body_bytes.first().copied().unwrap_or_default();
    let (body, amount) = (array(messages, bytes), messages as u64);
    let streams = arena.scale.batch_streams;
    let names: Vec<String> = (0..streams).map(|number| format!("batches-{messages}-{number:03}")).collect();
    let floor = names.iter().map(|name| PutSlot::new(arena.floor.clone(), name, body.clone(), amount)).collect();
    let wadi = open(&arena.wadi, &names, &body, amount).await?;
    let others = on_peers(arena, async |peer| {
        Ok(Box::new(Load::new(open(peer, &names, &body, amount).await?)) as Box<dyn Contender>)
    });
    let others = others.await;
    let floor = Box::new(Load::new(floor));
    let sides = Sides { wadi: arena.on_wadi(wadi), floor, others, span: arena.scale.span };
    let title = format!("batches of {messages} messages of {bytes} B, {streams} streams");
    compared(store, arena, title, Unit::Messages, sides).await
}

async fn open(mount: &Mount, names: &[String], body: &Bytes, amount: u64) -> Result<Vec<AppendSlot>, Failure> {
    let mut connection = mount.connect().await?;
    let mut slots = Vec::new();
    for name in names {
        mount.create(&mut connection, name, JSON).await?;
        slots.push(AppendSlot::open(mount, name, JSON, body.clone(), amount).await?);
    }
    Ok(slots)
}

/// An array of messages of so many bytes each.
fn array(messages: usize, bytes: usize) -> Bytes {
    let message = format!(r#"{{"message":"{}"}}"#, "m".repeat(bytes.saturating_sub(14)));
    format!("[{}]", vec![message; messages].join(",")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_has_messages_of_the_size_told() {
        let array: Vec<Box<serde_json::value::RawValue>> = serde_json::from_slice(&array(3, 256)).unwrap();
        assert_eq!(array.iter().map(|message| message.get().len()).collect::<Vec<_>>(), [256; 3]);
    }
}
