//! Reading: a page of bytes, or what the stream is.

use std::{ops::Range, sync::Arc};

use bytes::Bytes;
use futures::future::{Either, join, select, try_join};
use wadi_protocol::{
    End, Incarnation, Offset, ReadForm, ReadFrom, ReadRequest, ReadTag, Refusal, StreamDescription, StreamState,
    decide::{Decision, ReadPlan, decide_expiry, decide_head, decide_read, decide_touch},
};

use crate::{
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::{OPEN_ATTEMPTS_MAX, SIDE_WORK_WAIT_MAX},
    log::LogError,
    page_bytes::PageBytes,
    proposal::Terms,
    view::View,
};

/// A page of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAnswer {
    /// The stream.
    pub stream: StreamDescription,
    /// Where the page starts.
    pub start: Offset,
    /// Where it ends: where to read next.
    pub next: Offset,
    /// Where in the stream that is.
    pub end: End,
    /// The page's entity tag.
    pub tag: ReadTag,
    /// The client has this page already; `body` is empty.
    pub not_modified: bool,
    /// The bytes as stored. In the array form of a JSON stream they are whole messages.
    pub body: PageBytes,
}

impl Cell {
    /// What the stream is. Does not renew a time-to-live.
    pub(crate) async fn head(self: &Arc<Self>, incarnation: Option<Incarnation>) -> Result<StreamDescription, Refusal> {
        let view = self.living(self.fresh().await?).await?;
        decide_head(&view.state, incarnation)?;
        Ok(StreamDescription::from(&view.state))
    }

    /// A page of the stream.
    pub(crate) async fn read(self: &Arc<Self>, request: &ReadRequest) -> Result<ReadAnswer, Refusal> {
        // With a condition the bytes may not be needed.
        let ahead = self.view().filter(|_| request.if_none_match.is_none()).and_then(|view| {
            let plan = decide_read(&view.state, request).ok()?;
            Some((view, plan.start..plan.limit))
        });
        let mut lookup = self.fresh_while_fetching(ahead).await?;
        for _ in 0..OPEN_ATTEMPTS_MAX {
            let view = self.living(lookup).await?;
            if let Some(answer) = self.read_from(&view, request).await? {
                self.read_ahead(&view, request.bytes_max, &answer);
                return Ok(answer);
            }
            self.discard(&view);
            lookup = self.fresh().await?;
        }
        Err(Refusal::StoreUnavailable)
    }

    /// Looks the stream up, and meanwhile fetches a range that is known: bytes below a tail never change.
    pub(crate) async fn fresh_while_fetching(
        self: &Arc<Self>,
        ahead: Option<(Arc<View>, Range<Offset>)>,
    ) -> Result<Lookup, Refusal> {
        let fetched = async {
            if let Some((view, range)) = ahead {
                self.shared.read_ahead.arrived(view.state.incarnation, range.start).await;
                self.prefetch(&view, range.start, range.end).await;
            }
            Ok(())
        };
        try_join(self.fresh(), fetched).await.map(|(lookup, ())| lookup)
    }

    /// The view of a stream that lives. One found past its expiry is ended first: that is an
    /// operation like any other, and may lose to a renewal.
    pub(crate) async fn living(self: &Arc<Self>, lookup: Lookup) -> Result<Arc<View>, Refusal> {
        let mut lookup = lookup;
        for _ in 0..OPEN_ATTEMPTS_MAX {
            let Lookup::Live(view) = lookup else { return Err(Refusal::StreamNotFound) };
            if decide_expiry(&view.state, self.bucket().moment()).is_none() {
                return Ok(view);
            }
            if defects::active(Defect::ExpiryNotCommitted) {
                return Err(Refusal::StreamNotFound);
            }
            self.end_if_expired().await?;
            lookup = self.fresh().await?;
        }
        Err(Refusal::StoreUnavailable)
    }

    pub(crate) async fn end_if_expired(self: &Arc<Self>) -> Result<(), Refusal> {
        let terms = Terms { payload: Bytes::new(), needs_proof: false };
        let ended = self.propose(terms, |state, moment| match decide_expiry(state, moment) {
            Some(operation) => Decision::Commit { operation, answer: Ok(()) },
            None => Decision::Answer(Ok(())),
        });
        match ended.await {
            Ok(()) | Err(Refusal::StreamNotFound) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    /// Renews a sliding time-to-live when a good part of it has passed. A renewal that cannot be
    /// committed, or not soon, does not fail the read.
    pub(crate) async fn renew(self: &Arc<Self>, view: &View) {
        if decide_touch(&view.state, self.bucket().moment()).is_none() {
            return;
        }
        let terms = Terms { payload: Bytes::new(), needs_proof: false };
        let renewed = self.propose(terms, |state, moment| match decide_touch(state, moment) {
            Some(operation) => Decision::Commit { operation, answer: Ok(()) },
            None => Decision::Answer(Ok(())),
        });
        let renewed = std::pin::pin!(renewed);
        let code = match select(renewed, self.bucket().runtime().sleep(SIDE_WORK_WAIT_MAX)).await {
            Either::Left((Ok(()), _)) => return,
            Either::Left((Err(refusal), _)) => refusal.code().as_str(),
            Either::Right(_) => "it takes too long to wait for",
        };
        tracing::warn!(stream = self.key.key_text(), code, "a time-to-live was not renewed");
    }

    /// Answers from a view. `Ok(None)`: a record is gone, so the view is out of date.
    pub(crate) async fn read_from(
        self: &Arc<Self>,
        view: &View,
        request: &ReadRequest,
    ) -> Result<Option<ReadAnswer>, Refusal> {
        let unheeding = defects::active(Defect::RetentionNotLookedAt)
            .then(|| StreamState { retained: Offset::ZERO, ..view.state.clone() });
        let plan = decide_read(unheeding.as_ref().unwrap_or(&view.state), request)?;
        let array = request.form == ReadForm::Array && view.state.content_type.is_json();
        // Where the page ends is known before its bytes are, except where it must be cut at a message.
        let known_end = (!array || plan.limit == view.state.tail).then_some(plan.limit);
        if let (Some(next), Some(condition)) = (known_end, &request.if_none_match)
            && view.fits_one_page(plan.start, next)
        {
            let answer = answer(view, plan.start, next, array, PageBytes::default());
            if request.from != ReadFrom::Now && condition.matches(&answer.tag.opaque()) {
                self.renew(view).await;
                return Ok(Some(ReadAnswer { not_modified: true, ..answer }));
            }
        }
        let page = self.cut_page(view, plan, array);
        // A refused read renews nothing, and whether an array may start here its bytes tell.
        let page = if array && plan.start > view.state.retained {
            let page = page.await;
            if matches!(page, Ok(Ok(_))) {
                self.renew(view).await;
            }
            page
        } else {
            join(page, self.renew(view)).await.0
        };
        let body = match page {
            Ok(page) => page?,
            Err(LogError::Stale) => return Ok(None),
            Err(error) => return Err(self.unreadable(&error)),
        };
        let next = plan.start.saturating_add(body.len() as u64);
        let mut answer = answer(view, plan.start, next, array, body);
        if let Some(condition) = &request.if_none_match
            && request.from != ReadFrom::Now
            && condition.matches(&answer.tag.opaque())
        {
            answer.not_modified = true;
            answer.body = PageBytes::default();
        }
        Ok(Some(answer))
    }

    /// The bytes of a page, cut at a message where the form asks for whole ones.
    async fn cut_page(&self, view: &View, plan: ReadPlan, array: bool) -> Result<Result<PageBytes, Refusal>, LogError> {
        if !array || plan.start == plan.limit {
            return self.page(view, plan.start, plan.limit).await.map(Ok);
        }
        // The byte before the start tells whether a message starts there.
        let before = u64::from(plan.start > view.state.retained);
        let from = Offset::new(plan.start.get() - before);
        let page = self.page(view, from, plan.limit).await?;
        if before == 1 && page.first() != Some(b'\n') {
            return Ok(Err(Refusal::NotJsonBoundary { tail: view.state.tail }));
        }
        let (start, whole) = (usize::from(before == 1), page.last_boundary());
        if whole > start {
            return Ok(Ok(page.slice(start..whole)));
        }
        self.first_message(view, plan.start).await.map(|message| Ok(message.into()))
    }

    /// One message that is longer than the page asked for: it is delivered whole, out of as many
    /// records or sealed objects as hold it.
    async fn first_message(&self, view: &View, start: Offset) -> Result<Bytes, LogError> {
        let mut end = start;
        while end < view.state.tail {
            end = view.holder_end(end);
            let page = self.page(view, start, end).await?.joined();
            if let Some(last) = memchr::memchr(b'\n', &page) {
                return Ok(page.slice(..=last));
            }
        }
        Err(LogError::Damaged("a JSON stream does not end with a message".to_owned()))
    }
}

fn answer(view: &View, start: Offset, next: Offset, array: bool, body: PageBytes) -> ReadAnswer {
    let end = ReadPlan::end_at(&view.state, next);
    ReadAnswer {
        stream: StreamDescription::from(&view.state),
        start,
        next,
        end,
        tag: ReadTag { incarnation: view.state.incarnation, start, next, array, end },
        not_modified: false,
        body,
    }
}
