//! Measures the embedded store on this machine: writes, reads, growth and the time of a start after a crash.
//!
//! `cargo run --release -p wadi-store --example embedded_bench -- DIRECTORY` (which must not exist yet).
#![allow(clippy::unwrap_used, clippy::cast_precision_loss)]

use std::{
    fs,
    io::Write,
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{Clock, EmbeddedStore, GetOptions, NewObject, ObjectKey, ObjectStore, PutCondition, PutOutcome};

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// Name, concurrent writers, writes of each, bytes of each.
const WRITES: [(&str, usize, usize, usize); 6] = [
    ("1 writer, 1 KiB", 1, 4000, KIB),
    ("64 writers, 1 KiB", 64, 1500, KIB),
    ("500 writers, 1 KiB", 500, 300, KIB),
    ("64 writers, 64 KiB", 64, 20, 64 * KIB),
    ("1 writer, 8 MiB", 1, 25, 8 * MIB),
    ("4 writers, 8 MiB", 4, 8, 8 * MIB),
];

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().unwrap_or_else(|| "/tmp/wadi-embedded-bench".to_owned());
    if arguments.next().is_some() {
        fill(Path::new(&directory)).await;
        std::process::abort();
    }
    for (index, (name, writers, each, bytes)) in WRITES.into_iter().enumerate() {
        measure(&Path::new(&directory).join(index.to_string()), name, writers, each, bytes).await;
    }
    reopen(&Path::new(&directory).join("full"));
}

async fn measure(directory: &Path, name: &str, writers: usize, each: usize, bytes: usize) {
    let store = Arc::new(EmbeddedStore::open(directory, clock()).unwrap());
    let (start, processor_start) = (Instant::now(), processor_seconds());
    let mut times = write(&store, writers, each, bytes).await;
    let (seconds, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - processor_start);
    times.sort();
    let read = Instant::now();
    for step in 0..each {
        store.get(&key(0, step), GetOptions::default()).await.unwrap();
    }
    let read = read.elapsed() / u32::try_from(each).unwrap();
    drop(store);
    let count = times.len();
    say(&format!(
        "{name:20} {:8.0}/s {:7.1} MB/s  p50 {:>10.2?}  p99 {:>10.2?}  processor {:>6.1} us  read {read:>10.2?}  \
         disk x{:.2}",
        count as f64 / seconds,
        (count * bytes) as f64 / seconds / 1e6,
        times[count / 2],
        times[count * 99 / 100],
        processor / count as f64 * 1e6,
        size_on_disk(directory) as f64 / (count * bytes) as f64,
    ));
}

async fn write(store: &Arc<EmbeddedStore>, writers: usize, each: usize, bytes: usize) -> Vec<Duration> {
    let tasks: Vec<_> = (0..writers)
        .map(|writer| {
            let store = Arc::clone(store);
            let body = noise(bytes);
            tokio::spawn(async move {
                let mut times = Vec::with_capacity(each);
                for step in 0..each {
                    let sent = Instant::now();
                    let object = NewObject::from(body.clone());
                    let outcome = store.put(&key(writer, step), object, PutCondition::IfAbsent).await.unwrap();
                    assert!(matches!(outcome, PutOutcome::Stored { .. }));
                    times.push(sent.elapsed());
                }
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.unwrap());
    }
    times
}

/// 100,000 objects of 1 KiB and 250 of 8 MiB, then an end without a close.
async fn fill(directory: &Path) {
    let store = Arc::new(EmbeddedStore::open(directory, clock()).unwrap());
    write(&store, 200, 500, KIB).await;
    let large = noise(8 * MIB);
    for step in 0..250 {
        let key = ObjectKey::new(format!("chunk/{step}"));
        store.put(&key, large.clone().into(), PutCondition::IfAbsent).await.unwrap();
    }
}

fn reopen(directory: &Path) {
    Command::new(std::env::current_exe().unwrap()).arg(directory).arg("fill").status().unwrap();
    for after in ["a crash", "a clean end"] {
        let start = Instant::now();
        let store = EmbeddedStore::open(directory, clock()).unwrap();
        let opened = start.elapsed();
        drop(store);
        let size = size_on_disk(directory) / MIB as u64;
        say(&format!("start after {after}: {opened:.2?} (100,250 objects, {size} MiB on disk)"));
    }
}

fn key(writer: usize, step: usize) -> ObjectKey {
    ObjectKey::new(format!("ds/account/stream-{writer:03}/incarnation/4503599627370496/log/{step:020}.rec"))
}

fn noise(bytes: usize) -> Bytes {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let words = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.flatten().take(bytes).collect::<Vec<u8>>().into()
}

fn size_on_disk(directory: &Path) -> u64 {
    let found = fs::read_dir(directory).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_dir() { size_on_disk(&entry.path()) } else { metadata.len() }
    });
    found.sum()
}

/// Processor time of this process so far, in seconds; nothing where the system does not tell it as Linux does.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name in brackets: user and system time are fields 14 and 15, in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap() / 100.0).sum()
}

fn clock() -> Clock {
    Arc::new(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_millis(u64::try_from(now.as_millis()).unwrap())
    })
}

fn say(line: &str) {
    writeln!(std::io::stdout().lock(), "{line}").unwrap();
}
