//! The thirteen rows by which a producer's write is judged.

use crate::{
    Epoch, ProducerKey, ProducerRefusal, ProducerSeq,
    state::{ClosedEpoch, Opened, ProducerRecord},
};

/// What the table of producers says of a keyed write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Claims its epoch.
    Claim {
        /// On which side of the floor.
        opened: Opened,
        /// The epoch it closes.
        closes: Option<ClosedEpoch>,
    },
    /// Is the next of its epoch.
    Next,
    /// Repeats the newest write.
    Repeat,
    /// Repeats an older write, whose range is no longer kept.
    RepeatEvicted,
    /// Applies nothing.
    Refused(ProducerRefusal),
}

/// Judges a keyed write. The first row that fits answers; the epoch is judged before
/// deduplication, so a late retry from an older epoch is never called a success.
///
/// `tokened`: the request named the stream's incarnation, which makes it subject to the floor.
pub fn evaluate_producer(
    record: Option<&ProducerRecord>,
    floor: Option<Epoch>,
    history: u64,
    key: &ProducerKey,
    tokened: bool,
) -> Evaluation {
    match record {
        None => evaluate_unknown(floor, key, tokened),
        Some(record) => evaluate_known(record, floor, history, key, tokened),
    }
}

/// Rows 1 to 3: nothing is remembered of this producer.
fn evaluate_unknown(floor: Option<Epoch>, key: &ProducerKey, tokened: bool) -> Evaluation {
    let below = floor.filter(|floor| key.epoch <= *floor);
    match below {
        Some(floor) if tokened => Evaluation::Refused(ProducerRefusal::Expired { floor }),
        _ if key.seq == ProducerSeq::ZERO => {
            let opened = if below.is_some() { Opened::Below } else { Opened::Above };
            Evaluation::Claim { opened, closes: None }
        }
        _ => Evaluation::Refused(ProducerRefusal::SeqGap { expected: ProducerSeq::ZERO, received: key.seq }),
    }
}

/// Rows 1' and 4 to 13.
fn evaluate_known(
    record: &ProducerRecord,
    floor: Option<Epoch>,
    history: u64,
    key: &ProducerKey,
    tokened: bool,
) -> Evaluation {
    let claims_above = |floor: Epoch| key.seq == ProducerSeq::ZERO && key.epoch > record.epoch && key.epoch > floor;
    match floor {
        Some(floor) if tokened && record.opened == Opened::Below && !claims_above(floor) => {
            Evaluation::Refused(ProducerRefusal::Expired { floor })
        }
        _ if key.epoch < record.epoch => Evaluation::Refused(older_epoch(record, key)),
        _ if key.epoch > record.epoch => newer_epoch(record, floor, key),
        _ => same_epoch(record, history, key),
    }
}

/// Rows 4 and 5.
fn older_epoch(record: &ProducerRecord, key: &ProducerKey) -> ProducerRefusal {
    match record.closed_epoch {
        Some(closed) if closed.epoch == key.epoch => {
            ProducerRefusal::EpochClosed { current: record.epoch, closed, by: crate::ClosedBy::Claim }
        }
        _ => ProducerRefusal::EpochStale { current: record.epoch },
    }
}

/// Rows 6 and 7.
fn newer_epoch(record: &ProducerRecord, floor: Option<Epoch>, key: &ProducerKey) -> Evaluation {
    if key.seq != ProducerSeq::ZERO {
        return Evaluation::Refused(ProducerRefusal::EpochNotClaimed);
    }
    let above_floor = floor.is_none_or(|floor| key.epoch > floor);
    let was_above = record.opened == Opened::Above;
    Evaluation::Claim {
        opened: if was_above || above_floor { Opened::Above } else { Opened::Below },
        closes: was_above.then_some(ClosedEpoch { epoch: record.epoch, last_seq: record.last_seq }),
    }
}

/// Rows 8 to 13.
fn same_epoch(record: &ProducerRecord, history: u64, key: &ProducerKey) -> Evaluation {
    let conflicts = (key.seq == ProducerSeq::ZERO && key.digest != record.claim_digest)
        || (key.seq == record.last_seq && key.digest != record.newest.digest);
    if conflicts {
        return Evaluation::Refused(ProducerRefusal::KeyConflict { current: record.epoch });
    }
    if key.seq == record.last_seq {
        return Evaluation::Repeat;
    }
    if key.seq < record.last_seq {
        return Evaluation::RepeatEvicted;
    }
    if record.history != history {
        let closed = ClosedEpoch { epoch: record.epoch, last_seq: record.last_seq };
        return Evaluation::Refused(ProducerRefusal::EpochClosed {
            current: record.epoch,
            closed,
            by: crate::ClosedBy::History,
        });
    }
    match record.last_seq.next() {
        Some(expected) if key.seq == expected => Evaluation::Next,
        Some(expected) => Evaluation::Refused(ProducerRefusal::SeqGap { expected, received: key.seq }),
        // Beyond the largest number there is no next one; nothing larger can be sent either.
        None => Evaluation::RepeatEvicted,
    }
}
