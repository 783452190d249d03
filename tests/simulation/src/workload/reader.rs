//! A reader: follows a stream, and now and then looks at it again from the start.

use std::sync::Arc;

use wadi_protocol::{IfNoneMatch, Offset, ReadFrom, ReadRequest, Refusal};

use super::{Next, create, next_of, read_request};
use crate::{
    history::{Answer, Ask},
    world::{Client, Stream, World},
};

pub(super) async fn run(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut next = Offset::ZERO;
    let mut last_tag: Option<String> = None;
    while !world.is_over() {
        let ask = draw(&mut client, next, last_tag.as_deref());
        let follows = matches!(&ask, Ask::Read(request) if request.from == ReadFrom::At(next));
        let answer = world.call(&mut client, &stream, ask).await;
        match (&answer, answer.refusal()) {
            (Answer::Page(Ok(page)), _) if follows => {
                next = page.next;
                last_tag = Some(page.tag.opaque());
            }
            (_, Some(Refusal::Gone { retained, .. })) => next = *retained,
            (_, Some(Refusal::OffsetOutOfRange { .. } | Refusal::NotJsonBoundary { .. })) => next = Offset::ZERO,
            _ => {}
        }
        if next_of(&answer) == Next::Missing && client.rng.percent(50) {
            create(&world, &mut client, &stream).await;
        }
        world.think(&mut client).await;
    }
}

fn draw(client: &mut Client, next: Offset, last_tag: Option<&str>) -> Ask {
    let from = match client.rng.below(20) {
        0..=2 => return Ask::Head(None),
        3..=4 => ReadFrom::Start,
        5..=6 => ReadFrom::Now,
        7..=9 => ReadFrom::At(Offset::new(client.rng.below(next.get() + 30))),
        _ => ReadFrom::At(next),
    };
    let request = read_request(&mut client.rng, from);
    let tag = last_tag.filter(|_| client.rng.percent(10)).map(|tag| IfNoneMatch::Tags(vec![tag.to_owned()]));
    Ask::Read(ReadRequest { if_none_match: tag.or(request.if_none_match.clone()), ..request })
}
