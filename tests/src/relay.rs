//! A relay of TCP connections that counts the requests passing through it and can cut
//! connections off.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::server::Address;

/// Bytes passed on at once.
const PIECE_BYTES: usize = 16 * 1024;

/// A relay to one server. Dropping it ends it, and every connection through it.
#[derive(Debug)]
pub struct Relay {
    address: Address,
    seen: Arc<Mutex<Seen>>,
    accepting: JoinHandle<()>,
}

/// What passed through a relay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Connections that were cut off.
    pub cuts: usize,
    /// How many requests of each method there were.
    pub requests: BTreeMap<String, usize>,
}

impl Seen {
    /// How many requests of a method there were.
    pub fn count(&self, method: &str) -> usize {
        self.requests.get(method).copied().unwrap_or_default()
    }
}

impl Relay {
    /// A relay to the server at a URL of http. The answers on a connection are cut off after so many
    /// bytes: the first on the first connection, and so on, again and again; with none, never.
    pub async fn start(url: &str, cuts_bytes: &'static [usize]) -> Self {
        let target = host_of(url).to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = Address::at(&format!("http://{}", listener.local_addr().expect("an address")));
        let seen = Arc::new(Mutex::new(Seen::default()));
        let accepting = tokio::spawn(accept(listener, target, cuts_bytes, seen.clone()));
        Self { address, seen, accepting }
    }

    /// Where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What passed through it so far.
    pub fn seen(&self) -> Seen {
        lock(&self.seen).clone()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The host and port in a URL.
pub fn host_of(url: &str) -> &str {
    let host = url.strip_prefix("http://").unwrap_or_else(|| panic!("{url} is no URL of http"));
    host.split('/').next().unwrap_or_default()
}

fn lock(seen: &Mutex<Seen>) -> std::sync::MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, target: String, cuts_bytes: &'static [usize], seen: Arc<Mutex<Seen>>) {
    // Connections end with the relay: dropping the set aborts them.
    let mut connections = tokio::task::JoinSet::new();
    let mut allowances = cuts_bytes.iter().cycle();
    while let Ok((near, _)) = listener.accept().await {
        let allowance = allowances.next().copied().unwrap_or(usize::MAX);
        let (target, seen) = (target.clone(), seen.clone());
        connections.spawn(async move {
            // A connection that breaks is what relays are for; both its ends see it.
            let _ = forward(near, &target, allowance, &seen).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Passes on what comes from either side, until one of them ends or the allowance is used up.
async fn forward(
    mut near: TcpStream,
    target: &str,
    mut allowance: usize,
    seen: &Mutex<Seen>,
) -> Result<(), std::io::Error> {
    let mut far = TcpStream::connect(target).await?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let (mut up, mut down) = (vec![0; PIECE_BYTES], vec![0; PIECE_BYTES]);
    // A client waits for its answer before it asks again: what it sends after an answer is a request.
    let mut begins = true;
    loop {
        tokio::select! {
            read = near.read(&mut up) => {
                let sent = &up[..read?];
                if std::mem::take(&mut begins) {
                    count(sent, seen);
                }
                if sent.is_empty() {
                    return Ok(());
                }
                far.write_all(sent).await?;
            }
            read = far.read(&mut down) => {
                let answered = &down[..read?];
                if answered.is_empty() {
                    return Ok(());
                }
                begins = true;
                near.write_all(&answered[..answered.len().min(allowance)]).await?;
                if answered.len() >= allowance {
                    lock(seen).cuts += 1;
                    return Ok(());
                }
                allowance -= answered.len();
            }
        }
    }
}

/// Counts the request that begins with these bytes.
fn count(begin: &[u8], seen: &Mutex<Seen>) {
    let method: String = begin.iter().map(|&byte| char::from(byte)).take_while(char::is_ascii_uppercase).collect();
    if !method.is_empty() {
        *lock(seen).requests.entry(method).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::{Relay, host_of};

    /// Answers every request with ten bytes.
    async fn ten_bytes() -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/below", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut request = [0; 1000];
                    while socket.read(&mut request).await.is_ok_and(|read| read > 0) {
                        let _ = socket.write_all(b"0123456789").await;
                    }
                });
            }
        });
        url
    }

    #[tokio::test]
    async fn requests_are_counted_and_connections_cut_off_in_turn() {
        let relay = Relay::start(&ten_bytes().await, &[15, 100]).await;
        for (expected, cuts) in [(15, 1), (50, 1)] {
            let mut socket = tokio::net::TcpStream::connect(host_of(&relay.address().url())).await.expect("a relay");
            let mut answers = Vec::new();
            for request in ["GET /a", "PUT /b", "GET /c", "HEAD /", "GET /"] {
                let _ = socket.write_all(request.as_bytes()).await;
                let mut answer = [0; 10];
                let mut read = 0;
                while read < 10 {
                    match socket.read(&mut answer[read..]).await {
                        Ok(more) if more > 0 => read += more,
                        _ => break,
                    }
                }
                answers.extend_from_slice(&answer[..read]);
            }
            assert_eq!((answers.len(), relay.seen().cuts), (expected, cuts));
        }
        let seen = relay.seen();
        assert_eq!((seen.count("GET"), seen.count("PUT"), seen.count("HEAD"), seen.count("POST")), (4, 2, 1, 0));
    }
}
