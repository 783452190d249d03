//! What a row is shown by: requests to a stream, and what they are answered.

use std::time::Duration;

use crate::harness::{Service, Stream};

/// A request and its answer, as the harness writes them; or time that passes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Asks, and checks the answer.
    Ask(&'static str, &'static str),
    /// So many seconds pass, for the bucket and for the process.
    Pass(u64),
}

/// The steps that show a row, on a new stream `{s}` of text that holds `abc`.
pub(super) struct Shown {
    pub(super) heading: &'static str,
    /// How the row begins: its first cells, as far as they tell it from others.
    pub(super) begins: &'static [&'static str],
    pub(super) steps: &'static [Step],
}

pub(super) const fn shown(heading: &'static str, begins: &'static [&'static str], steps: &'static [Step]) -> Shown {
    Shown { heading, begins, steps }
}

/// Takes the steps, one after the other.
pub(super) async fn take(service: &Service, stream: &Stream<'_>, steps: &[Step]) {
    for step in steps {
        match *step {
            Step::Ask(request, expected) => drop(stream.expect(request, expected).await),
            Step::Pass(seconds) => pass(service, seconds).await,
        }
    }
}

/// Lets time pass on every clock. A test that does has paused its own.
pub(super) async fn pass(service: &Service, seconds: u64) {
    tokio::time::advance(Duration::from_secs(seconds)).await;
    service.pass_seconds(seconds);
}
