//! What a run was measured on, and when.

use std::{
    fmt, fs,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Serialize;
use wadi_protocol::Timestamp;

/// A machine, as far as figures depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Machine {
    /// When it was looked at, by its own clock.
    at: String,
    /// Processors that a program may use.
    cores: usize,
    /// What they are.
    processor: String,
    /// The version of Linux.
    kernel: String,
    /// Memory, in GiB.
    memory_gib: u64,
}

impl Machine {
    /// This one. What the system does not tell is said to be unknown.
    pub(crate) fn here() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let read = |file| fs::read_to_string(file).unwrap_or_default();
        let kib = field(&read("/proc/meminfo"), "MemTotal").and_then(|memory| memory.split(' ').next()?.parse().ok());
        Self {
            at: Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)).rfc3339(),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            processor: field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown processor".to_owned()),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            memory_gib: kib.unwrap_or(0_u64).div_ceil(1024 * 1024),
        }
    }
}

/// The value of the first line `name: value` of a file of the system.
fn field(file: &str, name: &str) -> Option<String> {
    let mut lines = file.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, cores, processor, kernel, memory_gib } = self;
        write!(f, "{at}, {cores} cores of {processor}, {memory_gib} GiB, Linux {kernel}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_file_of_the_system_is_found() {
        let file = "processor\t: 0\nmodel name\t: A: B\nmodel name\t: C\n";
        assert_eq!(field(file, "model name"), Some("A: B".to_owned()));
        assert_eq!(field(file, "model"), None);
    }

    #[test]
    fn this_machine_is_told_in_one_line() {
        let told = Machine::here().to_string();
        assert!(told.contains(" cores of ") && !told.contains('\n'), "{told}");
    }
}
