//! Reading the journal after an end of any kind.

use std::{fs, io, path::Path};

use bytes::Bytes;
use thiserror::Error;

use super::{
    FILES,
    changes::decode,
    frame::{Frame, FrameKey},
};
use crate::embedded::object::{Mark, Rows};

/// Why the journal could not be read.
#[derive(Debug, Error)]
pub(in crate::embedded) enum RecoveryError {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An entry that was acknowledged is not readable.
    #[error("{0}")]
    Damaged(String),
}

/// The entries of one file, one after another, from its beginning.
struct Run {
    file: Bytes,
    frames: Vec<Frame>,
}

/// What the journal in `directory` holds beyond entry number `written`, which is the last one in the database;
/// `None` when that is nothing.
///
/// A last entry that is not whole was never acknowledged and is left out. [`RecoveryError::Damaged`] when an
/// entry is missing that others follow.
pub(in crate::embedded) fn recover(
    directory: &Path,
    key: &FrameKey,
    written: u64,
) -> Result<Option<(Mark, Rows)>, RecoveryError> {
    let [first, second] = FILES.map(|name| read(&directory.join(name)));
    replay([first?, second?], key, written)
}

fn read(path: &Path) -> io::Result<Bytes> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Bytes::new()),
        read => read.map(Bytes::from),
    }
}

fn replay(files: [Bytes; 2], key: &FrameKey, written: u64) -> Result<Option<(Mark, Rows)>, RecoveryError> {
    let mut runs = Vec::new();
    for file in files {
        let run = run(file, key, written)?;
        runs.extend((!run.frames.is_empty()).then_some(run));
    }
    runs.sort_by_key(|run| run.frames.first().map(|frame| frame.sequence));
    let mut found: Option<(Mark, Rows)> = None;
    let mut expected = written + 1;
    for Run { file, frames } in runs {
        for frame in frames {
            if frame.sequence != expected {
                return Err(missing(expected, frame.sequence));
            }
            expected += 1;
            let (mark, rows) = decode(frame.sequence, &file.slice(frame.payload))
                .map_err(|error| RecoveryError::Damaged(format!("entry {}: {error}", frame.sequence)))?;
            let all = found.get_or_insert_with(|| (mark, Rows::new()));
            all.0 = mark;
            all.1.extend(rows);
        }
    }
    Ok(found)
}

/// The entries of one file beyond `written`.
fn run(file: Bytes, key: &FrameKey, written: u64) -> Result<Run, RecoveryError> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut end = 0;
    while let Some(frame) = key.open(&file, end) {
        // Behind the entries of this turn are those of a turn before.
        if frames.last().is_some_and(|last| frame.sequence != last.sequence + 1) {
            break;
        }
        end = frame.end();
        frames.push(frame);
    }
    let last = frames.last().map_or(written, |frame| frame.sequence.max(written));
    if let Some(later) = key.find_above(&file, end, last) {
        return Err(missing(last + 1, later.sequence));
    }
    frames.retain(|frame| frame.sequence > written);
    Ok(Run { file, frames })
}

fn missing(first: u64, found: u64) -> RecoveryError {
    RecoveryError::Damaged(format!("entry {first} is not readable, and entry {found} follows it"))
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
