//! Live reads of streams.

use std::time::Duration;

use eventsource_stream::{Event, Eventsource};
use futures::{Stream as _, StreamExt, stream::BoxStream};
use reqwest::Method;
use tokio::time::timeout;

use crate::{
    answer::Answer,
    http::{Streams, send},
    messages::Stream,
    wait,
};

/// How long a live read may stay open: longer than any test runs.
const OPEN_LIMIT: Duration = Duration::from_mins(10);

/// An open stream of events.
pub struct Events(BoxStream<'static, Result<Event, String>>);

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Events").field(&self.0.size_hint()).finish()
    }
}

impl Streams {
    /// Waits for what comes after an offset, as long as the server lets it.
    pub async fn poll(&self, stream: &Stream, offset: &str) -> Answer {
        let path = format!("{}?offset={offset}&live=long-poll", stream.path);
        send(self.request(Method::GET, &path)).await.expect("an answer to a long-poll")
    }

    /// Opens the events after an offset.
    pub async fn follow(&self, stream: &Stream, offset: &str) -> Events {
        let path = format!("{}?offset={offset}&live=sse", stream.path);
        let answer = self.request(Method::GET, &path).timeout(OPEN_LIMIT).send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 200, "{answer:?}");
        Events::of(answer)
    }
}

impl Events {
    /// The events in the body of an answer.
    pub fn of(answer: reqwest::Response) -> Self {
        let pieces = futures::stream::unfold(answer, |mut answer| async move {
            let piece = answer.chunk().await.transpose()?;
            Some((piece, answer))
        });
        Self(pieces.eventsource().map(|event| event.map_err(|error| error.to_string())).boxed())
    }

    /// The next event; `None` at the end of the connection, an error where it broke off.
    pub async fn next(&mut self) -> Option<Result<Event, String>> {
        timeout(wait::LIMIT, self.next_whenever()).await.expect("an event, or the end of the connection")
    }

    /// The same, however long it takes.
    pub async fn next_whenever(&mut self) -> Option<Result<Event, String>> {
        self.0.next().await
    }
}
