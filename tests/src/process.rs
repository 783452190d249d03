//! A child process whose output is kept, and which does not outlive its handle.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
    time::Duration,
};

use crate::wait;

/// A running child process. Dropping it kills it; a failing test then shows its output.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    output: Output,
    readers: Vec<JoinHandle<()>>,
}

/// Which pipe a line came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pipe {
    Stdout,
    Stderr,
}

/// The lines a process printed so far, in the order they arrived.
#[derive(Clone, Debug, Default)]
struct Output(Arc<Mutex<Vec<(Pipe, String)>>>);

impl Output {
    fn push(&self, pipe: Pipe, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((pipe, line));
    }

    fn lines(&self, of: impl Fn(Pipe) -> bool) -> Vec<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|(pipe, _)| of(*pipe)).map(|(_, line)| line.clone()).collect()
    }
}

impl Process {
    /// Starts `command` with empty input and its output captured.
    pub fn spawn(name: &str, mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name} does not start: {error}: {command:?}"));
        let output = Output::default();
        let readers = vec![
            read_lines(child.stdout.take().expect("stdout is piped"), Pipe::Stdout, &output),
            read_lines(child.stderr.take().expect("stderr is piped"), Pipe::Stderr, &output),
        ];
        Self { name: name.to_owned(), child, output, readers }
    }

    /// What it printed on its standard output so far.
    pub fn stdout(&self) -> Vec<String> {
        self.output.lines(|pipe| pipe == Pipe::Stdout)
    }

    /// All it printed so far, in the order it arrived.
    pub fn transcript(&self) -> String {
        self.output.lines(|_| true).join("\n")
    }

    /// Waits for a line on standard output that contains `text`; panics if the process ends first.
    pub async fn stdout_line(&mut self, text: &str, limit: Duration) -> String {
        let what = format!("{} prints a line with `{text}`", self.name);
        wait::until(&what, limit, async || {
            let ended = self.ended();
            let line = self.stdout().into_iter().find(|line| line.contains(text));
            assert!(line.is_some() || ended.is_none(), "{} ended before it printed `{text}`: {ended:?}", self.name);
            line
        })
        .await
    }

    /// The memory it has, in bytes, as Linux counts it.
    pub fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a running process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its resident memory");
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number of kB");
        kibibytes * 1024
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has; its output is then complete.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        let status = self.child.try_wait().expect("the state of a child process")?;
        for reader in self.readers.drain(..) {
            reader.join().expect("a reader of a child's output does not panic");
        }
        Some(status)
    }

    /// Waits for it to end by itself.
    pub async fn exit(&mut self, limit: Duration) -> ExitStatus {
        let what = format!("{} ends", self.name);
        wait::until(&what, limit, async || self.ended()).await
    }

    /// Asks it to end (SIGTERM).
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// The most memory that it has taken so far, in MiB, as the system counts it.
    pub fn memory_peak_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process that runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).expect("a number of KiB") / 1024
    }

    /// Stops it where it is (SIGSTOP), as a machine that is suspended does.
    pub fn suspend(&self) {
        self.signal("STOP");
    }

    /// Lets it go on (SIGCONT).
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(status.expect("`kill` runs").success(), "{} takes no SIG{name}", self.name);
    }

    /// Kills it (SIGKILL), and returns once it is gone.
    pub fn kill_9(&mut self) {
        self.child.kill().expect("a child process can be killed");
        self.child.wait().expect("a killed child process ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- output of {} ---\n{}\n---", self.name, self.transcript());
        }
    }
}

/// The processor time that all threads of a process have used so far; `None` when there is no such process.
pub fn processor_time(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // What precedes the last parenthesis is the program's name, which may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second()).ok()?)
}

/// Collects the lines of one pipe until the process closes it.
fn read_lines(pipe: impl Read + Send + 'static, kind: Pipe, output: &Output) -> JoinHandle<()> {
    let output = output.clone();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            output.push(kind, String::from_utf8_lossy(&line).trim_end().to_owned());
            line.clear();
        }
    })
}
