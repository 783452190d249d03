//! A reader of server-sent events, as a web page is one. What takes the events apart was made by
//! other hands than the server, so both cannot be wrong in the same way.

use std::time::Duration;

use eventsource_stream::{Event, Eventsource};
use futures::{StreamExt, stream::BoxStream};
use http::{HeaderMap, StatusCode};
use tokio::time::timeout;
use tower::ServiceExt;

use crate::harness::{Service, parse_request};

/// How long an event may be waited for.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// An open stream of events.
pub(crate) struct Follower {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    events: BoxStream<'static, Event>,
}

impl Follower {
    /// Asks for events; the request is written as text.
    pub(crate) async fn open(service: &Service, request: &str) -> Self {
        let response = service.router.clone().oneshot(parse_request(request)).await.unwrap();
        let (parts, body) = response.into_parts();
        let events = body.into_data_stream().eventsource().map(Result::unwrap).boxed();
        Self { status: parts.status, headers: parts.headers, events }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The next event; none at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        timeout(PATIENCE, self.events.next()).await.expect("an event, or the end")
    }

    /// The data of the next event, which must be of this kind.
    pub(crate) async fn expect(&mut self, kind: &str) -> String {
        let event = self.next().await.unwrap_or_else(|| panic!("no event, where `{kind}` should have come"));
        assert_eq!(event.event, kind, "{event:?}");
        event.data
    }

    /// All that comes until the connection ends.
    pub(crate) async fn rest(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

/// What the data events among these carry, joined.
pub(crate) fn data_of(events: &[Event]) -> String {
    events.iter().filter(|event| event.event == "data").map(|event| event.data.as_str()).collect()
}

/// The JSON of an event's data.
pub(crate) fn json(data: &str) -> serde_json::Value {
    serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"))
}
