//! Creating many streams costs each of them the same few requests.

use std::collections::{HashMap, HashSet};

use futures::{StreamExt, stream};
use wadi_tests::{
    call::Call,
    proxy::{Seen, Verb},
};

use crate::instance::{Instance, two};

/// Streams created, empty ones and ones with first bytes.
const STREAMS: [(&str, &str, usize); 2] = [("empty", "", 300), ("full", "first", 60)];

/// Creates under way at once: all of them, as far as the machine's sockets go.
const AT_ONCE: usize = 150;

/// See: <https://github.com/electric-sql/electric/issues/4703>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn creating_many_streams_shares_nothing() {
    let instances = two("many").await;
    for (name, body, count) in STREAMS {
        for instance in &instances {
            instance.proxy.forget();
        }
        create_all(&instances, name, body, count).await;
        let seen: Vec<Seen> = instances.iter().flat_map(|instance| instance.proxy.seen()).collect();
        check(&seen, name, count, if body.is_empty() { 1 } else { 2 });
    }
}

async fn create_all(instances: &[Instance; 2], name: &str, body: &str, count: usize) {
    let creates = (0..count).map(|number| {
        let call = Call::create(&format!("/v1/stream/{name}/{number:03}"), "text/plain").body(body);
        async move { call.ask(&instances[number % 2].streams).await.status.as_u16() }
    });
    let statuses: Vec<u16> = stream::iter(creates).buffer_unordered(AT_ONCE).collect().await;
    assert!(statuses.iter().all(|status| *status == 201), "{statuses:?}");
}

/// No listing, no key written twice, and so many writes for each stream.
fn check(seen: &[Seen], name: &str, count: usize, writes: usize) {
    let listings: Vec<&Seen> = seen.iter().filter(|seen| seen.verb == Verb::List).collect();
    assert!(listings.is_empty(), "{listings:?}");
    let written: Vec<&str> = seen.iter().filter(|seen| seen.writes()).map(|seen| seen.key.as_str()).collect();
    let keys: HashSet<&str> = written.iter().copied().collect();
    assert_eq!(keys.len(), written.len(), "no key is written by more than one create");
    assert_eq!(written.len(), count * writes);
    let mut of_stream: HashMap<&str, usize> = HashMap::new();
    for key in written {
        let (_, rest) = key.split_once(name).unwrap_or_else(|| panic!("{key} is of no stream"));
        let number = rest.trim_start_matches("%2F").split('/').next().expect("a number");
        *of_stream.entry(number).or_default() += 1;
    }
    assert_eq!(of_stream.len(), count);
    assert!(of_stream.values().all(|written| *written == writes), "{of_stream:?}");
}
