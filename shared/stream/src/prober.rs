//! Freshness for readers: one probe answers all that asked before it was sent.

use std::sync::Arc;

use futures::{FutureExt, channel::oneshot};
use wadi_protocol::Refusal;
use wadi_store::{Meter, current_meter, metered};

use crate::{
    cell::{Cell, Fresh, Lookup},
    defects::{self, Defect},
    limits::WAITING_READS_MAX,
};

/// A reader that waits for a probe.
#[derive(Debug)]
pub(crate) struct Asked {
    reply: oneshot::Sender<Fresh>,
    /// Where the requests to the store that it causes are counted, if anywhere.
    meter: Option<Meter>,
}

impl Cell {
    /// The stream as it is now. Requests may share a probe, but never one that had been sent
    /// before they arrived.
    pub(crate) async fn fresh(self: &Arc<Self>) -> Fresh {
        if defects::active(Defect::ReadWithoutProbe)
            && let Some(view) = self.view()
        {
            return Ok(Lookup::Live(view));
        }
        let (reply, answer) = oneshot::channel();
        let start = {
            let mut inner = self.inner();
            if inner.reads.len() >= WAITING_READS_MAX {
                return Err(Refusal::StreamBusy);
            }
            inner.reads.push(Asked { reply, meter: current_meter() });
            !std::mem::replace(&mut inner.probing, true)
        };
        if start {
            let cell = self.clone();
            self.bucket().runtime().spawn(async move { Probing { cell, over: false }.run().await }.boxed());
        }
        answer.await.unwrap_or(Err(Refusal::StoreUnavailable))
    }
}

/// The task that probes for one stream while somebody waits.
struct Probing {
    cell: Arc<Cell>,
    /// It found nobody waiting. From then on the cell may be another task's to probe for.
    over: bool,
}

impl Probing {
    async fn run(mut self) {
        while let Some(mut waiting) = self.next_round() {
            // What a probe causes is counted once: with the first that waits for it.
            let meter = waiting.first().and_then(|first| first.meter.clone());
            let fresh = metered(meter, self.cell.current()).await;
            if defects::active(Defect::ReadJoinsProbeUnderWay) {
                waiting.append(&mut self.cell.inner().reads);
            }
            for Asked { reply, .. } in waiting {
                // One that went away meanwhile needs no answer.
                let _ = reply.send(fresh.clone());
            }
        }
    }

    fn next_round(&mut self) -> Option<Vec<Asked>> {
        let mut inner = self.cell.inner();
        let waiting = std::mem::take(&mut inner.reads);
        self.over = waiting.is_empty();
        inner.probing = !self.over;
        (!self.over).then_some(waiting)
    }
}

impl Drop for Probing {
    /// Should the task end before its time, those that wait are refused and the next may start one.
    fn drop(&mut self) {
        if !self.over {
            let mut inner = self.cell.inner();
            inner.probing = false;
            inner.reads.clear();
        }
    }
}
