//! Putting a page together from the objects that hold it: sealed ones below, records above.

use std::ops::Range;

use bytes::Bytes;
use futures::{StreamExt, TryFutureExt, TryStreamExt, stream};
use wadi_protocol::Offset;

use crate::{
    cell::Cell,
    limits::{PAGE_FETCHES_IN_PARALLEL, PAGE_RECORDS_MAX},
    log::{Body, LogError},
    page_bytes::PageBytes,
    payloads::Holder,
    sealed::SealedObject,
    view::View,
};

/// What one object adds to a page.
#[derive(Debug)]
struct Piece {
    source: Source,
    range: Range<usize>,
}

#[derive(Debug)]
enum Source {
    Record { seq: u64, body: Body },
    Sealed(SealedObject),
}

impl Cell {
    /// The bytes from `start` to `end`, or to an earlier end where they lie in too many records
    /// for one page: at least one record's, when there are any.
    ///
    /// [`LogError::Stale`] when an object is gone: the stream must be opened anew.
    pub(crate) async fn page(&self, view: &View, start: Offset, end: Offset) -> Result<PageBytes, LogError> {
        let pieces = pieces(view, start, end)?;
        let fetched = stream::iter(pieces).map(|piece| self.piece(view, piece)).buffered(PAGE_FETCHES_IN_PARALLEL);
        Ok(fetched.try_collect::<Vec<_>>().await?.into_iter().collect())
    }

    /// All bytes of a range, however many records hold them: at most those of one cell.
    pub(crate) async fn gather(&self, view: &View, range: Range<Offset>) -> Result<Bytes, LogError> {
        let (mut gathered, mut from) = (Vec::new(), range.start);
        while from < range.end {
            let page = self.page(view, from, range.end).await?;
            if page.is_empty() {
                return Err(LogError::Broken(format!("the bytes from {from} are in no object")));
            }
            from = from.saturating_add(page.len() as u64);
            gathered.extend(page.into_pieces());
        }
        Ok(PageBytes::from_iter(gathered).joined())
    }

    /// Brings what a page needs into the cache, while the freshness of `view` is being probed. It
    /// ends at the first failure, which shows again when the page is put together.
    pub(crate) async fn prefetch(&self, view: &View, start: Offset, end: Offset) {
        let pieces = pieces(view, start, end).unwrap_or_default();
        let fetched = stream::iter(pieces.into_iter().map(Ok))
            .try_for_each_concurrent(PAGE_FETCHES_IN_PARALLEL, |piece| self.piece(view, piece).map_ok(drop))
            .await;
        if let Err(error) = fetched {
            tracing::debug!(%error, "an object could not be fetched ahead");
        }
    }

    async fn piece(&self, view: &View, piece: Piece) -> Result<Bytes, LogError> {
        let incarnation = view.state.incarnation;
        let holder = match &piece.source {
            Source::Record { seq, .. } => Holder::Slot(*seq),
            Source::Sealed(object) => Holder::Sealed(*object),
        };
        if let Some(payload) = self.shared.payloads.get(incarnation, holder) {
            return Ok(payload.slice(piece.range));
        }
        let payload = match &piece.source {
            Source::Record { seq, body } => self.slots(view).payload(*seq, body).await?.ok_or(LogError::Stale)?,
            Source::Sealed(object) => self.sealed_bytes(view, object).await?,
        };
        self.shared.payloads.keep(incarnation, holder, payload.clone());
        Ok(payload.slice(piece.range))
    }
}

/// The objects that hold a page, in order.
fn pieces(view: &View, start: Offset, end: Offset) -> Result<Vec<Piece>, LogError> {
    let sealed = sealed_pieces(view, start, end.min(view.spans_from()));
    let reached = sealed.last().map_or(start, |(end, _)| *end);
    if reached < end.min(view.spans_from()) {
        return Err(LogError::Damaged(format!("no record or object that is known holds the bytes from {reached}")));
    }
    let records = view.spans(start.max(view.spans_from()), end).map(|(from, span)| {
        let source = Source::Record { seq: span.seq, body: span.body.clone() };
        Piece { source, range: part(from..span.end, start, end) }
    });
    Ok(sealed.into_iter().map(|(_, piece)| piece).chain(records).take(PAGE_RECORDS_MAX).collect())
}

/// The sealed objects that hold bytes of `[start, end)` from its beginning without a gap, each with
/// where what it adds ends. None where its beginning was let go of: a page never starts later than it was asked to.
fn sealed_pieces(view: &View, start: Offset, end: Offset) -> Vec<(Offset, Piece)> {
    let sealed = &view.manifest.manifest.sealed;
    let piece = |object: SealedObject| {
        let range = object.range();
        let to = range.end.min(end);
        (to, Piece { range: part(range, start, end), source: Source::Sealed(object) })
    };
    let is_held = start >= sealed.chunks_start;
    if start < end && is_held { sealed.objects(start, end).map(piece).collect() } else { Vec::new() }
}

/// Which of the bytes of `object` lie in `[start, end)`. They are held in memory, so their number fits.
fn part(object: Range<Offset>, start: Offset, end: Offset) -> Range<usize> {
    let index = |offset: Offset| usize::try_from(offset.get() - object.start.get()).unwrap_or(usize::MAX);
    index(start.max(object.start))..index(end.min(object.end))
}
