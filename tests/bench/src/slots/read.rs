//! Reads a stream from its start to its end, a page at a time, again and again.

use crate::{
    failure::Failure,
    http::{Connection, Mount, requests_told, text},
    load::Slot,
    sample::Step,
};

/// Reads over one connection. What counts are bytes.
#[derive(Debug)]
pub(crate) struct ReadSlot {
    connection: Connection,
    mount: Mount,
    name: String,
    offset: String,
}

impl ReadSlot {
    /// Reads a stream that exists.
    pub(crate) async fn open(mount: &Mount, name: &str) -> Result<Self, Failure> {
        let connection = mount.connect().await?;
        Ok(Self { connection, mount: mount.clone(), name: name.to_owned(), offset: START.to_owned() })
    }

    /// Reads it once; how many bytes it has.
    pub(crate) async fn whole(&mut self) -> Result<u64, Failure> {
        START.clone_into(&mut self.offset);
        let mut bytes = 0;
        loop {
            bytes += self.step().await?.amount;
            if self.offset == START {
                return Ok(bytes);
            }
        }
    }
}

/// The offset of a stream's first byte.
const START: &str = "-1";

impl Slot for ReadSlot {
    async fn step(&mut self) -> Result<Step, Failure> {
        let page = self.mount.count_page(&mut self.connection, &self.name, &self.offset).await?;
        let next = text(&page.headers, "stream-next-offset").unwrap_or(START);
        let end = page.headers.contains_key("stream-up-to-date");
        if end { START } else { next }.clone_into(&mut self.offset);
        let first_byte = Some(page.first_byte);
        Ok(Step { first_byte, ..Step::done(page.bytes, requests_told(&page.headers)) })
    }
}
