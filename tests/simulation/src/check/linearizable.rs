//! Every definite answer is the one that the sequential model gives at some moment between the call
//! and its return. Since what applied is pinned to the moment it landed, this is linearizability.

use wadi_protocol::{Refusal, Timestamp, decide::Moment};

use super::{
    Evidence,
    model::{Known, Verdict, judge, same},
};
use crate::{
    ghost::{Cause, Entry, Name, Status},
    history::{Answer, Ask, Call, Certainty},
    network::{date, floored},
    violation::Violation,
};

pub(super) fn check(evidence: &Evidence<'_>) -> Result<(), Violation> {
    let nothing = Name::default();
    let judged = evidence.calls.iter().filter(|call| call.answer.certainty() == Certainty::Definite);
    // A tail gives what it knows to be there, as it comes, and says nothing of now.
    for call in judged.filter(|call| !matches!(call.ask, Ask::Follow(_))) {
        let name = evidence.ghost.names.get(&*call.stream).unwrap_or(&nothing);
        if !(Search { evidence, name, call }).finds_a_moment() {
            let what = format!("call {} got an answer that was right at no moment while it ran", call.number);
            let violation = Violation::new("linearizable", what).of_call(call.number);
            return Err(violation.at_key(call.stream.to_string()));
        }
    }
    Ok(())
}

struct Search<'a> {
    evidence: &'a Evidence<'a>,
    name: &'a Name,
    call: &'a Call,
}

impl Search<'_> {
    fn finds_a_moment(&self) -> bool {
        let (from, to) = (self.call.invoked.0, self.call.end());
        let timeline = &self.name.timeline;
        // What stood there when the call was made, and every change until it returned.
        let first = timeline.partition_point(|entry| entry.tick <= from).saturating_sub(1);
        let after = timeline.partition_point(|entry| entry.tick <= to);
        (first..after).any(|index| {
            let changed = index > first;
            self.stood(&timeline[index])
                || (changed && index > 0 && self.changed(&timeline[index - 1], &timeline[index]))
                || (changed && self.was_created(index, after))
        })
    }

    /// Whether the answer tells of what stood there.
    fn stood(&self, entry: &Entry) -> bool {
        self.moments(entry).into_iter().any(|now| {
            match judge(&entry.status, &self.known(&entry.status), &self.call.ask, self.moment(now)) {
                Verdict::Answers(answer) => answer == self.call.answer && self.is_fresh(&entry.status),
                Verdict::Commits(..) | Verdict::Creates => false,
            }
        })
    }

    /// Whether the answer tells of this very change.
    fn changed(&self, before: &Entry, entry: &Entry) -> bool {
        let Cause::Applied { operation, at, .. } = &entry.cause else { return false };
        match judge(&before.status, &self.known(&before.status), &self.call.ask, self.moment(*at)) {
            Verdict::Commits(committed, answer) => same(&committed, operation) && answer == self.call.answer,
            Verdict::Answers(_) | Verdict::Creates => false,
        }
    }

    /// Whether the answer tells of the creation at `index`, with the stream as it was by `after`.
    fn was_created(&self, index: usize, after: usize) -> bool {
        let (Answer::Created(Ok(created)), entry) = (&self.call.answer, &self.name.timeline[index]) else {
            return false;
        };
        let born = matches!(entry.cause, Cause::Created) && entry.status.token() == Some(created.stream.incarnation);
        born && !created.existed
            && self.name.timeline[index..after].iter().any(|entry| match &entry.status {
                Status::Live(state) => created.stream == wadi_protocol::StreamDescription::from(&**state),
                Status::Missing => false,
            })
    }

    /// The instants that an instance may have taken for now: decisions change with time only where
    /// something expires or is idle for long, so the ends of what is possible are enough.
    fn moments(&self, entry: &Entry) -> Vec<Timestamp> {
        let last_at = match &entry.status {
            Status::Live(state) => state.last_at,
            Status::Missing => Timestamp::EPOCH,
        };
        let resolution = self.evidence.resolution();
        let returned = self.call.returned.map_or(self.call.invoked.1, |(_, time)| time);
        let mut moments = vec![last_at];
        moments.extend(
            [entry.date, date(self.call.invoked.1), date(returned), date(returned + self.evidence.plan.disagreement)]
                .map(|date| floored(date, resolution).max(last_at)),
        );
        if self.reads() {
            // A read does not look at the dates of the log it reads.
            moments.push(self.earliest());
        }
        moments.dedup();
        moments
    }

    /// A read never tells of a stream that was past its expiry when the read was made.
    fn is_fresh(&self, status: &Status) -> bool {
        let missing = matches!(self.call.answer.refusal(), Some(Refusal::StreamNotFound));
        match status {
            Status::Live(state) if self.reads() && !missing => {
                let resolution = self.evidence.resolution();
                !state.is_expired(self.earliest(), resolution)
            }
            _ => true,
        }
    }

    fn reads(&self) -> bool {
        matches!(self.call.ask, Ask::Read(_) | Ask::Head(_) | Ask::Snapshot { .. } | Ask::Bootstrap(_))
    }

    /// The earliest that a server of the store takes the moment of the call to be.
    fn earliest(&self) -> Timestamp {
        let (off, resolution) = (self.evidence.plan.disagreement, self.evidence.resolution());
        // A date that is shifted is cut twice.
        let cut = if off.is_zero() { off } else { off + resolution };
        let millis = date(self.call.invoked.1).as_millis();
        let cut = u64::try_from(cut.as_millis()).unwrap_or(u64::MAX);
        floored(Timestamp::from_millis(millis.saturating_sub(cut)), resolution)
    }

    fn moment(&self, now: Timestamp) -> Moment {
        Moment { now, resolution: self.evidence.resolution() }
    }

    /// What the model knows beside the state.
    fn known(&self, status: &Status) -> Known<'_> {
        let Status::Live(state) = status else { return Known::default() };
        let bytes = self.name.lives.get(&state.incarnation).map_or(&[][..], |life| &life.bytes);
        let tail = usize::try_from(state.tail.get()).unwrap_or(usize::MAX);
        let object = state.snapshot.as_ref().map(|snapshot| {
            format!("ds/{}/incarnation/{}/body/{}", self.call.stream, state.incarnation, snapshot.object)
        });
        let snapshot = object.and_then(|key| self.evidence.ghost.objects.body(&key)).unwrap_or_default();
        Known { bytes: bytes.get(..tail).unwrap_or(bytes), snapshot }
    }
}
