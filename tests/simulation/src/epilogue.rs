//! The end of a simulation: everything heals, and an instance that knows nothing goes to work.

use std::{sync::Arc, time::Duration};

use wadi_protocol::{
    DeleteRequest, Offset, Payload, ReadForm, ReadFrom, ReadRequest, Refusal, RetentionRequest, SnapshotRequest,
    StreamDescription, WriteRequest, limits::BOOTSTRAP_BYTES_MAX,
};

use crate::{
    check,
    executor::WORLD,
    history::{Answer, Ask, BootstrapRequest},
    keeper,
    random::Rng,
    violation::Violation,
    workload::{create_request, publish_request, write_request},
    world::{Client, Stream, World},
};

/// The name of the one client of the end.
pub(crate) const CLIENT: &str = "epilogue";

/// Heals the world and looks at every stream.
pub(crate) async fn run(world: Arc<World>) {
    world.finish();
    world.network.heal();
    world.fleet.resume_all();
    while !world.network.is_quiet() {
        world.sim.sleep(WORLD, Duration::from_secs(1)).await;
    }
    // Whoever was paused has found out by then that it is late.
    world.sim.sleep(WORLD, Duration::from_secs(200)).await;
    let home = world.fleet.add();
    let mut client = Client { name: CLIENT.into(), rng: Rng::part(world.plan.seed, CLIENT, 0), home: Some(home) };
    for stream in &world.streams {
        visit(&world, &mut client, stream).await;
    }
    keeper::finish(&world, home).await;
    judge_what_is_left(&world);
    verify(&world, home).await;
    for stream in &world.streams {
        read_all(&world, &mut client, stream).await;
        restore(&world, &mut client, stream).await;
    }
}

/// Before anything else happens: what is in the bucket is what is needed.
fn judge_what_is_left(world: &World) {
    let keys = world.network.keys();
    let mut inner = world.network.inner();
    if world.plan.heals()
        && let Err(violation) = check::left(&inner.ghost, &keys)
    {
        inner.ghost.violations.push(violation);
    }
}

/// What lies in the bucket twice is the same, and what the log names is there.
async fn verify(world: &World, place: usize) {
    let engine = world.fleet.at(place).engine.clone();
    for stream in world.streams.iter().filter(|_| world.plan.heals()) {
        let wrong = match engine.verify(&stream.key).await {
            Ok(verified) => verified.problems.into_iter().next(),
            Err(refusal) => Some(format!("it cannot be read: {refusal:?}")),
        };
        if let Some(what) = wrong {
            let violation = Violation::new("verifies", format!("{}: {what}", stream.text)).at_key(&*stream.text);
            world.network.inner().ghost.violations.push(violation);
        }
    }
}

async fn visit(world: &World, client: &mut Client, stream: &Stream) {
    read_all(world, client, stream).await;
    let append = append(world, client, stream);
    let answer = world.call(client, stream, Ask::Write(append)).await;
    match answer.refusal() {
        None => {}
        Some(Refusal::StreamClosed { .. }) => {
            world.call(client, stream, Ask::Delete(DeleteRequest::default())).await;
            create(world, client, stream).await;
        }
        _ => create(world, client, stream).await,
    }
    read_all(world, client, stream).await;
    // Some streams end with the snapshot that they have, as it is.
    if let Some(found) = restore(world, client, stream).await.filter(|_| client.rng.percent(50)) {
        sum_up(world, client, stream, &found).await;
    }
}

/// Reads what the latest snapshot comes to, by itself and with what follows it.
async fn restore(world: &World, client: &mut Client, stream: &Stream) -> Option<StreamDescription> {
    let Answer::Described(Ok(found)) = world.call(client, stream, Ask::Head(None)).await else { return None };
    if let Some(latest) = found.snapshot {
        let request = SnapshotRequest { offset: latest.offset, incarnation: None, range: None, if_none_match: None };
        world.call(client, stream, Ask::Snapshot { request, with_body: true }).await;
    }
    let whole = BootstrapRequest { incarnation: None, bytes_max: BOOTSTRAP_BYTES_MAX, with_body: true };
    world.call(client, stream, Ask::Bootstrap(whole)).await;
    Some(found)
}

/// Sums a stream up, and lets go of some of what that stands for.
async fn sum_up(world: &World, client: &mut Client, stream: &Stream, found: &StreamDescription) {
    let publish = publish_request(world, &mut client.rng, None, found.tail);
    world.call(client, stream, publish).await;
    let offset = Offset::new(client.rng.below(found.tail.get() + 1));
    let retention = RetentionRequest { incarnation: Some(found.incarnation), offset };
    world.call(client, stream, Ask::Retain(retention)).await;
}

async fn create(world: &World, client: &mut Client, stream: &Stream) {
    let request = create_request(world, &mut client.rng, stream);
    world.call(client, stream, Ask::Create(request)).await;
    let append = append(world, client, stream);
    world.call(client, stream, Ask::Write(append)).await;
}

fn append(world: &World, client: &mut Client, stream: &Stream) -> WriteRequest {
    loop {
        let request = write_request(world, &mut client.rng, stream);
        if request.content != Ok(Payload::Empty) {
            return request;
        }
    }
}

async fn read_all(world: &World, client: &mut Client, stream: &Stream) {
    let mut next = Offset::ZERO;
    loop {
        let request = ReadRequest {
            from: ReadFrom::At(next),
            bytes_max: 8 << 20,
            form: ReadForm::Stored,
            incarnation: None,
            if_none_match: None,
        };
        match world.call(client, stream, Ask::Read(request)).await {
            Answer::Page(Ok(page)) if page.next < page.stream.tail => next = page.next,
            Answer::Page(Err(Refusal::Gone { retained, .. })) => next = retained,
            _ => return,
        }
    }
}
