//! What the database holds.

use redb::TableDefinition;
use wadi_protocol::Timestamp;

use crate::{Attributes, ObjectTag};

/// Number of this layout. A store with another one is not opened, but for [`FORMAT_WITHOUT_JOURNAL`].
pub(super) const FORMAT: u64 = 2;

/// The layout before there was a journal: all else is the same, and opening makes it [`FORMAT`], so that a release
/// that does not know of the journal cannot miss what is in it.
pub(super) const FORMAT_WITHOUT_JOURNAL: u64 = 1;

/// One row an object, in byte order of the keys: version, size, date in milliseconds, file (0: the body
/// is in [`BODIES`]), headers by name.
pub(super) const OBJECTS: TableDefinition<'_, &str, Row> = TableDefinition::new("objects");

/// Small bodies by version.
pub(super) const BODIES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("bodies");

/// The numbers of the files that hold large bodies. A file that is not here belongs to nobody.
pub(super) const FILES: TableDefinition<'_, u64, ()> = TableDefinition::new("files");

/// Secrets of this store, by name: see the constant below.
pub(super) const SECRETS: TableDefinition<'_, &str, [u8; 32]> = TableDefinition::new("secrets");

/// Name of the secret that the journal's entries are checked under.
pub(super) const SECRET_JOURNAL: &str = "journal";

/// Single numbers, by name: see the constants below.
pub(super) const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");

/// Name of the number [`FORMAT`].
pub(super) const NUMBER_FORMAT: &str = "format";
/// Name of the number of versions given so far.
pub(super) const NUMBER_VERSIONS: &str = "versions";
/// Name of the date of the newest write, in milliseconds.
pub(super) const NUMBER_NEWEST: &str = "newest-millis";
/// Name of the number of the journal's last entry that is in the tables.
pub(super) const NUMBER_SEQUENCE: &str = "journal-sequence";

/// The value of [`OBJECTS`].
pub(super) type Row = (u64, u64, u64, u64, Vec<(&'static str, &'static str)>);

const CONTENT_TYPE: &str = "content-type";
const CACHE_CONTROL: &str = "cache-control";
const METADATA_PREFIX: &str = "x-amz-meta-";

/// An object without its body.
#[derive(Debug)]
pub(super) struct Entry {
    /// Never used twice: it names one write.
    pub(super) version: u64,
    pub(super) size: u64,
    pub(super) modified: Timestamp,
    pub(super) file: Option<u64>,
    pub(super) attributes: Attributes,
}

impl Entry {
    pub(super) fn from_row((version, size, millis, file, headers): (u64, u64, u64, u64, Vec<(&str, &str)>)) -> Self {
        let modified = Timestamp::from_millis(millis);
        let file = (file != 0).then_some(file);
        Self { version, size, modified, file, attributes: attributes(&headers) }
    }

    pub(super) fn row<'a>(&'a self, names: &'a [String]) -> (u64, u64, u64, u64, Vec<(&'a str, &'a str)>) {
        let metadata = names.iter().map(String::as_str).zip(self.attributes.metadata.values().map(String::as_str));
        let headers = [
            self.attributes.content_type.as_deref().map(|value| (CONTENT_TYPE, value)),
            self.attributes.cache_control.as_deref().map(|value| (CACHE_CONTROL, value)),
        ];
        let headers = headers.into_iter().flatten().chain(metadata).collect();
        (self.version, self.size, self.modified.as_millis(), self.file.unwrap_or_default(), headers)
    }

    /// The names under which [`Self::row`] keeps the metadata.
    pub(super) fn metadata_names(&self) -> Vec<String> {
        self.attributes.metadata.keys().map(|name| format!("{METADATA_PREFIX}{name}")).collect()
    }

    pub(super) fn tag(&self) -> ObjectTag {
        tag(self.version)
    }
}

/// The tag of a version.
pub(super) fn tag(version: u64) -> ObjectTag {
    ObjectTag(format!("\"{version:016x}\""))
}

fn attributes(headers: &[(&str, &str)]) -> Attributes {
    let mut attributes = Attributes::default();
    for (name, value) in headers {
        let value = (*value).to_owned();
        match *name {
            CONTENT_TYPE => attributes.content_type = Some(value),
            CACHE_CONTROL => attributes.cache_control = Some(value),
            name => {
                let name = name.strip_prefix(METADATA_PREFIX).unwrap_or(name);
                attributes.metadata.insert(name.to_owned(), value);
            }
        }
    }
    attributes
}
