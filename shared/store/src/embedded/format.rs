//! What the database says of itself: its format, how far it is written, and the secret of its journal.

use rand::{TryRng, rngs::SysRng};
use redb::{Database, ReadableDatabase, WriteTransaction};
use wadi_protocol::Timestamp;

use super::{
    journal::FrameKey,
    object::Mark,
    schema::{
        FORMAT, NUMBER_FORMAT, NUMBER_NEWEST, NUMBER_SEQUENCE, NUMBER_VERSIONS, NUMBERS, SECRET_JOURNAL, SECRETS,
    },
};

/// The numbers of a database.
pub(super) struct Numbers {
    pub(super) format: u64,
    pub(super) mark: Mark,
}

impl Numbers {
    /// Reads them; one that is not there is 0.
    pub(super) fn read(database: &Database) -> Result<Self, redb::Error> {
        let numbers = database.begin_read()?.open_table(NUMBERS)?;
        let number = |name: &str| numbers.get(name).map(|found| found.map_or(0, |guard| guard.value()));
        let mark = Mark {
            sequence: number(NUMBER_SEQUENCE)?,
            versions: number(NUMBER_VERSIONS)?,
            newest: Timestamp::from_millis(number(NUMBER_NEWEST)?),
        };
        Ok(Self { format: number(NUMBER_FORMAT)?, mark })
    }
}

/// Gives a database this format, and a secret for its journal.
pub(super) fn establish(transaction: &WriteTransaction) -> Result<FrameKey, redb::Error> {
    let mut key = [0; 32];
    SysRng.try_fill_bytes(&mut key).map_err(std::io::Error::other)?;
    transaction.open_table(NUMBERS)?.insert(NUMBER_FORMAT, FORMAT)?;
    transaction.open_table(SECRETS)?.insert(SECRET_JOURNAL, key)?;
    Ok(FrameKey(key))
}

/// Makes this format of the one before.
pub(super) fn upgrade(database: &Database) -> Result<FrameKey, redb::Error> {
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    let key = establish(&transaction)?;
    transaction.commit()?;
    Ok(key)
}

/// The secret of the journal.
pub(super) fn journal_key(database: &Database) -> Result<FrameKey, redb::Error> {
    let found = database.begin_read()?.open_table(SECRETS)?.get(SECRET_JOURNAL)?;
    let key = found.map(|key| FrameKey(key.value()));
    key.ok_or_else(|| redb::Error::Corrupted("it has no secret for its journal".to_owned()))
}
