//! Worlds made by hand, for what no world in order ever shows.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use wadi_protocol::{
    ContentType, CreateRequest, Lifetime, Payload, ReadForm, ReadFrom, ReadRequest, TypeMatch, WriteRequest,
};

use crate::{
    executor::Sim,
    history::{Answer, Ask},
    network::Network,
    plan::Plan,
    random::Rng,
    world::{Client, Stream, World},
};

/// A bucket loses the newest record of a log, behind the back of an instance that knows it; another
/// instance fills the gap, and the first goes on from what it knows. Returns what a third one
/// reads then: nothing, if it looks at what each record follows.
pub fn bucket_that_forgets() -> Option<Bytes> {
    play(forget)
}

/// Where a sealer is about to put a segment, something else lies. Returns what is read once it has
/// tried: all, if it looks at what is in its way and leaves the log as it is.
pub fn bucket_with_something_in_the_way() -> Option<Bytes> {
    play(seal_over)
}

/// Plays a scene in a world without faults.
fn play<F: Future<Output = Option<Bytes>> + Send + 'static>(scene: impl FnOnce(Arc<World>) -> F) -> Option<Bytes> {
    let plan = Arc::new(Plan { instances: 3, ..Plan::of(0) });
    let sim = Sim::new(Rng::part(0, "scenario", 0));
    let (network, _kills) = Network::new(&sim, &plan);
    network.heal();
    let world = Arc::new(World::new(&sim, &plan, &network));
    let read = Arc::new(Mutex::new(None));
    let (scene, result) = (scene(world), read.clone());
    sim.run(async move {
        let answer = scene.await;
        *result.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    });
    sim.shut_down();
    read.lock().unwrap_or_else(PoisonError::into_inner).take()
}

async fn forget(world: Arc<World>) -> Option<Bytes> {
    let stream = world.streams.first()?;
    let mut client = Client { name: "operator".into(), rng: Rng::new(0), home: Some(0) };
    world.call(&mut client, stream, Ask::Create(create())).await;
    world.call(&mut client, stream, append("first")).await;
    world.call(&mut client, stream, append("newer")).await;
    let newest = world.network.keys().into_iter().rfind(|key| key.contains("/log/"))?;
    world.network.lose(&newest);
    client.home = Some(1);
    world.call(&mut client, stream, append("other")).await;
    client.home = Some(0);
    world.call(&mut client, stream, append("third")).await;
    client.home = Some(2);
    read_all(&world, &mut client, stream).await
}

async fn seal_over(world: Arc<World>) -> Option<Bytes> {
    let stream = world.streams.first()?;
    let mut client = Client { name: "operator".into(), rng: Rng::new(0), home: Some(0) };
    world.call(&mut client, stream, Ask::Create(create())).await;
    world.call(&mut client, stream, append("true")).await;
    let slot = world.network.keys().into_iter().find(|key| key.contains("/log/"))?;
    let (prefix, _) = slot.split_once("/log/")?;
    world.network.plant(&format!("{prefix}/segment/{:020}-{:020}", 0, 4), "fake");
    let sealer = world.fleet.add();
    // An error is what is expected.
    let _ = world.fleet.at(sealer).engine.seal(&stream.key).await;
    client.home = Some(1);
    read_all(&world, &mut client, stream).await
}

async fn read_all(world: &World, client: &mut Client, stream: &Stream) -> Option<Bytes> {
    match world.call(client, stream, Ask::Read(read())).await {
        Answer::Page(page) => page.ok().map(|page| page.body.joined()),
        _ => None,
    }
}

fn create() -> CreateRequest {
    CreateRequest {
        incarnation: None,
        only_if_missing: false,
        content_type: ContentType::octet_stream(),
        type_match: TypeMatch::Exact,
        lifetime: Lifetime::Forever,
        closed: false,
        stream_seq: None,
        text: Bytes::new(),
        messages: 0,
    }
}

fn append(text: &'static str) -> Ask {
    let (content_type, text) = (ContentType::octet_stream(), Bytes::from_static(text.as_bytes()));
    Ask::Write(WriteRequest {
        incarnation: None,
        if_match: None,
        producer: None,
        stream_seq: None,
        closes: false,
        content: Ok(Payload::Bytes { content_type, text, messages: 1 }),
        type_match: TypeMatch::Exact,
    })
}

fn read() -> ReadRequest {
    ReadRequest {
        from: ReadFrom::Start,
        bytes_max: 1 << 20,
        form: ReadForm::Stored,
        incarnation: None,
        if_none_match: None,
    }
}
