//! A writer that keeps a ledger of its messages while servers come and go.

use crate::{
    answer::Append,
    http::Streams,
    ledger::{Fate, Sent},
    messages::Stream,
    producer::Producer,
};

/// A writer of numbered messages, with or without a key.
#[derive(Debug)]
pub struct Writer {
    name: String,
    stream: Stream,
    producer: Option<Producer>,
    /// True while the last message of a keyed writer is to be sent again.
    pending: bool,
    sent: Vec<Sent>,
}

impl Writer {
    /// A writer that appends without a key: a message with no answer is given up.
    pub fn unkeyed(stream: &Stream, name: &str) -> Self {
        Self { name: name.to_owned(), stream: stream.clone(), producer: None, pending: false, sent: Vec::new() }
    }

    /// A writer with a key: a message with no answer is sent again, unchanged.
    pub fn keyed(stream: &Stream, name: &str) -> Self {
        Self { producer: Some(Producer::new(stream, name)), ..Self::unkeyed(stream, name) }
    }

    /// The stream it writes to.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Its messages so far.
    pub fn sent(&self) -> &[Sent] {
        &self.sent
    }

    /// True while it has a message to send again.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Sends a message, or a pending one again, and says what became of it.
    pub async fn step(&mut self, via: &Streams) -> Fate {
        if !self.pending {
            let message = format!("{}-{:06}", self.name, self.sent.len());
            self.sent.push(Sent { message, fate: Fate::Unknown });
        }
        let message = &self.sent.last().expect("a message just added").message;
        let fate = match &mut self.producer {
            Some(producer) => attempt(producer, via, message).await,
            None => once(&self.stream, via, message).await,
        };
        self.pending = self.producer.is_some() && !matches!(fate, Fate::Acknowledged(_));
        self.sent.last_mut().expect("a message just sent").fate = fate.clone();
        fate
    }
}

/// One attempt of a keyed append; nothing but an acknowledgement settles it.
async fn attempt(producer: &mut Producer, via: &Streams, message: &str) -> Fate {
    match producer.attempt(via, message).await {
        Ok(acknowledged) => Fate::Acknowledged(acknowledged.next_offset),
        Err(_) => Fate::Unknown,
    }
}

/// An unkeyed append, which is never repeated.
async fn once(stream: &Stream, via: &Streams, message: &str) -> Fate {
    match via.append(stream, message).await {
        Append::Applied { next_offset } => Fate::Acknowledged(Some(next_offset)),
        Append::NotApplied(_) => Fate::Refused,
        Append::Unknown(_) => Fate::Unknown,
        other => panic!("an append to {} got {other:?}", stream.path),
    }
}
