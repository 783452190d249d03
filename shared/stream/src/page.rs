//! Putting a page together from the records that hold it.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use futures::{StreamExt, TryFutureExt, TryStreamExt, stream};
use wadi_protocol::Offset;

use crate::{
    cell::Cell,
    limits::{PAGE_FETCHES_IN_PARALLEL, PAGE_RECORDS_MAX},
    log::{Body, LogError},
    view::View,
};

/// One record's part of a page.
struct Piece {
    seq: u64,
    body: Body,
    range: Range<usize>,
}

impl Cell {
    /// The bytes from `start` to `end`, or to an earlier end where they lie in too many records
    /// for one page: at least one record's, when there are any.
    ///
    /// [`LogError::Stale`] when a record is gone: the stream must be opened anew.
    pub(crate) async fn page(&self, view: &View, start: Offset, end: Offset) -> Result<Bytes, LogError> {
        if start < view.spans_from() && start < end {
            return Err(LogError::Damaged(format!("no record or object that is known holds the bytes from {start}")));
        }
        let pieces = pieces(view, start, end);
        let mut parts = stream::iter(pieces)
            .map(|piece| self.piece(view, piece))
            .buffered(PAGE_FETCHES_IN_PARALLEL)
            .try_collect::<Vec<_>>()
            .await?;
        if let [_] = parts.as_slice() {
            return Ok(parts.remove(0));
        }
        let mut page = BytesMut::with_capacity(parts.iter().map(Bytes::len).sum());
        for part in &parts {
            page.extend_from_slice(part);
        }
        Ok(page.freeze())
    }

    /// Brings what a page needs into the cache, while the freshness of `view` is being probed. It
    /// ends at the first failure, which shows again when the page is put together.
    pub(crate) async fn prefetch(&self, view: &View, start: Offset, end: Offset) {
        let fetched = stream::iter(pieces(view, start, end).into_iter().map(Ok))
            .try_for_each_concurrent(PAGE_FETCHES_IN_PARALLEL, |piece| self.piece(view, piece).map_ok(drop))
            .await;
        if let Err(error) = fetched {
            tracing::debug!(%error, "a record could not be fetched ahead");
        }
    }

    async fn piece(&self, view: &View, piece: Piece) -> Result<Bytes, LogError> {
        let incarnation = view.state.incarnation;
        if let Some(payload) = self.shared.payloads.get(incarnation, piece.seq) {
            return Ok(payload.slice(piece.range));
        }
        let payload = self.slots(view).payload(piece.seq, &piece.body).await?.ok_or(LogError::Stale)?;
        self.shared.payloads.keep(incarnation, piece.seq, payload.clone());
        Ok(payload.slice(piece.range))
    }
}

fn pieces(view: &View, start: Offset, end: Offset) -> Vec<Piece> {
    view.spans(start, end)
        .take(PAGE_RECORDS_MAX)
        .map(|(from, span)| {
            let to = span.end.min(end);
            let first = start.max(from).get() - from.get();
            let last = to.get() - from.get();
            Piece { seq: span.seq, body: span.body.clone(), range: index(first)..index(last) }
        })
        .collect()
}

/// A payload is held in memory, so its length fits.
fn index(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
