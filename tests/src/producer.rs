//! An idempotent producer: what it sends is in the stream once, in order, whatever is lost.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::{
    answer::Append,
    http::{Key, Streams},
    messages::Stream,
    wait,
};

/// A producer with one append under way at a time.
#[derive(Clone, Debug)]
pub struct Producer {
    stream: Stream,
    key: Key,
}

/// An append that the server acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// Where the stream goes on after it, if the answer says so: one to a repeat need not.
    pub next_offset: Option<String>,
}

impl Producer {
    /// A producer new to the stream.
    pub fn new(stream: &Stream, id: &str) -> Self {
        Self { stream: stream.clone(), key: Key { producer: id.to_owned(), epoch: 0, seq: 0 } }
    }

    /// Sends `message` once. An error says that it must be sent again, unchanged.
    pub async fn attempt(&mut self, via: &Streams, message: &str) -> Result<Acknowledged, String> {
        let next_offset = match via.append_keyed(&self.stream, &self.key, message).await {
            Append::Applied { next_offset } => Some(next_offset),
            Append::Repeat { next_offset } => next_offset,
            Append::NotApplied(why) | Append::Unknown(why) => return Err(why),
            other => panic!("{:?} got {other:?}, though it was alone and went by the rules", self.key),
        };
        self.key.seq += 1;
        Ok(Acknowledged { next_offset })
    }

    /// Sends `message`, and goes away without an answer after a while.
    pub async fn abandon(&self, via: &Streams, message: &str, after: Duration) {
        let _ = timeout(after, via.append_keyed(&self.stream, &self.key, message)).await;
    }

    /// Sends `message` until it is acknowledged, over one server after the other.
    pub async fn send(&mut self, via: &[Streams], message: &str) -> Acknowledged {
        let start = Instant::now();
        let mut attempt = 0;
        loop {
            // The sequence number is part of the turn, so that producers are spread over the servers.
            let turn = usize::try_from(self.key.seq + u64::from(attempt)).expect("a small number") % via.len();
            match self.attempt(&via[turn], message).await {
                Ok(acknowledged) => return acknowledged,
                Err(why) => assert!(start.elapsed() < wait::LIMIT, "{message} not acknowledged: {why}"),
            }
            wait::back_off(attempt).await;
            attempt += 1;
        }
    }
}
