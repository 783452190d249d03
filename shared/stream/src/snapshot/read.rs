//! Reading the latest snapshot.

use std::sync::Arc;

use futures::{
    FutureExt,
    future::{join, try_join},
};
use wadi_protocol::{
    Incarnation, Refusal, SnapshotRequest,
    decide::{SnapshotPlan, decide_snapshot},
};

use super::{body::SnapshotBody, objects::Objects};
use crate::{cell::Cell, limits::OPEN_ATTEMPTS_MAX, view::View};

/// A snapshot that is read.
#[derive(Debug)]
pub struct SnapshotAnswer {
    /// The stream's token.
    pub incarnation: Incarnation,
    /// What of it is read.
    pub plan: SnapshotPlan,
    /// The bytes; none when the client has them.
    pub body: Option<SnapshotBody>,
}

impl Cell {
    /// What a read of a snapshot would be told. Does not renew a time-to-live.
    pub(super) async fn head_snapshot(self: &Arc<Self>, request: &SnapshotRequest) -> Result<SnapshotAnswer, Refusal> {
        let view = self.living(self.fresh().await?).await?;
        let plan = decide_snapshot(&view.state, request)?;
        Ok(SnapshotAnswer { incarnation: view.state.incarnation, plan, body: None })
    }

    /// A snapshot, or a range of it.
    pub(super) async fn read_snapshot(self: &Arc<Self>, request: &SnapshotRequest) -> Result<SnapshotAnswer, Refusal> {
        // A body never changes, so it is fetched while the probe is under way.
        let ahead = self.fetch_snapshot_ahead(request).map(Ok);
        let (mut lookup, mut ahead) = try_join(self.fresh(), ahead).await?;
        for _ in 0..OPEN_ATTEMPTS_MAX {
            let view = self.living(lookup).await?;
            let plan = decide_snapshot(&view.state, request)?;
            let opened = self.open_snapshot(&view, &plan, ahead.take());
            let (opened, ()) = join(opened, self.renew(&view)).await;
            let incarnation = view.state.incarnation;
            match opened? {
                Opened::NotNeeded => return Ok(SnapshotAnswer { incarnation, plan, body: None }),
                Opened::Body(body) => return Ok(SnapshotAnswer { incarnation, plan, body: Some(*body) }),
                Opened::Gone => self.discard(&view),
            }
            lookup = self.fresh().await?;
        }
        Err(Refusal::StoreUnavailable)
    }

    /// The body that a request will get, should the stream be what this process takes it for.
    async fn fetch_snapshot_ahead(self: &Arc<Self>, request: &SnapshotRequest) -> Option<SnapshotBody> {
        let view = self.view()?;
        let plan = decide_snapshot(&view.state, request).ok()?;
        match self.open_snapshot(&view, &plan, None).await {
            Ok(Opened::Body(body)) => Some(*body),
            _ => None,
        }
    }

    async fn open_snapshot(
        &self,
        view: &View,
        plan: &SnapshotPlan,
        ahead: Option<SnapshotBody>,
    ) -> Result<Opened, Refusal> {
        if plan.not_modified {
            return Ok(Opened::NotNeeded);
        }
        let objects = Objects::new(self, view.state.incarnation);
        let range = plan.part.clone().unwrap_or(0..plan.snapshot.bytes);
        if let Some(body) = ahead.filter(|body| body.is(&objects, &plan.snapshot, &range)) {
            return Ok(Opened::Body(Box::new(body)));
        }
        match SnapshotBody::open(objects, plan.snapshot.clone(), range).await {
            Ok(Some(body)) => Ok(Opened::Body(Box::new(body))),
            Ok(None) => Ok(Opened::Gone),
            Err(error) => Err(self.unreadable(&error)),
        }
    }
}

enum Opened {
    Body(Box<SnapshotBody>),
    NotNeeded,
    /// The body is nowhere.
    Gone,
}
