//! Writers without a producer key.

use std::sync::Arc;

use wadi_protocol::{
    DeleteRequest, EndTag, IfMatch, Incarnation, ReadFrom, Refusal, StreamSeq, WriteOutcome, WriteRequest,
};

use super::{Next, content_up_to_the_grid, create, next_of, read_request, write_request};
use crate::{
    history::{Answer, Ask},
    world::{Client, Stream, World},
};

/// Appends, and never sends anything twice.
pub(super) async fn plain(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut incarnation: Option<Incarnation> = None;
    let tokened = client.rng.percent(20);
    while !world.is_over() {
        let request = write_request(&world, &mut client.rng, &stream);
        let request = WriteRequest { incarnation: incarnation.filter(|_| tokened), ..request };
        let answer = world.call(&mut client, &stream, Ask::Write(request)).await;
        if let Some(Refusal::IncarnationMismatch { current }) = answer.refusal() {
            incarnation = *current;
        }
        if tokened && incarnation.is_none() {
            incarnation = look(&world, &mut client, &stream).await.map(|tag| tag.incarnation);
        }
        match next_of(&answer) {
            Next::Missing => {
                incarnation = None;
                create(&world, &mut client, &stream).await;
            }
            Next::Refused if matches!(answer.refusal(), Some(Refusal::StreamClosed { .. })) => {
                replace_closed(&world, &mut client, &stream).await;
            }
            _ => {}
        }
        world.think(&mut client).await;
    }
}

/// Makes way for another stream, now and then.
async fn replace_closed(world: &World, client: &mut Client, stream: &Stream) {
    if client.rng.percent(20) {
        world.call(client, stream, Ask::Delete(DeleteRequest::default())).await;
        create(world, client, stream).await;
    }
}

/// Appends with a `Stream-Seq` that rises, most of the time.
pub(super) async fn in_sequence(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut number = 0_u64;
    while !world.is_over() {
        let request = write_request(&world, &mut client.rng, &stream);
        let stream_seq = StreamSeq::parse(&format!("{number:08}")).ok().flatten();
        let answer = world.call(&mut client, &stream, Ask::Write(WriteRequest { stream_seq, ..request })).await;
        match (next_of(&answer), answer.refusal()) {
            (_, Some(Refusal::StreamSeqConflict { last, .. })) => {
                number = last.as_str().parse().map_or(number, |last: u64| last + client.rng.below(3));
            }
            (Next::Missing, _) => create(&world, &mut client, &stream).await,
            (Next::Again, _) if client.rng.percent(50) => {}
            _ => number += client.rng.within(1..=3),
        }
        world.think(&mut client).await;
    }
}

/// Appends only to the stream as it knows it.
pub(super) async fn conditional(world: Arc<World>, mut client: Client, stream: Stream) {
    while !world.is_over() {
        let tag = look(&world, &mut client, &stream).await;
        if client.rng.percent(50) {
            world.think(&mut client).await;
        }
        let Some(mut tag) = tag else {
            create(&world, &mut client, &stream).await;
            continue;
        };
        for _ in 0..client.rng.within(1..=4) {
            let request = write_request(&world, &mut client.rng, &stream);
            let fills = world.plan.clients.huge > 0 && client.rng.percent(20);
            let filling = fills.then(|| content_up_to_the_grid(&world, &stream, tag.end)).flatten();
            let request = WriteRequest { content: filling.map_or(request.content.clone(), Ok), ..request };
            let if_match = Some(if client.rng.percent(3) { IfMatch::Any } else { IfMatch::Tags(vec![tag]) });
            let answer = world.call(&mut client, &stream, Ask::Write(WriteRequest { if_match, ..request })).await;
            match (&answer, answer.refusal()) {
                (Answer::Written(Ok(WriteOutcome::Appended { incarnation, end, closed })), _) => {
                    tag = EndTag { incarnation: *incarnation, end: *end, closed: *closed };
                }
                (_, Some(Refusal::IfMatchFailed { current })) => tag = *current,
                _ => break,
            }
            if world.is_over() {
                return;
            }
        }
        world.think(&mut client).await;
    }
}

/// The stream's tag, from a HEAD or from a read at its end.
async fn look(world: &World, client: &mut Client, stream: &Stream) -> Option<EndTag> {
    if client.rng.percent(50) {
        match world.call(client, stream, Ask::Head(None)).await {
            Answer::Described(Ok(found)) => {
                Some(EndTag { incarnation: found.incarnation, end: found.tail, closed: found.closed })
            }
            _ => None,
        }
    } else {
        let request = read_request(&mut client.rng, ReadFrom::Now);
        match world.call(client, stream, Ask::Read(request)).await {
            Answer::Page(Ok(page)) => page.tag.end_tag(),
            _ => None,
        }
    }
}
