//! One reader of a stream's events, over a connection of its own.

use std::time::Instant;

use bytes::Bytes;
use eventsource_stream::Eventsource;
use futures::{StreamExt, stream::BoxStream};
use http::Method;
use http_body_util::BodyExt;

use crate::{
    failure::Failure,
    http::{Driver, Mount, followed, whole},
    limits::EVENT_BYTES,
};

/// A reader that has caught up.
pub(super) struct Subscriber {
    events: BoxStream<'static, Result<eventsource_stream::Event, String>>,
    connection: Driver,
}

impl Subscriber {
    /// Follows a stream from its end, and returns once it has caught up.
    pub(super) async fn open(mount: &Mount, name: &str) -> Result<Self, Failure> {
        let request = whole(mount.request(Method::GET, name, "?offset=-1&live=sse"), Bytes::new())?;
        let (answer, connection) = followed(&mount.authority, request).await?;
        if !answer.status().is_success() {
            let status = answer.status().as_u16();
            return Err(Failure::Answer { what: "a subscription", status, body: String::new() });
        }
        let pieces = answer.into_body().into_data_stream();
        let events = pieces.eventsource().map(|event| event.map_err(|error| error.to_string())).boxed();
        let mut subscriber = Self { events, connection };
        while subscriber.next().await?.event != "control" {}
        Ok(subscriber)
    }

    /// Reads so many messages; for each, the microseconds since it was sent, counted from `epoch`.
    pub(super) async fn messages(mut self, count: u64, epoch: Instant) -> Result<Vec<u32>, Failure> {
        let mut micros = Vec::new();
        while (micros.len() as u64) < count {
            let event = self.next().await?;
            if event.event != "data" {
                continue;
            }
            let now = epoch.elapsed().as_micros();
            for message in event.data.as_bytes().chunks(EVENT_BYTES) {
                let sent = sent_at(message).ok_or(Failure::Late("a message as it was sent"))?;
                micros.push(u32::try_from(now.saturating_sub(sent)).unwrap_or(u32::MAX));
            }
        }
        Ok(micros)
    }

    async fn next(&mut self) -> Result<eventsource_stream::Event, Failure> {
        let ended = Failure::Late("an event; the connection ended");
        let event = tokio::select! {
            biased;
            event = self.events.next() => event.ok_or(ended)?,
            () = &mut self.connection => return Err(ended),
        };
        event.map_err(|error| Failure::connection("a subscription", error))
    }
}

/// A message that tells when it was sent, in microseconds.
pub(super) fn message(sent_at: u128) -> Bytes {
    format!("{sent_at:0EVENT_BYTES$}").into()
}

fn sent_at(message: &[u8]) -> Option<u128> {
    std::str::from_utf8(message).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_tells_when_it_was_sent() {
        assert_eq!(message(1_234_567).len(), EVENT_BYTES);
        assert_eq!(sent_at(&message(1_234_567)), Some(1_234_567));
        assert_eq!(sent_at(b"hello"), None);
    }
}
