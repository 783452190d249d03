//! What a key of the bucket is of, taken apart independently of the engine.

use wadi_protocol::{Incarnation, Offset};

/// What a key is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place<'a> {
    Manifest(&'a str),
    /// An object of an incarnation of the stream `name`.
    Of {
        name: &'a str,
        token: Incarnation,
        kind: Kind<'a>,
    },
}

/// What an object of an incarnation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    Slot(u64),
    Body(&'a str),
    Chunk(Offset),
    Segment(Offset, Offset),
    State(u64),
    /// A copy of the snapshot at an offset.
    Snapshot(Offset),
}

impl<'a> Place<'a> {
    /// Takes a key apart; `None` for one that should not be there.
    pub(crate) fn of(key: &'a str) -> Option<Self> {
        if let Some(name) = key.strip_prefix("manifest/") {
            return Some(Self::Manifest(name));
        }
        let (name, rest) = key.strip_prefix("ds/")?.split_once("/incarnation/")?;
        let (token, rest) = rest.split_once('/')?;
        Some(Self::Of { name, token: Incarnation::parse(token).ok()?, kind: Kind::of(rest)? })
    }
}

impl<'a> Kind<'a> {
    fn of(rest: &'a str) -> Option<Self> {
        let (folder, id) = rest.split_once('/')?;
        Some(match folder {
            "log" => Self::Slot(padded(id.strip_suffix(".rec")?)?),
            "body" => Self::Body(id),
            "chunk" => Self::Chunk(Offset::new(padded(id)?)),
            "segment" => {
                let (start, end) = id.split_once('-')?;
                Self::Segment(Offset::new(padded(start)?), Offset::new(padded(end)?))
            }
            "state" => Self::State(padded(id)?),
            "snapshot" => Self::Snapshot(Offset::new(padded(id)?)),
            _ => return None,
        })
    }

    /// What it is called in counts.
    pub(crate) fn plural(&self) -> &'static str {
        match self {
            Self::Slot(_) => "slots",
            Self::Body(_) => "bodies",
            Self::Chunk(_) => "chunks",
            Self::Segment(..) => "segments",
            Self::State(_) => "states",
            Self::Snapshot(_) => "snapshots",
        }
    }
}

/// A number in the form that sorts as text.
fn padded(text: &str) -> Option<u64> {
    (text.len() == 20).then_some(())?;
    text.parse().ok()
}
