//! A closed loop: so many slots, one operation in flight in each.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::{
    failure::Failure,
    processor::Processor,
    sample::{Figures, Sample, Step},
};

/// What does one operation after the other.
pub(crate) trait Slot: Send + 'static {
    /// Does one.
    fn step(&mut self) -> impl Future<Output = Result<Step, Failure>> + Send;
}

/// What is tried against others.
#[async_trait]
pub(crate) trait Contender: Send {
    /// Works for so long, and tells what it came to.
    async fn trial(&mut self, span: Duration) -> Result<Sample, Failure>;
}

/// Slots at work at once.
#[derive(Debug)]
pub(crate) struct Load<S> {
    slots: Vec<S>,
    processor: Option<Processor>,
}

impl<S: Slot> Load<S> {
    /// A load on something without a process of its own, or on a stranger's.
    pub(crate) fn new(slots: Vec<S>) -> Self {
        Self { slots, processor: None }
    }

    /// A load on a process whose time is taken, too.
    pub(crate) fn on(processor: Processor, slots: Vec<S>) -> Self {
        Self { slots, processor: Some(processor) }
    }
}

#[async_trait]
impl<S: Slot> Contender for Load<S> {
    async fn trial(&mut self, span: Duration) -> Result<Sample, Failure> {
        let before = self.processor.map(Processor::used).transpose()?;
        let start = Instant::now();
        let mut running = JoinSet::new();
        for slot in self.slots.drain(..) {
            running.spawn(work(slot, start, span));
        }
        let mut whole = Sample::default();
        while let Some(ended) = running.join_next().await {
            let (slot, sample) = ended.map_err(Failure::setting)??;
            whole.merge(sample);
            self.slots.push(slot);
        }
        if let (Some(processor), Some(before)) = (self.processor, before) {
            whole.processor = Some(processor.used()?.saturating_sub(before));
        }
        Ok(whole)
    }
}

async fn work<S: Slot>(mut slot: S, start: Instant, span: Duration) -> Result<(S, Sample), Failure> {
    let mut sample = Sample::default();
    loop {
        let began = Instant::now();
        let step = slot.step().await?;
        sample.note(step, began.elapsed());
        sample.elapsed = start.elapsed();
        if sample.elapsed >= span {
            return Ok((slot, sample));
        }
    }
}

/// One that takes its turn, or why it cannot.
pub(crate) type Side = Result<Box<dyn Contender>, Failure>;

/// Tries all in turn, so many times, so that the machine's moods meet each alike; medians over the
/// trials. A short trial of each comes first and does not count. One that fails takes no further turn.
pub(crate) async fn compare(rounds: usize, span: Duration, sides: Vec<Side>) -> Vec<Result<Figures, Failure>> {
    let mut standing: Vec<_> = sides.into_iter().map(|side| side.map(|contender| (contender, Vec::new()))).collect();
    for round in 0..=rounds {
        for side in &mut standing {
            let Ok((contender, samples)) = side else { continue };
            let warm_up = round == 0;
            match contender.trial(if warm_up { span / 4 } else { span }).await {
                Ok(sample) if !warm_up => samples.push(sample),
                Ok(_) => {}
                Err(failure) => *side = Err(failure),
            }
        }
    }
    standing.into_iter().map(|side| side.map(|(_, samples)| Figures::of(samples))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::Requests;

    /// Works for so many trials, each with one operation, and then fails.
    struct Lasting(u32);

    #[async_trait]
    impl Contender for Lasting {
        async fn trial(&mut self, span: Duration) -> Result<Sample, Failure> {
            self.0 = self.0.checked_sub(1).ok_or(Failure::Late("its end"))?;
            let mut sample = Sample { elapsed: span, ..Sample::default() };
            sample.note(Step::done(1, Requests::default()), span);
            Ok(sample)
        }
    }

    #[tokio::test]
    async fn one_that_fails_ends_nobody_elses_trials() {
        let side = |trials| Ok(Box::new(Lasting(trials)) as Box<dyn Contender>);
        let never = Err(Failure::Late("its beginning"));
        let ended = compare(3, Duration::from_secs(1), vec![side(4), side(2), never]).await;
        let operations: Vec<_> = ended.iter().map(|end| end.as_ref().ok().map(|figures| figures.operations)).collect();
        assert_eq!(operations, [Some(3), None, None]);
    }
}
