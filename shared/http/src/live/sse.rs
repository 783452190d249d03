//! Server-sent events: a live read that stays open and pushes every append.

use std::time::Duration;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use futures::stream;
use http::HeaderMap;
use wadi_protocol::{Answer, End, Offset, ReadFrom, ReadRequest, Refusal, StreamDescription, name};
use wadi_stream::{Engine, SharedPage, Tail, TailStep};

use super::{
    cursor::cursor,
    encoding::Encoding,
    ending::Awaited,
    event::{self, COMMENT, Control, Offset20},
    places::Place,
};
use crate::{
    answer::{Caching, respond, respond_empty, respond_streaming},
    limits::{SSE_COMMENT_EVERY, SSE_STEP_BYTES_MAX},
    operations::Call,
};

/// Opens a stream of events.
///
/// Malformed requests, a missing stream and another incarnation are plain errors. An offset that
/// the stream does not have is told by an event, so that an `EventSource` learns of it.
pub(crate) async fn open(call: &Call, mut request: ReadRequest, asked: Option<u64>) -> Result<Response, Refusal> {
    let resumed = last_event_id(&call.parts.headers);
    if let Some(offset) = resumed {
        request.from = ReadFrom::At(offset);
    }
    let place = call.shell.places.take()?;
    let engine = call.shell.engine.clone();
    let tail = match engine.tail(call.key()?, &request).await {
        Ok(tail) => tail,
        Err(refusal) => return outside(&request, refusal),
    };
    let at_the_end = tail.stream().closed && tail.next_offset() == tail.stream().tail;
    if resumed.is_some() && at_the_end {
        // The only answer that stops an EventSource from coming back for ever.
        return Ok(respond_empty(finished(&tail.stream()), Caching::NoStore));
    }
    let lifetime = jittered(call.shell.settings.sse_lifetime, engine.runtime().random());
    let bytes_max = request.bytes_max.clamp(4, SSE_STEP_BYTES_MAX);
    let encoding = Encoding::of(&tail.stream().content_type, request.form);
    let ends_at = engine.runtime().monotonic() + lifetime;
    let answer = head(&tail.stream(), encoding);
    let ending = call.shell.ending.awaited();
    let mut session =
        Session { engine, tail, encoding, asked, bytes_max, ends_at, ending, state: State::Opening, _place: place };
    // The first step is taken before anything is answered: its refusals are plain errors.
    let first = session.next_events().await?;
    let rest = stream::unfold((Some(first), session), |(first, mut session)| async move {
        let events = match first {
            Some(first) => first,
            None => match session.next_events().await {
                Ok(events) => events,
                Err(refusal) => Some(session.end_with(&refusal)),
            },
        }?;
        Some((Ok::<_, std::convert::Infallible>(events), (None, session)))
    });
    Ok(respond_streaming(answer, Caching::Events, Body::from_stream(rest)))
}

/// The answer to a request that a stream cannot serve: beyond it or before it as an event, after
/// the incarnation has been looked at.
fn outside(request: &ReadRequest, refusal: Refusal) -> Result<Response, Refusal> {
    let (Refusal::Gone { incarnation, .. } | Refusal::OffsetOutOfRange { incarnation, .. }) = refusal else {
        return Err(refusal);
    };
    if request.incarnation.is_some_and(|wanted| wanted != incarnation) {
        return Err(Refusal::IncarnationMismatch { current: Some(incarnation) });
    }
    let answer = Answer::new(200).with(name::CONTENT_TYPE, EVENTS).with(name::STREAM_INCARNATION, incarnation);
    Ok(respond(answer, Caching::Events, Bytes::from(event::error(&refusal))))
}

const EVENTS: &str = "text/event-stream";

fn head(stream: &StreamDescription, encoding: Encoding) -> Answer {
    let answer = Answer::new(200)
        .with(name::CONTENT_TYPE, EVENTS)
        .with(name::STREAM_DATA_CONTENT_TYPE, encoding.content_type(&stream.content_type))
        .with(name::STREAM_INCARNATION, stream.incarnation)
        .with(name::X_ACCEL_BUFFERING, "no");
    match encoding {
        Encoding::Base64 => answer.with(name::STREAM_SSE_DATA_ENCODING, "base64"),
        _ => answer,
    }
}

fn finished(stream: &StreamDescription) -> Answer {
    Answer::new(204)
        .with(name::STREAM_NEXT_OFFSET, stream.tail)
        .with(name::STREAM_INCARNATION, stream.incarnation)
        .flag(name::STREAM_UP_TO_DATE, true)
        .flag(name::STREAM_CLOSED, true)
}

/// Where a browser says that it was. One that is no offset is ignored.
fn last_event_id(headers: &HeaderMap) -> Option<Offset> {
    Offset::parse_decimal(headers.get("last-event-id")?.to_str().ok()?.trim()).ok()
}

/// A tenth more or less, so that readers that came together do not all return together.
fn jittered(lifetime: Duration, random: u64) -> Duration {
    let tenth = u64::try_from(lifetime.as_millis() / 10).unwrap_or(u64::MAX);
    lifetime.saturating_sub(Duration::from_millis(random % tenth.max(1)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Opening,
    Following,
    Ended,
}

/// One open connection. What it holds is one step at a time: a slow reader holds nobody else.
struct Session {
    engine: Engine,
    tail: Tail,
    encoding: Encoding,
    asked: Option<u64>,
    bytes_max: u64,
    ends_at: Duration,
    ending: Awaited,
    state: State,
    _place: Place,
}

impl Session {
    /// The next events; `None` at the end of the connection, which is always between two events.
    async fn next_events(&mut self) -> Result<Option<Bytes>, Refusal> {
        let left = self.ends_at.saturating_sub(self.engine.runtime().monotonic());
        let wait = match self.state {
            State::Ended => return Ok(None),
            State::Opening => Duration::ZERO,
            State::Following if left.is_zero() || self.ending.has_begun() => return Ok(None),
            State::Following => left.min(SSE_COMMENT_EVERY),
        };
        let opening = std::mem::replace(&mut self.state, State::Following) == State::Opening;
        let events = match self.ending.step(&mut self.tail, self.bytes_max, wait).await? {
            TailStep::Page(page) => self.data(&page),
            TailStep::Closed(_) => {
                self.state = State::Ended;
                control(self.tail.next_offset(), None, true).into()
            }
            TailStep::Idle(_) if opening => control(self.tail.next_offset(), Some(self.cursor()), true).into(),
            TailStep::Idle(_) => Bytes::from_static(COMMENT.as_bytes()),
        };
        Ok(Some(events))
    }

    /// The events of a page: made once for all sessions that send the same ones.
    fn data(&mut self, page: &SharedPage) -> Bytes {
        let closed = page.end == End::ClosedTail;
        let body = page.body.clone().joined();
        let whole = self.encoding.whole(&body, closed);
        let held = (body.len() - whole) as u64;
        self.tail.give_back(held);
        let finished = closed && held == 0;
        if finished {
            self.state = State::Ended;
        }
        // Beside the page, its events depend on these two.
        let cursor = self.cursor();
        let form = (self.encoding as u8, cursor);
        page.made(form, || {
            let next = self.tail.next_offset();
            let up_to_date = page.end != End::BelowTail && held == 0;
            let control = control(next, (!finished).then_some(cursor), up_to_date);
            if whole == 0 {
                return control.into();
            }
            (event::data(&self.encoding.text(&body.slice(..whole)), next) + &control).into()
        })
    }

    fn cursor(&self) -> u64 {
        cursor(self.engine.now(), self.asked)
    }

    /// The last event of a stream that ended, or that cannot be read on.
    fn end_with(&mut self, refusal: &Refusal) -> Bytes {
        self.state = State::Ended;
        event::error(refusal).into()
    }
}

/// The control event after which a reader stands at `next`: without a cursor where the stream ends there.
fn control(next: Offset, cursor: Option<u64>, up_to_date: bool) -> String {
    event::control(&Control {
        stream_next_offset: Offset20(next),
        stream_cursor: cursor.map(|cursor| cursor.to_string()),
        up_to_date,
        stream_closed: cursor.is_none(),
    })
}
