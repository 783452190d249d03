//! `GET` and `HEAD` of a bootstrap: the snapshot and everything after it, in one answer.

use std::io;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use futures::stream;
use http::Method;
use wadi_protocol::{Answer, Refusal, name};
use wadi_stream::{Bootstrap, BootstrapPiece};

use super::call::Call;
use crate::{
    answer::{Caching, Multipart, no_content, respond_streaming},
    limits::BOOTSTRAP_STEP_BYTES_MAX,
    request::bootstrap_incarnation,
};

/// Answers with the snapshot and what follows it, fetched as it is sent.
pub(crate) async fn bootstrap(call: &Call) -> Result<Response, Refusal> {
    let incarnation = bootstrap_incarnation(&call.parts.uri, &call.parts.headers)?;
    let with_body = call.parts.method == Method::GET;
    let engine = &call.shell.engine;
    let bytes_max = call.shell.settings.bootstrap_bytes_max;
    let bootstrap = engine.bootstrap(call.key()?, incarnation, bytes_max, with_body).await?;
    let parts = Multipart::new(engine.runtime().random(), engine.runtime().random());
    let answer = describe(&bootstrap, &parts);
    let body = if with_body { streamed(bootstrap, parts) } else { no_content() };
    Ok(respond_streaming(answer, Caching::NoStore, body))
}

fn describe(bootstrap: &Bootstrap, parts: &Multipart) -> Answer {
    let at_tail = bootstrap.next == bootstrap.stream.tail;
    let answer = Answer::new(200).with(name::CONTENT_TYPE, parts.content_type());
    let answer = match &bootstrap.snapshot {
        Some(snapshot) => answer.with(name::STREAM_SNAPSHOT_OFFSET, snapshot.offset),
        None => answer.with(name::STREAM_SNAPSHOT_OFFSET, "-1"),
    };
    answer
        .with(name::STREAM_NEXT_OFFSET, bootstrap.next)
        .with(name::STREAM_INCARNATION, bootstrap.stream.incarnation)
        .flag(name::STREAM_UP_TO_DATE, at_tail)
        .flag(name::STREAM_CLOSED, at_tail && bootstrap.stream.closed)
}

/// A body on its way.
struct Session {
    bootstrap: Bootstrap,
    parts: Multipart,
    state: State,
    /// Bytes of the stream that were fetched and are not sent yet.
    fetched: Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Opening,
    Snapshot,
    Stream,
    Over,
}

fn streamed(bootstrap: Bootstrap, parts: Multipart) -> Body {
    let session = Session { bootstrap, parts, state: State::Opening, fetched: Bytes::new() };
    Body::from_stream(stream::unfold(session, |mut session| async move {
        let piece = session.step().await?;
        Some((piece.map_err(|refusal| io::Error::other(refusal.code().as_str())), session))
    }))
}

impl Session {
    /// What is sent next. A bootstrap that breaks off lacks its end, so nobody takes it for whole.
    async fn step(&mut self) -> Option<Result<Bytes, Refusal>> {
        match self.state {
            State::Over => return None,
            State::Opening => return Some(Ok(self.open())),
            State::Snapshot | State::Stream => {}
        }
        if self.fetched.is_empty() {
            match self.bootstrap.next_piece().await {
                Some(Ok(BootstrapPiece::Snapshot(piece))) => return Some(Ok(piece)),
                Some(Ok(BootstrapPiece::Stream(piece))) => self.fetched = piece,
                Some(Err(refusal)) => {
                    self.state = State::Over;
                    return Some(Err(refusal));
                }
                None => return Some(Ok(self.finish())),
            }
        }
        Some(Ok(self.send_fetched()))
    }

    /// The part of the snapshot comes first; without a snapshot it is there, too, and empty.
    fn open(&mut self) -> Bytes {
        self.state = State::Snapshot;
        let snapshot = self.bootstrap.snapshot.as_ref();
        let content_type = snapshot.map_or("application/octet-stream", |snapshot| snapshot.content_type.as_str());
        let mut out = Vec::new();
        self.parts.begin(content_type, &mut out);
        out.into()
    }

    /// Parts for small messages are much longer than these, so few are put together at a time. Bytes of
    /// other streams are one part.
    fn send_fetched(&mut self) -> Bytes {
        let content_type = self.bootstrap.stream.content_type.clone();
        let first = std::mem::replace(&mut self.state, State::Stream) == State::Snapshot;
        let mut out = Vec::new();
        if content_type.is_json() {
            if first {
                self.parts.end(&mut out);
            }
            let step = self.fetched.split_to(self.fetched.len().min(BOOTSTRAP_STEP_BYTES_MAX));
            self.parts.messages(content_type.as_str(), &step, &mut out);
            return out.into();
        }
        if first {
            self.parts.begin(content_type.as_str(), &mut out);
            return out.into();
        }
        std::mem::take(&mut self.fetched)
    }

    fn finish(&mut self) -> Bytes {
        self.state = State::Over;
        let mut out = Vec::new();
        self.parts.finish(&mut out);
        out.into()
    }
}
