//! The server under test, as a process of its own.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{bucket::Bucket, http::Streams, process::Process, tools, wait};

/// How a server is to be started.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    args: Vec<String>,
    env: Vec<(String, String)>,
    dir: Option<PathBuf>,
}

/// The URL a server listens on, which changes when it is restarted; clones follow it.
#[derive(Clone, Debug, Default)]
pub struct Address(Arc<Mutex<String>>);

/// A running server. Dropping it kills it.
#[derive(Debug)]
pub struct Server {
    launch: Launch,
    process: Process,
    address: Address,
}

impl Address {
    /// The URL as of now, without a slash at its end.
    pub fn url(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The address of a server that never moves.
    pub(crate) fn at(url: &str) -> Self {
        Self(Arc::new(Mutex::new(url.to_owned())))
    }

    fn set(&self, url: &str) {
        url.clone_into(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Launch {
    /// On the embedded store in `data`.
    pub fn embedded(data: &Path) -> Self {
        Self::default().arg("--store").arg(&data.display().to_string())
    }

    /// On a prefix of the test bucket.
    pub fn on_s3(bucket: &Bucket) -> Self {
        Self::default().arg("--store").arg(&bucket.store).arg("--endpoint").arg(&bucket.endpoint)
    }

    /// With one more argument.
    #[must_use]
    pub fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.to_owned());
        self
    }

    /// With one more environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// In this working directory.
    #[must_use]
    pub fn in_dir(mut self, dir: &Path) -> Self {
        self.dir = Some(dir.to_owned());
        self
    }

    /// The command line: a free port, and no setting of Wadi's taken from the environment around.
    pub fn command(&self) -> Command {
        let mut command = self.bare_command();
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(&self.args);
        command
    }

    /// Another command of the same program on the same store.
    pub fn tool(&self, args: &[&str]) -> Command {
        let mut command = self.bare_command();
        command.args(args).args(&self.args);
        command
    }

    /// The program without what the environment of the tests says to it.
    fn bare_command(&self) -> Command {
        let mut command = Command::new(tools::wadi());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("WADI_") {
                command.env_remove(name);
            }
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }

    /// Starts it and waits until it is ready.
    pub async fn start(self) -> Server {
        let mut server = self.start_listening().await;
        server.wait_until_ready().await;
        server
    }

    /// Starts it and waits until it listens, ready or not.
    pub async fn start_listening(self) -> Server {
        let process = Process::spawn("wadi serve", self.command());
        let mut server = Server { launch: self, process, address: Address::default() };
        server.wait_until_listening().await;
        server
    }
}

impl Server {
    /// The URL it listens on, followed across restarts.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// A client of this server.
    pub fn streams(&self) -> Streams {
        Streams::new(&self.address)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// What it printed on its standard output so far.
    pub fn stdout(&self) -> Vec<String> {
        self.process.stdout()
    }

    /// The most memory that it has taken so far, in MiB.
    pub fn memory_peak_mib(&self) -> u64 {
        self.process.memory_peak_mib()
    }

    /// The memory it has, in bytes, as Linux counts it.
    pub fn resident_bytes(&self) -> u64 {
        self.process.resident_bytes()
    }

    /// Kills it (SIGKILL).
    pub fn kill_9(&mut self) {
        self.process.kill_9();
    }

    /// All it printed so far.
    pub fn transcript(&self) -> String {
        self.process.transcript()
    }

    /// Stops it where it is (SIGSTOP).
    pub fn suspend(&self) {
        self.process.suspend();
    }

    /// Lets it go on (SIGCONT).
    pub fn resume(&self) {
        self.process.resume();
    }

    /// Asks it to end (SIGTERM), without waiting.
    pub fn terminate(&self) {
        self.process.terminate();
    }

    /// Waits for it to end.
    pub async fn exit(&mut self) -> ExitStatus {
        self.process.exit(wait::LIMIT).await
    }

    /// Asks it to end, and waits for it.
    pub async fn stop(&mut self) -> ExitStatus {
        self.terminate();
        self.exit().await
    }

    /// Starts it anew, as it was started before, after it has ended.
    pub async fn restart(&mut self) {
        assert!(self.process.ended().is_some(), "a server is restarted after it has ended");
        self.process = Process::spawn("wadi serve", self.launch.command());
        self.wait_until_listening().await;
        self.wait_until_ready().await;
    }

    async fn wait_until_listening(&mut self) {
        let line = self.process.stdout_line("listening on http://", wait::LIMIT).await;
        self.address.set(url_in(&line));
    }

    async fn wait_until_ready(&mut self) {
        let http = reqwest::Client::builder().no_proxy().build().expect("an HTTP client");
        let url = format!("{}/readyz", self.address.url());
        wait::until("the server is ready", wait::LIMIT, async || {
            assert!(self.process.ended().is_none(), "the server ended before it was ready");
            let answer = http.get(&url).timeout(wait::LIMIT).send().await.ok()?;
            answer.status().is_success().then_some(())
        })
        .await;
    }
}

/// The first `http://` URL in a line, without a slash at its end.
fn url_in(line: &str) -> &str {
    let start = line.find("http://").expect("a line with a URL");
    let url = line[start..].split_whitespace().next().unwrap_or_default();
    url.trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::url_in;

    #[test]
    fn the_url_is_cut_out_of_the_line() {
        assert_eq!(url_in("wadi is listening on http://127.0.0.1:4437/ now"), "http://127.0.0.1:4437");
        assert_eq!(url_in("listening on http://127.0.0.1:1"), "http://127.0.0.1:1");
    }
}
