//! Slots below the floor: their keys are known without a listing.

use wadi_protocol::Incarnation;
use wadi_store::ObjectKey;

use crate::{cell::Cell, layout::slot_key, limits::COLLECTED_PER_PASS_MAX, log::LogError, log_part::LogPart};

impl Cell {
    /// Removes the slots below the floor of a manifest that was published, as many as one pass may.
    /// Returns its log's half with what is collected by now.
    pub(crate) async fn collect_slots(&self, incarnation: Incarnation, log: &LogPart) -> Result<LogPart, LogError> {
        let upto = log.floor.min(log.collected.saturating_add(COLLECTED_PER_PASS_MAX));
        let prefix = self.prefix(incarnation);
        let keys: Vec<ObjectKey> = (log.collected + 1..=upto).map(|seq| slot_key(&prefix, seq)).collect();
        self.bucket().delete(&keys).await?;
        Ok(LogPart { collected: upto.max(log.collected), ..log.clone() })
    }
}
