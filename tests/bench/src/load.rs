//! A closed loop: so many slots, one operation in flight in each.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::{
    failure::Failure,
    limits::Scale,
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

/// Tries all in turn, several times, so that the machine's moods meet each alike; medians over the
/// trials. A short trial of each comes first and does not count.
pub(crate) async fn compare(scale: &Scale, mut contenders: Vec<Box<dyn Contender>>) -> Result<Vec<Figures>, Failure> {
    let mut samples: Vec<Vec<Sample>> = contenders.iter().map(|_| Vec::new()).collect();
    for contender in &mut contenders {
        contender.trial(scale.span / 4).await?;
    }
    for _ in 0..scale.rounds {
        for (contender, samples) in contenders.iter_mut().zip(&mut samples) {
            samples.push(contender.trial(scale.span).await?);
        }
    }
    Ok(samples.into_iter().map(Figures::of).collect())
}
