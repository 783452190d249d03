//! Pages that many tails read at once: each is read once, and what is made of it is made once.

use std::{
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use wadi_protocol::{Incarnation, Offset, ReadForm};

use crate::{
    limits::{SHARED_PAGE_BYTES_MAX, SHARED_PAGE_FORMS_MAX, SHARED_PAGES_MAX},
    read::ReadAnswer,
    view::View,
};

/// A page that tails have in common, and what was made of it.
#[derive(Debug)]
pub struct SharedPage {
    answer: ReadAnswer,
    made: Mutex<Vec<(PageForm, Bytes)>>,
}

/// What a page is made into: two numbers, which tell all that it depends on besides the page.
pub type PageForm = (u8, u64);

/// What a page depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageKey {
    incarnation: Incarnation,
    /// The last record that was known.
    seq: u64,
    start: Offset,
    bytes_max: u64,
    form: ReadForm,
}

/// The latest pages of a stream that not every tail has taken yet.
#[derive(Debug, Default)]
pub(crate) struct SharedPages(Vec<Left>);

/// A page that is left for so many tails.
#[derive(Debug)]
struct Left {
    key: PageKey,
    page: Arc<SharedPage>,
    tails: usize,
}

impl SharedPage {
    pub(crate) fn new(mut answer: ReadAnswer) -> Self {
        if answer.body.len() <= SHARED_PAGE_BYTES_MAX {
            // Once for all who would need it so.
            answer.body = answer.body.joined().into();
        }
        Self { answer, made: Mutex::default() }
    }

    /// The page by itself.
    pub fn into_answer(page: Arc<Self>) -> ReadAnswer {
        Arc::try_unwrap(page).map_or_else(|shared| shared.answer.clone(), |own| own.answer)
    }

    /// What `make` makes of the page. It is called once for all tails that ask for the same form at about the same
    /// time, so what it makes must depend on the page and the form alone.
    pub fn made(&self, form: PageForm, make: impl FnOnce() -> Bytes) -> Bytes {
        if self.answer.body.len() > SHARED_PAGE_BYTES_MAX {
            return make();
        }
        let mut known = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = known.iter().find(|(of, _)| *of == form) {
            return bytes.clone();
        }
        let bytes = make();
        if known.len() < SHARED_PAGE_FORMS_MAX {
            known.push((form, bytes.clone()));
        }
        bytes
    }
}

/// What was made of it makes no difference.
impl PartialEq for SharedPage {
    fn eq(&self, other: &Self) -> bool {
        self.answer == other.answer
    }
}

impl Eq for SharedPage {}

impl Deref for SharedPage {
    type Target = ReadAnswer;

    fn deref(&self) -> &ReadAnswer {
        &self.answer
    }
}

impl PageKey {
    pub(crate) fn new(view: &View, start: Offset, bytes_max: u64, form: ReadForm) -> Self {
        Self { incarnation: view.state.incarnation, seq: view.position.seq, start, bytes_max, form }
    }
}

impl SharedPages {
    /// A page that is there; once as many have taken it as it was left for, it goes.
    pub(crate) fn take(&mut self, key: &PageKey) -> Option<Arc<SharedPage>> {
        let index = self.0.iter().position(|left| left.key == *key)?;
        let left = &mut self.0[index];
        left.tails -= 1;
        if left.tails > 0 { Some(left.page.clone()) } else { Some(self.0.remove(index).page) }
    }

    /// Leaves a page for so many tails, in the place of the oldest if there is no room.
    pub(crate) fn leave(&mut self, key: PageKey, page: &Arc<SharedPage>, tails: usize) {
        if tails == 0 || page.body.len() > SHARED_PAGE_BYTES_MAX || self.0.iter().any(|left| left.key == key) {
            return;
        }
        if self.0.len() == SHARED_PAGES_MAX {
            self.0.remove(0);
        }
        self.0.push(Left { key, page: page.clone(), tails });
    }
}

#[cfg(test)]
#[path = "shared_page_tests.rs"]
mod tests;
