//! HTTP/1.1 as cheaply as it can be spoken: the client shares the machine with what it measures.

mod connection;
mod mount;
mod peer;

pub(crate) use connection::{Answer, Connection, Counted, Driver, followed, text};
pub(crate) use mount::{Mount, requests_told, whole};
pub(crate) use peer::Peer;
