//! A thousand readers of one stream in one process: what they cost, and what an idle minute costs.

use std::{
    collections::BTreeMap,
    process::Command,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use wadi_tests::{
    answer::Append,
    bucket::Bucket,
    http::Streams,
    messages::{Kind, Stream},
    process::Process,
    proxy::Proxy,
    report,
    server::{Launch, Server},
    wait,
};

const SUBSCRIBERS: usize = 1000;

/// Messages written through the readers' own process, and as many through another.
const MESSAGES: usize = 20;

/// The pause between two messages, so that one is told to all before the next comes.
const PAUSE: Duration = Duration::from_millis(250);

/// After a message the bucket is asked more often, for about so long.
const SETTLING: Duration = Duration::from_secs(3);

const IDLE: Duration = Duration::from_mins(1);

/// What an idle minute may cost: a GET a second, and one for where it begins and ends.
const IDLE_GETS_MAX: usize = 61;

/// A server whose requests to the bucket are counted.
async fn counted(bucket: &Bucket) -> (Server, Proxy) {
    let proxy = Proxy::before(bucket).await;
    // Longer than the test: a reader that comes back asks anew what is in the bucket.
    let launch = Launch::on_s3(proxy.bucket()).arg("--sse-lifetime").arg("10m");
    (launch.start().await, proxy)
}

/// The requests since they were last counted, by method.
fn count(proxy: &Proxy) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for seen in proxy.seen() {
        *counts.entry(format!("{:?}", seen.verb)).or_default() += 1;
    }
    proxy.forget();
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_get_every_message_in_order_and_cost_no_more_than_one() {
    let bucket = Bucket::fresh("subscribers");
    let (many, requests_of_many) = counted(&bucket).await;
    let (one, requests_of_one) = counted(&bucket).await;
    let other = Launch::on_s3(&bucket).start().await;
    let stream = Stream::new("followed-by-many", Kind::Json);
    let alone = Stream::new("followed-by-one", Kind::Json);
    other.streams().create(&stream).await;
    other.streams().create(&alone).await;

    let _single = one.streams().follow(&alone, "-1").await;
    let before = many.resident_bytes();
    let mut readers = readers_of(&many, &stream);
    readers.stdout_line("ready", wait::LIMIT).await;
    let opened = many.resident_bytes();

    count(&requests_of_many);
    write(&many.streams(), &stream, "here", 0).await;
    write(&other.streams(), &stream, "there", MESSAGES).await;
    readers.stdout_line("delivered", wait::LIMIT).await;
    let delivery = count(&requests_of_many);
    let after = many.resident_bytes();
    let each = |bytes: u64| (bytes.saturating_sub(before)) / SUBSCRIBERS as u64;
    report::say(&format!(
        "{SUBSCRIBERS} subscribers: {} bytes each when opened, {} after messages",
        each(opened),
        each(after)
    ));
    for line in readers.stdout().iter().filter(|line| line.contains("deliveries")) {
        report::say(line);
    }
    report::say(&format!("requests to the bucket meanwhile: {delivery:?}"));
    assert!(delivery["Get"] < SUBSCRIBERS, "the readers do not share what is read: {delivery:?}");

    tokio::time::sleep(SETTLING).await;
    count(&requests_of_one);
    count(&requests_of_many);
    tokio::time::sleep(IDLE).await;
    for (readers, cost) in [(1, count(&requests_of_one)), (SUBSCRIBERS, count(&requests_of_many))] {
        report::say(&format!("an idle minute of {readers} subscribers: {cost:?}"));
        assert!(cost.get("Get").is_some_and(|&gets| gets <= IDLE_GETS_MAX), "{readers} subscribers: {cost:?}");
        assert_eq!(cost.len(), 1, "nothing but GETs: {cost:?}");
    }
    assert!(readers.ended().is_none(), "the readers are still there");
}

fn readers_of(server: &Server, stream: &Stream) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_subscribers"));
    command.arg(format!("{}{}", server.address().url(), stream.path));
    command.args([SUBSCRIBERS, MESSAGES * 2].map(|number| number.to_string()));
    Process::spawn("subscribers", command)
}

/// Writes the messages of a group, numbered from `first`.
async fn write(via: &Streams, stream: &Stream, group: &str, first: usize) {
    for number in first..first + MESSAGES {
        let sent = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970").as_micros();
        let appended = via.append(stream, &format!("{group} {number} {sent}")).await;
        assert!(matches!(appended, Append::Applied { .. }), "{appended:?}");
        tokio::time::sleep(PAUSE).await;
    }
}
