//! Reading a chunk: the piece of a stream from an offset to the next multiple of the grid.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::join;
use wadi_protocol::{
    IfNoneMatch, Immutable, ReadTag, Refusal, StreamDescription,
    decide::{ChunkPlan, decide_chunk},
};

use crate::{cell::Cell, limits::OPEN_ATTEMPTS_MAX, log::LogError, view::View};

/// A request for a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRequest {
    /// Which.
    pub chunk: Immutable,
    /// `If-None-Match`.
    pub if_none_match: Option<IfNoneMatch>,
    /// Whether its bytes are wanted, or only what is told of it.
    pub with_body: bool,
}

/// A chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkAnswer {
    /// The stream.
    pub stream: StreamDescription,
    /// Where it starts and ends, and whether that is its last word.
    pub plan: ChunkPlan,
    /// Its entity tag.
    pub tag: ReadTag,
    /// The client has it already.
    pub not_modified: bool,
    /// Its bytes as stored; empty when they are not wanted or not needed.
    pub body: Bytes,
}

impl Cell {
    pub(crate) async fn chunk(self: &Arc<Self>, request: &ChunkRequest) -> Result<ChunkAnswer, Refusal> {
        let wanted = request.with_body && request.if_none_match.is_none();
        let ahead = self.view().filter(|_| wanted).and_then(|view| {
            let plan = decide_chunk(&view.state, request.chunk).ok()?;
            Some((view, plan.start..plan.next))
        });
        let mut lookup = self.fresh_while_fetching(ahead).await?;
        for _ in 0..OPEN_ATTEMPTS_MAX {
            let view = self.living(lookup).await?;
            if let Some(answer) = self.chunk_from(&view, request).await? {
                return Ok(answer);
            }
            self.discard(&view);
            lookup = self.fresh().await?;
        }
        Err(Refusal::StoreUnavailable)
    }

    /// Answers from a view. `Ok(None)`: an object is gone, so the view is out of date.
    async fn chunk_from(self: &Arc<Self>, view: &View, request: &ChunkRequest) -> Result<Option<ChunkAnswer>, Refusal> {
        let plan = decide_chunk(&view.state, request.chunk)?;
        let ChunkPlan { start, next, end, .. } = plan;
        let tag = ReadTag { incarnation: view.state.incarnation, start, next, array: false, end };
        let not_modified = request.if_none_match.as_ref().is_some_and(|known| known.matches(&tag.opaque()));
        let bytes = async {
            let wanted = request.with_body && !not_modified;
            if wanted { self.gather(view, start..next).await } else { Ok(Bytes::new()) }
        };
        // Reading renews a sliding time-to-live, asking with HEAD does not.
        let renewed = async {
            if request.with_body {
                self.renew(view).await;
            }
        };
        let (bytes, ()) = join(bytes, renewed).await;
        match bytes {
            Ok(body) => {
                Ok(Some(ChunkAnswer { stream: StreamDescription::from(&view.state), plan, tag, not_modified, body }))
            }
            Err(LogError::Stale) => Ok(None),
            Err(error) => Err(self.unreadable(&error)),
        }
    }
}
