//! A process that is killed while its writes are held or their answers lost on the way.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::task::JoinHandle;
use wadi_tests::{
    http::Streams,
    ledger::{self, Fate, Sent},
    messages::{Kind, Stream},
    proxy::{Fault, Gate, Matcher, Rule},
    wait,
    writer::Writer,
};

use crate::instance::{Instance, two};

/// How many times the process is killed.
const KILLS: usize = 6;

/// Writers with and without a key, each.
const WRITERS: usize = 2;

/// See: <https://github.com/electric-sql/electric/pull/4675>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_process_left_on_the_way_harms_nothing() {
    let [mut one, two] = two("killed").await;
    let stream = Stream::new("killed", Kind::Lines);
    one.streams.create(&stream).await;
    let mut witness = Writer::unkeyed(&stream, "witness");
    let mut writers: Vec<Writer> = (0..WRITERS)
        .flat_map(|number| {
            [Writer::keyed(&stream, &format!("keyed{number}")), Writer::unkeyed(&stream, &format!("plain{number}"))]
        })
        .collect();
    let mut before = Vec::new();
    for kill in 0..KILLS {
        writers = one_life(&mut one, writers, kill, async || {
            for _ in 0..kill % 2 {
                assert!(matches!(witness.step(&two.streams).await, Fate::Acknowledged(_)));
            }
        })
        .await;
        let found = check(&[&one, &two], &stream, writers.iter().chain([&witness])).await;
        assert!(found.starts_with(&before), "the stream changed where it had been read before");
        before = found;
        for writer in writers.iter_mut().filter(|writer| writer.is_pending()) {
            wait::until("a repeated append is acknowledged", wait::LIMIT, async || {
                matches!(writer.step(&two.streams).await, Fate::Acknowledged(_)).then_some(())
            })
            .await;
        }
    }
    let found = check(&[&one, &two], &stream, writers.iter().chain([&witness])).await;
    assert!(found.len() >= KILLS, "{found:?}");
}

/// All write through the process; then a record is held (or its answer, or both are lost), the process
/// is killed, others do `meanwhile`, and what was held arrives.
async fn one_life(one: &mut Instance, writers: Vec<Writer>, kill: usize, meanwhile: impl AsyncFnOnce()) -> Vec<Writer> {
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<JoinHandle<Writer>> = writers
        .into_iter()
        .map(|writer| tokio::spawn(write_until_gone(writer, one.streams.clone(), acknowledged.clone())))
        .collect();
    wait::until("some appends are acknowledged", wait::LIMIT, async || {
        (acknowledged.load(Ordering::Relaxed) >= kill).then_some(())
    })
    .await;
    let gate = Gate::default();
    match kill % 3 {
        0 => one.proxy.apply(Rule::new(Matcher::record(), Fault::HoldAnswer(gate.clone()))),
        1 => one.proxy.apply(Rule::new(Matcher::record(), Fault::Hold(gate.clone()))),
        _ => {
            one.proxy.apply(Rule::new(Matcher::record(), Fault::Hold(gate.clone())).after(2));
            one.proxy.apply(Rule::new(Matcher::record(), Fault::AnswerLost).times(2));
        }
    }
    gate.arrived().await;
    one.server.kill_9();
    let mut back = Vec::new();
    for task in tasks {
        back.push(task.await.expect("a writer does not fail"));
    }
    meanwhile().await;
    gate.open().await;
    one.proxy.heal();
    one.server.restart().await;
    back
}

async fn write_until_gone(mut writer: Writer, via: Streams, acknowledged: Arc<AtomicUsize>) -> Writer {
    loop {
        match writer.step(&via).await {
            Fate::Acknowledged(_) => {
                acknowledged.fetch_add(1, Ordering::Relaxed);
            }
            Fate::Refused => wait::back_off(0).await,
            Fate::Unknown => return writer,
        }
    }
}

/// Holds what both say against the ledgers.
async fn check<'a>(both: &[&Instance; 2], stream: &Stream, writers: impl Iterator<Item = &'a Writer>) -> Vec<String> {
    let sent: Vec<&[Sent]> = writers.map(Writer::sent).collect();
    let found = stream.messages(&both[0].streams.read_all(stream).await);
    assert_eq!(found, stream.messages(&both[1].streams.read_all(stream).await), "both say the same");
    ledger::check(&stream.path, &found, &sent);
    found
}
