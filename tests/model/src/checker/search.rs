//! The search.

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use super::{Model, Report, StepOf, seen::Seen, trace};

/// States that a thread takes at once.
const PORTION: usize = 256;

/// A step that breaks something, and the state it starts from.
pub(super) struct Broken<M: Model> {
    pub(super) from: u64,
    pub(super) fault: M::Fault,
    pub(super) action: M::Action,
}

/// What a thread made of its part of a level.
struct Part<M: Model> {
    next: Vec<M::State>,
    steps: usize,
    broken: Option<Broken<M>>,
}

/// Visits all states that can be reached, or all that are fewer steps away than the first
/// violation.
#[must_use]
pub fn check<M: Model>(model: &M) -> Report<M::Action, M::Fault> {
    let started = Instant::now();
    let initial = model.initial();
    let seen = Seen::starting_from(model.fingerprint(&initial));
    let mut report = Report { states: 0, steps: 0, depth: 0, elapsed: started.elapsed(), violation: None };
    let mut level = vec![initial];
    while !level.is_empty() && report.violation.is_none() {
        let parts = take_level(model, &seen, &level);
        level = Vec::with_capacity(parts.iter().map(|part| part.next.len()).sum());
        let mut broken: Option<Broken<M>> = None;
        for part in parts {
            report.steps += part.steps;
            level.extend(part.next);
            broken = first(broken, part.broken);
        }
        report.depth += 1;
        report.violation = broken.map(|broken| trace::replay(model, &seen, &broken));
    }
    report.states = seen.len();
    report.elapsed = started.elapsed();
    report
}

fn take_level<M: Model>(model: &M, seen: &Seen, level: &[M::State]) -> Vec<Part<M>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(level.len().div_ceil(PORTION));
    let taken = AtomicUsize::new(0);
    if threads <= 1 {
        return vec![take_part(model, seen, level, &taken)];
    }
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|_| scope.spawn(|| take_part(model, seen, level, &taken))).collect();
        parts
            .into_iter()
            .filter_map(|part| part.join().map_err(|cause| std::panic::resume_unwind(cause)).ok())
            .collect()
    })
}

/// Takes portions of the level until none is left.
fn take_part<M: Model>(model: &M, seen: &Seen, level: &[M::State], taken: &AtomicUsize) -> Part<M> {
    let mut part = Part { next: Vec::new(), steps: 0, broken: None };
    let mut steps = Vec::new();
    loop {
        let from = taken.fetch_add(PORTION, Ordering::Relaxed);
        let Some(portion) = level.get(from..level.len().min(from + PORTION)).filter(|portion| !portion.is_empty())
        else {
            return part;
        };
        for state in portion {
            let here = model.fingerprint(state);
            model.steps(state, &mut steps);
            part.steps += steps.len();
            for step in steps.drain(..) {
                part.take(model, seen, here, step);
            }
        }
    }
}

impl<M: Model> Part<M> {
    fn take(&mut self, model: &M, seen: &Seen, from: u64, step: StepOf<M>) {
        if let Some(fault) = step.fault {
            let found = Broken { from, fault, action: step.action };
            self.broken = first(self.broken.take(), Some(found));
        } else if seen.insert(model.fingerprint(&step.state), from) {
            self.next.push(step.state);
        }
    }
}

/// Of two violations that of the lesser fault, so that it does not depend on chance which is told.
fn first<M: Model>(one: Option<Broken<M>>, other: Option<Broken<M>>) -> Option<Broken<M>> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if (one.fault, one.from) <= (other.fault, other.from) { one } else { other }),
        (one, other) => one.or(other),
    }
}
