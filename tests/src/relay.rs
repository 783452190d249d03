//! A relay of TCP connections that cuts them off.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

use crate::server::Address;

/// Bytes passed on at once.
const PIECE_BYTES: usize = 16 * 1024;

/// A relay to one server. Dropping it ends it, and every connection through it.
#[derive(Debug)]
pub struct Relay {
    address: Address,
    cuts: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Relay {
    /// A relay to the server at a URL of http. The answers on a connection are cut off after so many
    /// bytes: the first on the first connection, and so on, again and again.
    pub async fn start(url: &str, cuts_bytes: &'static [usize]) -> Self {
        let target = host_of(url).to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = Address::at(&format!("http://{}", listener.local_addr().expect("an address")));
        let cuts = Arc::new(AtomicUsize::new(0));
        let accepting = tokio::spawn(accept(listener, target, cuts_bytes, cuts.clone()));
        Self { address, cuts, accepting }
    }

    /// Where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// How many connections it has cut off.
    pub fn cuts(&self) -> usize {
        self.cuts.load(Ordering::Relaxed)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// The host and port in a URL.
fn host_of(url: &str) -> &str {
    let host = url.strip_prefix("http://").unwrap_or_else(|| panic!("{url} is no URL of http"));
    host.split('/').next().unwrap_or_default()
}

async fn accept(listener: TcpListener, target: String, cuts_bytes: &'static [usize], cuts: Arc<AtomicUsize>) {
    // Connections end with the relay: dropping the set aborts them.
    let mut connections = JoinSet::new();
    let mut allowances = cuts_bytes.iter().cycle();
    while let Ok((near, _)) = listener.accept().await {
        let allowance = allowances.next().copied().unwrap_or(usize::MAX);
        let (target, cuts) = (target.clone(), cuts.clone());
        connections.spawn(async move {
            // A connection that breaks is what relays are for; both its ends see it.
            let _ = forward(near, &target, allowance, &cuts).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

/// Passes on what comes from either side, until one of them ends or the allowance is used up.
async fn forward(
    mut near: TcpStream,
    target: &str,
    mut allowance: usize,
    cuts: &AtomicUsize,
) -> Result<(), std::io::Error> {
    let mut far = TcpStream::connect(target).await?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let (mut up, mut down) = (vec![0; PIECE_BYTES], vec![0; PIECE_BYTES]);
    loop {
        tokio::select! {
            read = near.read(&mut up) => match read? {
                0 => return Ok(()),
                read => far.write_all(&up[..read]).await?,
            },
            read = far.read(&mut down) => match read? {
                0 => return Ok(()),
                read => {
                    near.write_all(&down[..read.min(allowance)]).await?;
                    if read >= allowance {
                        cuts.fetch_add(1, Ordering::Relaxed);
                        return Ok(());
                    }
                    allowance -= read;
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    use super::{Relay, host_of};

    /// Answers every connection with fifty bytes.
    async fn fifty_bytes() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/below", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let _ = socket.write_all(&[7; 50]).await;
            }
        });
        url
    }

    #[tokio::test]
    async fn connections_are_cut_off_in_turn() {
        let relay = Relay::start(&fifty_bytes().await, &[15, 100]).await;
        for (expected, cuts) in [(15, 1), (50, 1), (15, 2)] {
            let mut socket = TcpStream::connect(host_of(&relay.address().url())).await.expect("a relay");
            let mut answer = Vec::new();
            socket.read_to_end(&mut answer).await.expect("an end, not a reset");
            assert_eq!((answer.len(), relay.cuts()), (expected, cuts));
        }
    }
}
