//! What one trial measured, and what several come to.

use std::time::Duration;

use serde::Serialize;

use crate::requests::Requests;

/// One operation that succeeded or was refused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Whether it was acknowledged.
    pub(crate) acknowledged: bool,
    /// What counts of it: 1, or the bytes that were read.
    pub(crate) amount: u64,
    /// What it asked of the store, as far as its answer tells.
    pub(crate) requests: Requests,
    /// How long after its beginning the first byte of a body was there, where that is measured.
    pub(crate) first_byte: Option<Duration>,
}

/// What one trial measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// How long each operation took, in microseconds.
    pub(crate) micros: Vec<u32>,
    /// How long the first byte took of those operations of which that is known, in microseconds.
    pub(crate) first_byte_micros: Vec<u32>,
    /// How long the trial took.
    pub(crate) elapsed: Duration,
    /// The sum of what counts.
    pub(crate) amount: u64,
    /// Operations that were not acknowledged.
    pub(crate) refused: u64,
    /// Requests to the store.
    pub(crate) requests: Requests,
    /// Processor time of the server under test.
    pub(crate) processor: Option<Duration>,
}

/// A latency, in milliseconds: the median over trials of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Latency {
    /// Of half the operations at most.
    pub(crate) p50_millis: f64,
    /// What one operation in a hundred exceeds.
    pub(crate) p99_millis: f64,
}

/// What several trials come to: medians over them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Figures {
    /// What counts, a second.
    pub(crate) per_second: f64,
    /// Median latency in milliseconds.
    pub(crate) p50_millis: f64,
    /// The latency in milliseconds that one operation in a hundred exceeds.
    pub(crate) p99_millis: f64,
    /// Until the first byte of a body, where that was measured.
    pub(crate) first_byte: Option<Latency>,
    /// Operations in all trials.
    pub(crate) operations: u64,
    /// Those that were not acknowledged.
    pub(crate) refused: u64,
    /// Writes and listings of the store in an operation, where known.
    pub(crate) puts_per_operation: f64,
    /// Reads of the store in an operation, where known.
    pub(crate) gets_per_operation: f64,
    /// Processor time of the server in an operation, in microseconds.
    pub(crate) processor_micros: Option<f64>,
}

impl Step {
    /// One that was acknowledged.
    pub(crate) fn done(amount: u64, requests: Requests) -> Self {
        Self { acknowledged: true, amount, requests, first_byte: None }
    }
}

impl Sample {
    /// Notes an operation.
    pub(crate) fn note(&mut self, step: Step, took: Duration) {
        self.requests += step.requests;
        if step.acknowledged {
            self.amount += step.amount;
            self.micros.push(micros(took));
            self.first_byte_micros.extend(step.first_byte.map(micros));
        } else {
            self.refused += 1;
        }
    }

    /// Takes in what went on beside it.
    pub(crate) fn merge(&mut self, other: Self) {
        self.micros.extend(other.micros);
        self.first_byte_micros.extend(other.first_byte_micros);
        self.amount += other.amount;
        self.refused += other.refused;
        self.requests += other.requests;
        self.elapsed = self.elapsed.max(other.elapsed);
    }

    /// Operations that were tried.
    pub(crate) fn operations(&self) -> u64 {
        self.micros.len() as u64 + self.refused
    }
}

/// The latency at a share of the operations, 0 to 1, in milliseconds. `micros` must be sorted.
fn quantile_millis(micros: &[u32], share: f64) -> f64 {
    let Some(last) = micros.len().checked_sub(1) else { return 0.0 };
    #[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "between 0 and the last index")]
    let index = (count(last as u64) * share).round() as usize;
    f64::from(micros[index.min(last)]) / 1000.0
}

fn micros(took: Duration) -> u32 {
    u32::try_from(took.as_micros()).unwrap_or(u32::MAX)
}

impl Figures {
    /// The medians over the trials.
    pub(crate) fn of(mut samples: Vec<Sample>) -> Self {
        for sample in &mut samples {
            sample.micros.sort_unstable();
            sample.first_byte_micros.sort_unstable();
        }
        let over = |figure: &dyn Fn(&Sample) -> f64| median(samples.iter().map(figure).collect());
        let operations: u64 = samples.iter().map(Sample::operations).sum();
        let each = |total: u64| count(total) / count(operations.max(1));
        let known = samples.iter().all(|sample| sample.processor.is_some());
        let first_byte = Latency {
            p50_millis: over(&|sample| quantile_millis(&sample.first_byte_micros, 0.5)),
            p99_millis: over(&|sample| quantile_millis(&sample.first_byte_micros, 0.99)),
        };
        let processor = samples.iter().filter_map(|sample| sample.processor).sum::<Duration>();
        Self {
            per_second: over(&|sample| count(sample.amount) / sample.elapsed.as_secs_f64().max(1e-9)),
            p50_millis: over(&|sample| quantile_millis(&sample.micros, 0.5)),
            p99_millis: over(&|sample| quantile_millis(&sample.micros, 0.99)),
            first_byte: samples.iter().all(|sample| !sample.first_byte_micros.is_empty()).then_some(first_byte),
            operations,
            refused: samples.iter().map(|sample| sample.refused).sum(),
            puts_per_operation: each(samples.iter().map(|sample| sample.requests.put).sum()),
            gets_per_operation: each(samples.iter().map(|sample| sample.requests.get).sum()),
            processor_micros: known.then(|| processor.as_secs_f64() * 1e6 / count(operations.max(1))),
        }
    }
}

/// A count as a number to divide.
#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are far below 2^52")]
pub(crate) fn count(number: u64) -> f64 {
    number as f64
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(micros: &[u32], millis: u64) -> Sample {
        let mut sample = Sample { elapsed: Duration::from_millis(millis), ..Sample::default() };
        for each in micros {
            sample.note(Step::done(2, Requests::ONE_PUT), Duration::from_micros(u64::from(*each)));
        }
        sample
    }

    #[test]
    fn figures_are_medians_over_the_trials() {
        let mut refused = sample(&[1000, 3000, 2000], 1000);
        let none = Step { acknowledged: false, ..Step::done(2, Requests::ONE_PUT) };
        refused.note(none, Duration::from_secs(9));
        let figures = Figures::of(vec![sample(&[100], 1000), refused, sample(&[5000; 10], 1000)]);
        assert_eq!((figures.per_second, figures.p50_millis, figures.p99_millis), (6.0, 2.0, 3.0));
        assert_eq!((figures.operations, figures.refused), (15, 1));
        assert_eq!((figures.puts_per_operation, figures.gets_per_operation), (1.0, 0.0));
        assert_eq!((figures.processor_micros, figures.first_byte), (None, None));
    }

    #[test]
    fn the_first_byte_is_told_where_every_trial_measured_it() {
        let step = |first_byte| Step { first_byte, ..Step::done(1, Requests::ONE_GET) };
        let mut early = Sample::default();
        early.note(step(Some(Duration::from_millis(1))), Duration::from_millis(9));
        let mut unknown = Sample::default();
        unknown.note(step(None), Duration::from_millis(9));
        let told = Figures::of(vec![early.clone()]).first_byte;
        assert_eq!(told, Some(Latency { p50_millis: 1.0, p99_millis: 1.0 }));
        assert_eq!(Figures::of(vec![early, unknown]).first_byte, None);
    }

    #[test]
    fn nothing_measured_is_no_division_by_zero() {
        assert_eq!(Figures::of(vec![Sample::default()]).per_second, 0.0);
    }
}
