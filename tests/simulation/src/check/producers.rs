//! A producer's writes apply in order, without holes, each at most once; and no epoch comes back.

use std::collections::BTreeMap;

use wadi_protocol::Operation;

use super::Evidence;
use crate::{ghost::GhostRecord, violation::Violation};

const NAME: &str = "producers in order";

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    for name in evidence.ghost.names.values() {
        for (incarnation, life) in name.lives.iter().filter(|(_, life)| life.born.is_some()) {
            let mut known = BTreeMap::new();
            for record in &life.records {
                follow(record, &mut known).map_err(|violation| violation.at_key(format!("/{incarnation}/")))?;
            }
        }
    }
    Ok(())
}

fn follow(record: &GhostRecord, known: &mut BTreeMap<String, (u64, u64)>) -> Result<(), Violation> {
    for operation in &record.operations {
        let (Operation::Append(write) | Operation::Close(write)) = operation else { continue };
        let Some(update) = &write.producer else { continue };
        let (id, epoch, seq) = (update.id.as_str(), u64::from(update.epoch), u64::from(update.seq));
        for forgotten in &update.forgotten {
            known.remove(forgotten.as_str());
        }
        let fine = match known.get(id) {
            None => seq == 0,
            Some((last_epoch, last_seq)) if *last_epoch == epoch => seq == last_seq + 1,
            Some((last_epoch, _)) => epoch > *last_epoch && seq == 0,
        };
        if !fine {
            let before = known.get(id);
            let what = format!("record {}: {id} wrote {seq} of epoch {epoch} after {before:?}", record.seq);
            return Err(Violation::new(NAME, what));
        }
        known.insert(id.to_owned(), (epoch, seq));
    }
    Ok(())
}
