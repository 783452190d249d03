//! Live reads: following a stream as it grows.

use std::{sync::Arc, time::Duration};

use wadi_protocol::{Offset, ReadForm, ReadFrom, ReadRequest, Refusal, StreamDescription, StreamState};

use crate::{
    alarm::Alarm,
    cell::{Cell, Lookup},
    defects::{self, Defect},
    shared_page::{PageKey, SharedPage},
    view::View,
};

/// A reader that follows a stream. It is bound to the incarnation that it was opened on: when that
/// ends, the tail ends, and a stream created anew under the name changes nothing.
#[derive(Debug)]
pub struct Tail {
    cell: Arc<Cell>,
    view: Arc<View>,
    next: Offset,
    form: ReadForm,
    /// The tail up to which bytes were given back: they wait for what follows them.
    held_at: Option<Offset>,
    alarm: Alarm,
}

/// What a tail has to say next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TailStep {
    /// Bytes, which tails that stand at the same offset have in common.
    Page(Arc<SharedPage>),
    /// All was read, and nothing more will come.
    Closed(StreamDescription),
    /// All that is there was read, and nothing came in the time given.
    Idle(StreamDescription),
}

impl Cell {
    /// Opens a tail. Renews a time-to-live, as any read does.
    pub(crate) async fn tail(self: &Arc<Self>, request: &ReadRequest) -> Result<Tail, Refusal> {
        let view = self.living(self.fresh().await?).await?;
        let plan = wadi_protocol::decide::decide_read(&view.state, request)?;
        self.renew(&view).await;
        self.inner().watchers.tails += 1;
        self.poll_for_tails();
        Ok(Tail {
            cell: self.clone(),
            view,
            next: plan.start,
            form: request.form,
            held_at: None,
            alarm: Alarm::default(),
        })
    }
}

impl Tail {
    /// The offset it will read next.
    pub fn next_offset(&self) -> Offset {
        self.next
    }

    /// What is known of the stream.
    pub fn stream(&self) -> StreamDescription {
        StreamDescription::from(&self.view.state)
    }

    /// What there is to say now, or what comes within `wait`. At most `bytes_max` bytes, except
    /// that one JSON message in the array form is never cut.
    ///
    /// [`Refusal::StreamNotFound`] once the stream has ended.
    pub async fn step(&mut self, bytes_max: u64, wait: Duration) -> Result<TailStep, Refusal> {
        let deadline = self.cell.bucket().monotonic() + wait;
        loop {
            let StreamState { tail, closed, .. } = self.view.state;
            if self.next < tail && (closed || self.held_at != Some(tail)) {
                return self.page(bytes_max).await;
            }
            if closed {
                return Ok(TailStep::Closed(self.stream()));
            }
            if !self.news(deadline).await? {
                return Ok(TailStep::Idle(self.stream()));
            }
        }
    }

    /// Takes back the last bytes of a page, to be read again with what follows them: what a reader
    /// of text does that must not split a character.
    pub fn give_back(&mut self, bytes: u64) {
        self.held_at = (bytes > 0 && self.next == self.view.state.tail).then_some(self.next);
        self.next = Offset::new(self.next.get().saturating_sub(bytes));
    }

    async fn page(&mut self, bytes_max: u64) -> Result<TailStep, Refusal> {
        let key = PageKey::new(&self.view, self.next, bytes_max, self.form);
        let known = self.cell.inner().watchers.page(&key);
        let page = match known {
            Some(page) => page,
            None => self.read_page(bytes_max).await?,
        };
        self.next = page.next;
        Ok(TailStep::Page(page))
    }

    /// Reads a page, and leaves it to the other tails.
    async fn read_page(&mut self, bytes_max: u64) -> Result<Arc<SharedPage>, Refusal> {
        let request = ReadRequest {
            from: ReadFrom::At(self.next),
            bytes_max,
            form: self.form,
            incarnation: None,
            if_none_match: None,
        };
        // The page lies below a tail that was proved, so it needs no probe of its own. If a record
        // of it is gone meanwhile, the stream is looked up again.
        let mut page = self.cell.read_from(&self.view, &request).await?;
        if page.is_none() {
            self.cell.discard(&self.view);
            self.look_up().await?;
            page = self.cell.read_from(&self.view, &request).await?;
        }
        let page = Arc::new(SharedPage::new(page.ok_or(Refusal::StoreUnavailable)?));
        let key = PageKey::new(&self.view, self.next, bytes_max, self.form);
        self.cell.inner().watchers.share(key, &page);
        Ok(page)
    }

    /// Waits until more is known of the stream; false at the deadline.
    async fn news(&mut self, deadline: Duration) -> Result<bool, Refusal> {
        let wait = {
            let mut inner = self.cell.inner();
            match inner.view() {
                Some(here) if self.is_behind(here) => {
                    self.view = here.clone();
                    return Ok(true);
                }
                Some(here) if here.state.incarnation == self.view.state.incarnation => Some(inner.watchers.wait()),
                _ => None,
            }
        };
        // Another incarnation, or none, is known by now: find out what that means for this one.
        let Some(wait) = wait else { return self.look_up().await.map(|()| true) };
        let runtime = self.cell.bucket().runtime();
        Ok(self.alarm.before(deadline, runtime.as_ref(), wait).await.is_some())
    }

    async fn look_up(&mut self) -> Result<(), Refusal> {
        match self.cell.fresh().await? {
            Lookup::Live(view)
                if view.state.incarnation == self.view.state.incarnation
                    || defects::active(Defect::TailChangesIncarnation) =>
            {
                self.view = view;
                Ok(())
            }
            Lookup::Live(_) | Lookup::Missing => Err(Refusal::StreamNotFound),
        }
    }

    fn is_behind(&self, here: &View) -> bool {
        here.state.incarnation == self.view.state.incarnation && here.position.seq > self.view.position.seq
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.cell.inner().watchers.leave();
    }
}
