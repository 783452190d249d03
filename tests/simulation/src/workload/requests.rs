//! Requests as clients draw them.

use std::time::Duration;

use bytes::Bytes;
use wadi_protocol::{
    ContentType, CreateRequest, IfNoneMatch, Lifetime, Offset, Payload, ReadForm, ReadFrom, ReadRequest, TypeMatch,
    WriteRequest, limits::CHUNK_BYTES,
};

use crate::{
    network::date,
    random::Rng,
    world::{Stream, World},
};

/// Payloads above this go to a body of their own once a write lost its races.
const LARGE_BYTES: usize = 300 * 1024;

/// The least of those bodies that fill a grid cell in a few.
const HUGE_BYTES_MIN: usize = 250 * 1024;

fn content_type(json: bool) -> ContentType {
    if json { ContentType::json() } else { ContentType::octet_stream() }
}

/// Bytes that nobody else sends, and how many messages they are.
fn body(world: &World, rng: &mut Rng, stream: &Stream) -> (Bytes, u64) {
    let number = world.body_number();
    let filler = filler(world, rng);
    if !stream.json {
        return (Bytes::from(framed(number, filler)), 1);
    }
    let messages = rng.within(1..=3);
    let text = (0..messages).map(|part| message(number, part, filler)).collect::<Vec<_>>().concat();
    (Bytes::from(text), messages)
}

/// How long a body is, but for what frames it.
pub(super) fn filler(world: &World, rng: &mut Rng) -> usize {
    let plan = &world.plan.clients;
    match rng.below(100) {
        _ if rng.millionths(plan.large * 1_000) => LARGE_BYTES,
        _ if rng.millionths(plan.huge * 1_000) => HUGE_BYTES_MIN << rng.below(4),
        0..=2 => rng.index(20_000),
        _ => rng.index(120),
    }
}

fn framed(number: u64, filler: usize) -> String {
    format!("<{number}:{}>", letters(number, filler))
}

fn message(number: u64, part: u64, filler: usize) -> String {
    format!("{{\"body\":{number},\"part\":{part},\"filler\":\"{}\"}}\n", letters(number, filler))
}

/// Letters of which no two near each other are equal, so that bytes in the wrong place show.
fn letters(number: u64, count: usize) -> String {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    let first = usize::try_from(number % 26).unwrap_or(0);
    let mut letters = LETTERS.repeat((first + count).div_ceil(LETTERS.len()));
    letters.truncate(first + count);
    letters.split_off(first)
}

/// Bytes that end at the edge of a grid cell, for a stream that is known to end at `tail`; `None` where
/// too little is missing.
pub(crate) fn content_up_to_the_grid(world: &World, stream: &Stream, tail: Offset) -> Option<Payload> {
    let number = world.body_number();
    let framed = |filler| if stream.json { message(number, 0, filler) } else { framed(number, filler) };
    let missing = usize::try_from(CHUNK_BYTES - tail.get() % CHUNK_BYTES).ok()?;
    let text = Bytes::from(framed(missing.checked_sub(framed(0).len())?));
    Some(Payload::Bytes { content_type: content_type(stream.json), text, messages: 1 })
}

/// An append; now and then one that closes, or that no stream takes.
pub(crate) fn write_request(world: &World, rng: &mut Rng, stream: &Stream) -> WriteRequest {
    let (text, messages) = body(world, rng, stream);
    let wrong_type = rng.percent(1);
    let content = if rng.percent(1) {
        Payload::Empty
    } else {
        Payload::Bytes { content_type: content_type(stream.json != wrong_type), text, messages }
    };
    WriteRequest {
        incarnation: None,
        if_match: None,
        producer: None,
        stream_seq: None,
        closes: rng.millionths(3_000),
        content: Ok(content),
        type_match: TypeMatch::Exact,
    }
}

/// A create: with or without bytes, of a stream that lives for ever or not.
pub(crate) fn create_request(world: &World, rng: &mut Rng, stream: &Stream) -> CreateRequest {
    let (text, messages) = if rng.percent(40) { body(world, rng, stream) } else { (Bytes::new(), 0) };
    CreateRequest {
        incarnation: None,
        only_if_missing: rng.percent(10),
        content_type: content_type(stream.json),
        type_match: TypeMatch::Exact,
        lifetime: lifetime(world, rng),
        closed: rng.percent(2),
        stream_seq: None,
        text,
        messages,
    }
}

fn lifetime(world: &World, rng: &mut Rng) -> Lifetime {
    let plan = &world.plan.clients;
    if !rng.percent(plan.mortal) {
        return Lifetime::Forever;
    }
    let usual = *plan.think.end();
    let span = rng.duration(&(usual..=usual * 100)).max(Duration::from_secs(1));
    match rng.below(20) {
        0 => Lifetime::Ttl { seconds: 0 },
        1..=12 => Lifetime::Ttl { seconds: span.as_secs() },
        _ => Lifetime::Until(date(world.sim.now() + span)),
    }
}

/// A read of a page.
pub(crate) fn read_request(rng: &mut Rng, from: ReadFrom) -> ReadRequest {
    let bytes_max = match rng.below(10) {
        0 => rng.within(1..=64),
        1..=3 => rng.within(64..=2_000),
        4 => rng.within(2_000..=6 << 20),
        _ => 8 << 20,
    };
    let if_none_match = rng.percent(3).then_some(IfNoneMatch::Any);
    let form = if rng.percent(50) { ReadForm::Stored } else { ReadForm::Array };
    ReadRequest { from, bytes_max, form, incarnation: None, if_none_match }
}
