//! Writers among faults of every kind.

use std::time::Duration;

use futures::future::join_all;
use wadi_tests::{
    http::Streams,
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    proxy::{Deck, Fault},
    wait,
    writer::Writer,
};

use crate::instance::two;

/// The order of the faults.
const SEED: u64 = 20_260_101;

/// Faults of each kind that is noticed at once, for each process.
const QUICK: usize = 6;

/// Messages that each writer has acknowledged, at least.
const MESSAGES: usize = 100;

/// How long all of it may take.
const LIMIT: Duration = Duration::from_mins(3);

fn faults() -> Vec<Fault> {
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
    let silent = [Fault::StalledRequest, Fault::StalledAnswer];
    quick.into_iter().flat_map(|fault| vec![fault; QUICK]).chain(silent).collect()
}

/// See: <https://github.com/aws/aws-sdk-java-v2/issues/6580>, <https://github.com/electric-sql/electric/pull/4710>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn appends_apply_exactly_once_under_every_fault() {
    let instances = two("every-fault").await;
    let stream = Stream::new("fire", Kind::Lines);
    instances[0].streams.create(&stream).await;
    for (seed, instance) in (SEED..).zip(&instances) {
        instance.proxy.forget();
        instance.proxy.deal(Deck::shuffled(faults(), 3, seed));
    }
    let both = [instances[0].streams.clone(), instances[1].streams.clone()];
    let dealt = || instances.iter().all(|instance| instance.proxy.undealt() == 0);
    let writers = [Writer::keyed(&stream, "keyed"), Writer::unkeyed(&stream, "plain")];
    let writing = join_all(writers.into_iter().map(|writer| write(writer, &both, dealt)));
    let writers = tokio::time::timeout(LIMIT, writing).await.expect("the writers get through in time");

    let here = stream.messages(&both[0].read_all(&stream).await);
    let there = stream.messages(&both[1].read_all(&stream).await);
    assert_eq!(here, there);
    let sent: Vec<&[Sent]> = writers.iter().map(Writer::sent).collect();
    ledger::check(&stream.path, &here, &sent);
    for instance in &instances {
        let seen = instance.proxy.seen();
        for fault in faults() {
            assert!(seen.iter().any(|seen| seen.fault == Some(fault.name())), "{} never happened", fault.name());
        }
    }
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
