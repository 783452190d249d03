//! Writers among faults of every kind.

use std::time::Duration;

use futures::future::{join, join_all};
use wadi_tests::{
    call::Call,
    http::Streams,
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    proxy::{Deck, Fault, Matcher, Rule, Verb},
    wait,
    writer::Writer,
};

use crate::instance::{Instance, two};

/// The order of the faults.
const SEED: u64 = 20_260_101;

/// Faults of each kind that is noticed at once, for each process.
const QUICK: usize = 4;

/// About one request in so many meets a fault.
const ONE_IN: u32 = 4;

/// Messages that each writer has acknowledged, at least.
const MESSAGES: usize = 100;

/// How long all of it may take.
const LIMIT: Duration = Duration::from_mins(3);

/// What befalls one process; of the silent faults each gets one, since each lasts as long as a time-out.
fn faults(silent: Fault) -> Vec<Fault> {
    let quick = [
        Fault::Reset,
        Fault::AnswerLost,
        Fault::HalfAnswer,
        Fault::Conflict,
        Fault::PreconditionFailed,
        Fault::SlowDown,
        Fault::Twice,
        Fault::Late(Duration::from_millis(30)),
        Fault::Late(Duration::from_millis(300)),
    ];
    quick.into_iter().flat_map(|fault| vec![fault; QUICK]).chain([silent]).collect()
}

fn silent() -> [Fault; 2] {
    [Fault::StalledRequest, Fault::StalledAnswer]
}

/// See: <https://github.com/aws/aws-sdk-java-v2/issues/6580>, <https://github.com/electric-sql/electric/pull/4710>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn appends_apply_exactly_once_under_every_fault() {
    let instances = two("every-fault").await;
    let stream = Stream::new("fire", Kind::Lines);
    instances[0].streams.create(&stream).await;
    for fault in silent() {
        let _ = instances[0].create(&path(&fault)).await.expect_status(201);
        let _ = instances[0].append(&path(&fault), fault.name()).await.expect_status(204);
    }
    let decks = silent().map(faults);
    for (seed, (instance, faults)) in (SEED..).zip(instances.iter().zip(&decks)) {
        instance.proxy.forget();
        instance.proxy.deal(Deck::shuffled(faults.clone(), ONE_IN, seed));
    }
    let both = [instances[0].streams.clone(), instances[1].streams.clone()];
    let dealt = || instances.iter().all(|instance| instance.proxy.undealt() == 0);
    let writers = [Writer::keyed(&stream, "keyed"), Writer::unkeyed(&stream, "plain")];
    let writing = join_all(writers.into_iter().map(|writer| write(writer, &both, dealt)));
    let reading = silent().map(|fault| reads_that_stall(&instances[1], fault));
    let all = join(writing, join_all(reading));
    let (writers, _) = tokio::time::timeout(LIMIT, all).await.expect("the writers get through in time");

    let here = stream.messages(&both[0].read_all(&stream).await);
    let there = stream.messages(&both[1].read_all(&stream).await);
    assert_eq!(here, there);
    let sent: Vec<&[Sent]> = writers.iter().map(Writer::sent).collect();
    ledger::check(&stream.path, &here, &sent);
    for (instance, faults) in instances.iter().zip(&decks) {
        let seen = instance.proxy.seen();
        for fault in faults {
            assert!(seen.iter().any(|seen| seen.fault == Some(fault.name())), "{} never happened", fault.name());
        }
    }
}

/// The path of the stream whose reads meet this fault.
fn path(fault: &Fault) -> String {
    format!("/v1/stream/{}", fault.name().replace(' ', "-"))
}

/// Reads that meet silence while others write are answered in the end, and with no other bytes.
async fn reads_that_stall(reader: &Instance, fault: Fault) {
    let (what, path) = (fault.name(), path(&fault));
    let slot = Matcher::get().key_has(&what.replace(' ', "-")).key_ends("1.rec");
    reader.proxy.apply(Rule::new(slot, fault));
    let met = || reader.proxy.seen().iter().any(|seen| seen.verb == Verb::Get && seen.fault == Some(what));
    // Another fault may come first.
    while !met() {
        let answer = Call::get(&path).patient(LIMIT).ask(&reader.streams).await;
        match answer.status.as_u16() {
            200 => assert_eq!(answer.body, what),
            status => {
                assert_eq!((status, answer.error_code().as_deref()), (503, Some("STORE_UNAVAILABLE")), "{answer}");
            }
        }
    }
    assert_eq!(reader.text(&path).await, what);
}

/// Sends messages, each to the other server than the one before, until enough are acknowledged and every
/// fault has happened. What a key makes safe to repeat is repeated, unchanged.
async fn write(mut writer: Writer, both: &[Streams; 2], dealt: impl Fn() -> bool) -> Writer {
    let mut acknowledged = 0;
    for turn in 0.. {
        match writer.step(&both[turn % 2]).await {
            Fate::Acknowledged(_) => acknowledged += 1,
            Fate::Refused | Fate::Unknown => wait::back_off(1).await,
        }
        if acknowledged >= MESSAGES && !writer.is_pending() && dealt() {
            return writer;
        }
    }
    writer
}
