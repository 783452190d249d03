//! What becomes of one request to the store.

use std::time::Duration;

use crate::{plan::NetworkPlan, random::Rng, request::RequestKind};

/// Longer than anybody waits.
const NEVER: Duration = Duration::from_hours(1);

/// The fate of a request, drawn when it is made.
#[derive(Clone, Debug)]
pub(crate) struct Fate {
    /// Time it waits within its process before it leaves.
    pub(crate) queue: Option<Duration>,
    /// Time to the store.
    pub(crate) out: Duration,
    pub(crate) event: Event,
    /// Time back.
    pub(crate) back: Duration,
}

/// What happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Delivered,
    /// It gets lost on its way.
    LostBefore,
    /// It never leaves, and the caller knows.
    NotSent,
    /// It takes effect, and the caller hears of a failure.
    AnswerLost,
    /// The store fails, without effect.
    ServerError,
    /// The store refuses, without effect.
    Rejected,
    /// 409, without effect. Conditional writes only.
    Conflict,
    /// Something on the way sends it twice; the caller hears the second answer. Writes and
    /// deletions only.
    Repeated,
    /// The caller hears of a failure, and it takes effect this much later. Writes and deletions
    /// only.
    Late(Duration),
}

impl Fate {
    /// A request that nothing happens to.
    pub(crate) fn smooth() -> Self {
        Self { queue: None, out: Duration::from_millis(5), event: Event::Delivered, back: Duration::from_millis(5) }
    }

    /// `cut_off`: nothing comes back just now.
    pub(crate) fn draw(plan: &NetworkPlan, rng: &mut Rng, kind: RequestKind, cut_off: bool) -> Self {
        let queue = rng.millionths(plan.queued).then(|| rng.duration(&plan.queue));
        let leg = |rng: &mut Rng| {
            if rng.millionths(plan.slow / 2) { rng.duration(&plan.slow_latency) } else { rng.duration(&plan.latency) }
        };
        let (out, mut back) = (leg(rng), leg(rng));
        let event = if cut_off { failure(plan, rng, kind) } else { event(plan, rng, kind) };
        let fails = matches!(event, Event::LostBefore | Event::AnswerLost | Event::ServerError | Event::Late(_));
        if fails && rng.percent(plan.silent) {
            back = NEVER;
        }
        Self { queue, out, event, back }
    }
}

/// Any of the ways in which nothing comes back.
fn failure(plan: &NetworkPlan, rng: &mut Rng, kind: RequestKind) -> Event {
    let late = Event::Late(rng.duration(&plan.lateness));
    let failures = [Event::LostBefore, Event::AnswerLost, Event::ServerError, Event::NotSent];
    if kind != RequestKind::Reads && rng.percent(20) { late } else { *rng.pick(&failures) }
}

fn event(plan: &NetworkPlan, rng: &mut Rng, kind: RequestKind) -> Event {
    let late = Event::Late(rng.duration(&plan.lateness));
    let for_all = [
        (plan.lost_before, Event::LostBefore),
        (plan.not_sent, Event::NotSent),
        (plan.answer_lost, Event::AnswerLost),
        (plan.server_error, Event::ServerError),
        (plan.rejected, Event::Rejected),
    ];
    let for_changes = [(plan.conflict, Event::Conflict), (plan.repeated, Event::Repeated), (plan.late, late)];
    let mut drawn = rng.below(1_000_000);
    for (rate, event) in for_all.into_iter().chain(for_changes.into_iter().filter(|_| kind != RequestKind::Reads)) {
        match drawn.checked_sub(u64::from(rate)) {
            Some(rest) => drawn = rest,
            None if event == Event::Conflict && kind == RequestKind::Deletes => return Event::Delivered,
            None => return event,
        }
    }
    Event::Delivered
}
