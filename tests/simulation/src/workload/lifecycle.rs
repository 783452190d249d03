//! Clients that begin and end streams.

use std::sync::Arc;

use wadi_protocol::{CreateRequest, DeleteRequest, Incarnation, Payload, WriteRequest};

use super::{Next, create, create_request, next_of, write_request};
use crate::{
    history::{Answer, Ask},
    world::{Client, Stream, World},
};

/// Closes the stream every so often, with bytes or without, and makes way for another.
pub(super) async fn closer(world: Arc<World>, mut client: Client, stream: Stream) {
    while !world.is_over() {
        for _ in 0..client.rng.within(2..=12) {
            world.think(&mut client).await;
        }
        let request = write_request(&world, &mut client.rng, &stream);
        let content = if client.rng.percent(50) { Ok(Payload::Empty) } else { request.content.clone() };
        let request = WriteRequest { closes: true, content, ..request };
        for _ in 0..client.rng.within(1..=3) {
            let answer = world.call(&mut client, &stream, Ask::Write(request.clone())).await;
            // Bytes without a key are sent once only.
            if next_of(&answer) != Next::Again || request.content != Ok(Payload::Empty) {
                break;
            }
        }
        world.think(&mut client).await;
        if client.rng.percent(70) {
            world.call(&mut client, &stream, Ask::Delete(DeleteRequest::default())).await;
            create(&world, &mut client, &stream).await;
        }
    }
}

/// Deletes the stream every so often, and creates it again; also where it exists.
pub(super) async fn deleter(world: Arc<World>, mut client: Client, stream: Stream) {
    let mut known: Option<Incarnation> = None;
    while !world.is_over() {
        for _ in 0..client.rng.within(2..=8) {
            world.think(&mut client).await;
        }
        let incarnation = known.filter(|_| client.rng.percent(50));
        if client.rng.percent(70) {
            let request = DeleteRequest { incarnation, if_match: None };
            for _ in 0..client.rng.within(1..=3) {
                let answer = world.call(&mut client, &stream, Ask::Delete(request.clone())).await;
                if next_of(&answer) != Next::Again {
                    break;
                }
            }
        }
        let request = create_request(&world, &mut client.rng, &stream);
        let incarnation = known.filter(|_| client.rng.percent(20));
        let answer = world.call(&mut client, &stream, Ask::Create(CreateRequest { incarnation, ..request })).await;
        if let Answer::Created(Ok(created)) = answer {
            known = Some(created.stream.incarnation);
        }
    }
}
