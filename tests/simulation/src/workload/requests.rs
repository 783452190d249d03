//! Requests as clients draw them.

use std::time::Duration;

use bytes::Bytes;
use wadi_protocol::{
    ContentType, CreateRequest, IfNoneMatch, Lifetime, Payload, ReadForm, ReadFrom, ReadRequest, TypeMatch,
    WriteRequest,
};

use crate::{
    network::date,
    random::Rng,
    world::{Stream, World},
};

/// Payloads above this go to a body of their own once a write lost its races.
const LARGE_BYTES: usize = 300 * 1024;

fn content_type(json: bool) -> ContentType {
    if json { ContentType::json() } else { ContentType::octet_stream() }
}

/// Bytes that nobody else sends, and how many messages they are.
fn body(world: &World, rng: &mut Rng, stream: &Stream) -> (Bytes, u64) {
    let number = world.body_number();
    let filler = match rng.below(100) {
        _ if rng.millionths(world.plan.clients.large * 1_000) => LARGE_BYTES,
        0..=2 => rng.index(20_000),
        _ => rng.index(120),
    };
    let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
    let filler: String = std::iter::repeat_n(letter, filler).collect();
    if !stream.json {
        return (Bytes::from(format!("<{number}:{filler}>")), 1);
    }
    let messages = rng.within(1..=3);
    let message = |part: u64| format!("{{\"body\":{number},\"part\":{part},\"filler\":\"{filler}\"}}\n");
    let text = (0..messages).map(message).collect::<Vec<_>>().concat();
    (Bytes::from(text), messages)
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
        _ => 8 << 20,
    };
    let if_none_match = rng.percent(3).then_some(IfNoneMatch::Any);
    let form = if rng.percent(50) { ReadForm::Stored } else { ReadForm::Array };
    ReadRequest { from, bytes_max, form, incarnation: None, if_none_match }
}
