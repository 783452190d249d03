//! Bootstrap: the latest snapshot and all that follows it, piece by piece.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::join;
use wadi_protocol::{
    Incarnation, Offset, Refusal, StreamDescription,
    decide::{BootstrapPlan, decide_bootstrap},
    last_boundary,
    limits::{MESSAGE_BYTES_MAX, READ_BYTES_MAX},
    state::Snapshot,
};

use super::{body::SnapshotBody, objects::Objects};
use crate::{
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::OPEN_ATTEMPTS_MAX,
    log::LogError,
    view::View,
};

/// The snapshot of a stream and what follows it. It holds one piece at a time.
#[derive(Debug)]
pub struct Bootstrap {
    /// The stream.
    pub stream: StreamDescription,
    /// The latest snapshot.
    pub snapshot: Option<Snapshot>,
    /// Where to read on after it: the tail, unless it ends at the size limit.
    pub next: Offset,
    cell: Arc<Cell>,
    view: Arc<View>,
    body: Option<SnapshotBody>,
    from: Offset,
}

/// A piece of a bootstrap, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BootstrapPiece {
    /// Of the snapshot.
    Snapshot(Bytes),
    /// Of the stream, from the snapshot on. The last one ends with a message.
    Stream(Bytes),
}

impl Cell {
    /// Opens a bootstrap. `with_body`: its bytes are wanted, which renews a time-to-live.
    pub(super) async fn bootstrap(
        self: &Arc<Self>,
        incarnation: Option<Incarnation>,
        bytes_max: u64,
        with_body: bool,
    ) -> Result<Bootstrap, Refusal> {
        for _ in 0..OPEN_ATTEMPTS_MAX {
            let view = self.living(self.fresh().await?).await?;
            let plan = decide_bootstrap(&view.state, incarnation, bytes_max)?;
            let next = match self.cut(&view, &plan).await {
                Ok(next) => next,
                Err(LogError::Stale) => {
                    self.discard(&view);
                    continue;
                }
                Err(error) => return Err(self.unreadable(&error)),
            };
            let mut body = None;
            if with_body {
                let (opened, ()) = join(self.first_piece(&view, plan.snapshot.as_ref()), self.renew(&view)).await;
                let Some(opened) = opened? else {
                    self.discard(&view);
                    continue;
                };
                body = opened;
            }
            let (stream, cell) = (StreamDescription::from(&view.state), self.clone());
            return Ok(Bootstrap { stream, snapshot: plan.snapshot, next, cell, view, body, from: plan.start });
        }
        Err(Refusal::StoreUnavailable)
    }

    /// Where a bootstrap ends: at its limit, or before it with the last whole message of a JSON stream.
    async fn cut(&self, view: &View, plan: &BootstrapPlan) -> Result<Offset, LogError> {
        if plan.snapshot.is_some() && defects::active(Defect::BootstrapStopsAtSnapshot) {
            return Ok(plan.start);
        }
        if plan.limit == view.state.tail || plan.limit == plan.start || !view.state.content_type.is_json() {
            return Ok(plan.limit);
        }
        // No message is longer than this, so one ends in here, or the first one does not fit.
        let from = Offset::new(plan.limit.get().saturating_sub(MESSAGE_BYTES_MAX)).max(plan.start);
        let last = self.gather(view, from..plan.limit).await?;
        Ok(from.saturating_add(last_boundary(&last) as u64))
    }

    /// The body of the snapshot, if there is one. `Ok(None)`: it is gone.
    async fn first_piece(
        &self,
        view: &View,
        snapshot: Option<&Snapshot>,
    ) -> Result<Option<Option<SnapshotBody>>, Refusal> {
        let Some(snapshot) = snapshot else { return Ok(Some(None)) };
        let objects = Objects::new(self, view.state.incarnation);
        let opened = SnapshotBody::open(objects, snapshot.clone(), 0..snapshot.bytes).await;
        opened.map(|body| body.map(Some)).map_err(|error| self.unreadable(&error))
    }
}

impl Bootstrap {
    /// The next piece: all of the snapshot, then all of the stream; `None` at the end. After an error
    /// nothing follows, and what came is not whole.
    pub async fn next_piece(&mut self) -> Option<Result<BootstrapPiece, Refusal>> {
        if let Some(body) = &mut self.body {
            match body.next().await {
                Some(piece) => return Some(piece.map(BootstrapPiece::Snapshot)),
                None => self.body = None,
            }
        }
        if self.from >= self.next {
            return None;
        }
        let page = self.page().await;
        self.from = page.as_ref().map_or(self.next, |page| self.from.saturating_add(page.len() as u64));
        Some(page.map(BootstrapPiece::Stream))
    }

    /// The next bytes of the stream. Should a record be gone, which was sealed meanwhile, the stream is
    /// looked up again; another incarnation has other bytes.
    async fn page(&mut self) -> Result<Bytes, Refusal> {
        let to = self.next.min(self.from.saturating_add(READ_BYTES_MAX));
        for _ in 0..OPEN_ATTEMPTS_MAX {
            match self.cell.page(&self.view, self.from, to).await {
                Ok(page) if !page.is_empty() => return Ok(page.joined()),
                Ok(_) | Err(LogError::Stale) => self.cell.discard(&self.view),
                Err(error) => return Err(self.cell.unreadable(&error)),
            }
            match self.cell.fresh().await? {
                Lookup::Live(view) if view.state.incarnation == self.view.state.incarnation => self.view = view,
                Lookup::Live(_) | Lookup::Missing => return Err(Refusal::StreamNotFound),
            }
        }
        Err(Refusal::StoreUnavailable)
    }
}
