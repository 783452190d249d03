//! The payload of an entry: the changes of a batch.
//!
//! What it says of a key is in the form of `postcard`, the mark first; the bytes of a small body follow its row
//! as they are.

use std::{collections::BTreeMap, io, ops::Range, sync::Arc};

use bytes::Bytes;
use wadi_protocol::Timestamp;

use super::frame::HEADER_BYTES;
use crate::{
    ObjectKey,
    embedded::{
        object::{Mark, Object, Rows},
        schema::Entry,
    },
    limits::EMBEDDED_PAGE_BYTES,
};

/// What a batch will change, in byte order of the keys. `None`: nothing is left there.
pub(in crate::embedded) type Planned = BTreeMap<ObjectKey, Option<Object>>;

/// A guess at the bytes of a row without its key and its body: a batch mostly fits without growing its buffer.
const ROW_BYTES_GUESS: usize = 128;

/// Versions, date in milliseconds, number of changes.
type Head = (u64, u64, u64);
type Headers<'a> = Vec<(&'a str, &'a str)>;
/// Key and row, whose form is that of the database.
type Line<'a> = (&'a str, Option<(u64, u64, u64, u64, Headers<'a>)>);

/// An entry whose header is still empty, and where in it the bodies are, in the order of the changes.
pub(super) struct Encoded {
    pub(super) entry: Vec<u8>,
    bodies: Vec<Range<usize>>,
}

/// Writes what `planned` changes and where it leads.
pub(super) fn encode(mark: Mark, planned: &Planned) -> io::Result<Encoded> {
    let mut entry = Vec::with_capacity(guess(planned));
    entry.resize(HEADER_BYTES, 0);
    let mut bodies = Vec::with_capacity(planned.len());
    let head: Head = (mark.versions, mark.newest.as_millis(), planned.len() as u64);
    postcard::to_io(&head, &mut entry).map_err(io::Error::other)?;
    for (key, object) in planned {
        let names = object.as_ref().map(|object| object.entry.metadata_names()).unwrap_or_default();
        let line: Line<'_> = (key.as_str(), object.as_ref().map(|object| object.entry.row(&names)));
        postcard::to_io(&line, &mut entry).map_err(io::Error::other)?;
        let start = entry.len();
        entry.extend_from_slice(object.as_ref().map_or(&[], |object| &object.body));
        bodies.push(start..entry.len());
    }
    Ok(Encoded { entry, bodies })
}

impl Encoded {
    /// The changes, whose bodies become parts of `entry`: a body as it came may be a small part of a large buffer.
    pub(super) fn rows(entry: &Bytes, bodies: Vec<Range<usize>>, planned: Planned) -> Rows {
        let row = |((key, object), body): ((ObjectKey, Option<Object>), Range<usize>)| {
            (key, object.map(|Object { entry: row, .. }| Arc::new(Object { entry: row, body: entry.slice(body) })))
        };
        planned.into_iter().zip(bodies).map(row).collect()
    }

    /// The entry and where its bodies are.
    pub(super) fn into_parts(self) -> (Vec<u8>, Vec<Range<usize>>) {
        (self.entry, self.bodies)
    }
}

/// Reads the payload of entry number `sequence`. The bodies stay parts of it.
pub(super) fn decode(sequence: u64, payload: &Bytes) -> Result<(Mark, Rows), postcard::Error> {
    let ((versions, millis, changes), mut rest) = postcard::take_from_bytes::<Head>(payload)?;
    let mut rows = Rows::new();
    for _ in 0..changes {
        let ((key, row), after) = postcard::take_from_bytes::<Line<'_>>(rest)?;
        rest = after;
        let object = match row.map(Entry::from_row) {
            None => None,
            Some(entry) => {
                let size = if entry.file.is_some() { 0 } else { entry.size };
                let size = usize::try_from(size).map_err(|_| postcard::Error::DeserializeUnexpectedEnd)?;
                let (body, after) = rest.split_at_checked(size).ok_or(postcard::Error::DeserializeUnexpectedEnd)?;
                rest = after;
                Some(Arc::new(Object { entry, body: payload.slice_ref(body) }))
            }
        };
        rows.insert(ObjectKey::from(key), object);
    }
    Ok((Mark { sequence, versions, newest: Timestamp::from_millis(millis) }, rows))
}

fn guess(planned: &Planned) -> usize {
    let row = |(key, object): (&ObjectKey, &Option<Object>)| {
        key.as_str().len() + ROW_BYTES_GUESS + object.as_ref().map_or(0, |object| object.body.len())
    };
    (HEADER_BYTES + planned.iter().map(row).sum::<usize>()).next_multiple_of(EMBEDDED_PAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Attributes;

    fn object(version: u64, file: Option<u64>, body: &'static [u8]) -> Object {
        let size = if file.is_some() { 1_000_000 } else { body.len() as u64 };
        let attributes = Attributes {
            content_type: Some("text/plain".to_owned()),
            cache_control: (version == 2).then(|| "no-store".to_owned()),
            metadata: [("name".to_owned(), "wert".to_owned())].into(),
        };
        let modified = Timestamp::from_millis(1000 + version);
        Object { entry: Entry { version, size, modified, file, attributes }, body: Bytes::from_static(body) }
    }

    fn planned() -> Planned {
        [
            ("a".into(), Some(object(1, None, b"body"))),
            ("b".into(), Some(object(2, Some(77), b""))),
            ("c".into(), None),
            ("d".into(), Some(object(3, None, b""))),
        ]
        .into()
    }

    /// Everything of the rows that can differ.
    fn told(rows: &Rows) -> Vec<String> {
        rows.iter().map(|(key, held)| format!("{key} {held:?}")).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mark = Mark { sequence: 12, versions: 3, newest: Timestamp::from_millis(5000) };
        let (entry, bodies) = encode(mark, &planned()).unwrap().into_parts();
        let entry = Bytes::from(entry);
        let (read_mark, read) = decode(12, &entry.slice(HEADER_BYTES..)).unwrap();
        assert_eq!(read_mark, mark);
        assert_eq!(told(&read), told(&Encoded::rows(&entry, bodies, planned())));
        assert_eq!(read.len(), 4);
        assert_eq!(read["a"].as_ref().unwrap().body, "body");
        assert_eq!(read["b"].as_ref().unwrap().entry.file, Some(77));
        assert_eq!(read["d"].as_ref().unwrap().entry.attributes.metadata["name"], "wert");
    }

    #[test]
    fn a_payload_cut_short_is_refused() {
        let mark = Mark { sequence: 1, versions: 1, newest: Timestamp::EPOCH };
        let one: Planned = [("a".into(), Some(object(1, None, b"body")))].into();
        let payload = Bytes::from(encode(mark, &one).unwrap().into_parts().0).slice(HEADER_BYTES..);
        for length in 0..payload.len() {
            assert!(decode(1, &payload.slice(..length)).is_err(), "{length} bytes");
        }
    }
}
