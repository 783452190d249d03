//! Reading on from a position to the tail, in parallel rounds.

use std::collections::BTreeMap;

use futures::future::join_all;
use wadi_protocol::Timestamp;

use super::{Found, LogError, Position, Slot, Slots};
use crate::limits::{SCAN_RECORDS_MAX, SLOTS_IN_PARALLEL_MAX};

/// How far ahead the tail is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// At the next slot, most likely: one probe.
    Next,
    /// Anywhere: galloping probes, then what lies between them. At most 64 slots take two rounds.
    Far,
    /// Far above: slots in a row.
    Beyond,
}

/// What lies between a position and the tail.
#[derive(Debug)]
pub(crate) struct Scan {
    /// The records after the position, in order.
    pub(crate) records: Vec<Found>,
    /// The date of the answer that said the slot after the last of them is empty; `None` when the
    /// log goes on beyond what one scan reads.
    pub(crate) tail_seen: Option<Timestamp>,
}

impl Slots {
    /// Reads the slots after `position`, up to the first that is missing.
    ///
    /// The answers of a round are not a snapshot, and need not be: slots are dense, so the first
    /// missing one in order was the tail at the moment of its own answer.
    pub(crate) async fn scan(&self, position: &Position, reach: Reach) -> Result<Scan, LogError> {
        let mut seen = Seen::default();
        // After a single probe that found a record the tail is most likely right behind it.
        let mut width = if reach == Reach::Next { 0 } else { SLOTS_IN_PARALLEL_MAX };
        let mut round = first_round(position.seq, reach);
        loop {
            let answers = join_all(round.iter().map(|seq| self.read(position, *seq))).await;
            seen.take_in(round.iter().copied().zip(answers))?;
            round = if let Some(missing) = seen.missing_slot() {
                seen.unread(position.next(), missing)
            } else if seen.run_from(position.next()) >= SCAN_RECORDS_MAX {
                Vec::new()
            } else {
                width = (width * 4).clamp(1, SLOTS_IN_PARALLEL_MAX);
                seen.window_above(position.next(), width)
            };
            if round.is_empty() {
                return Ok(seen.into_scan(position.next()));
            }
        }
    }
}

fn first_round(seq: u64, reach: Reach) -> Vec<u64> {
    match reach {
        Reach::Next => vec![seq + 1],
        Reach::Far => (0..7).map(|power| seq + (1 << power)).collect(),
        Reach::Beyond => (seq + 1..).take(SLOTS_IN_PARALLEL_MAX).collect(),
    }
}

#[derive(Default)]
struct Seen {
    found: BTreeMap<u64, Found>,
    missing: Option<(u64, Timestamp)>,
}

impl Seen {
    fn missing_slot(&self) -> Option<u64> {
        self.missing.map(|(seq, _)| seq)
    }

    fn take_in(&mut self, round: impl Iterator<Item = (u64, Result<Slot, LogError>)>) -> Result<(), LogError> {
        let known_before = self.highest();
        let mut missing = Vec::new();
        for (seq, answer) in round {
            match answer? {
                Slot::Found(found) => {
                    self.found.insert(seq, *found);
                }
                // A slot below one that was found in an earlier round must exist.
                Slot::Missing { .. } if seq < known_before => {
                    return Err(LogError::Broken(format!("slot {seq} is missing below slot {known_before}")));
                }
                Slot::Missing { date } => missing.push((seq, date)),
            }
        }
        // One missing below one found in the same round was written between the two answers, or
        // there is a hole in the log: it is read again, and then it must be there.
        let highest = self.highest();
        self.missing = missing.into_iter().chain(self.missing).filter(|(seq, _)| *seq > highest).min();
        Ok(())
    }

    fn highest(&self) -> u64 {
        self.found.keys().next_back().copied().unwrap_or(0)
    }

    /// How many records follow each other without a gap.
    fn run_from(&self, from: u64) -> usize {
        self.found.keys().zip(from..).take_while(|(seq, expected)| *seq == expected).count()
    }

    /// Slots in `[from, below)` that were not read yet, as many as one round takes.
    fn unread(&self, from: u64, below: u64) -> Vec<u64> {
        (from..below).filter(|seq| !self.found.contains_key(seq)).take(SLOTS_IN_PARALLEL_MAX).collect()
    }

    /// What is unread below the highest slot found, or else the next slots above it.
    fn window_above(&self, from: u64, width: usize) -> Vec<u64> {
        let highest = self.highest().max(from);
        let gaps = self.unread(from, highest);
        let above = (highest + 1..).take(width.saturating_sub(gaps.len()).max(1));
        gaps.into_iter().chain(above).collect()
    }

    fn into_scan(self, from: u64) -> Scan {
        let run = self.run_from(from);
        let tail_seen = self.missing.map(|(_, date)| date);
        Scan { records: self.found.into_values().take(run).collect(), tail_seen }
    }
}
