#![allow(clippy::unwrap_used, reason = "tests")]

use std::cell::Cell;

use wadi_protocol::{ContentType, End, Lifetime, ReadTag, StreamDescription};

use super::*;

fn page(bytes: usize) -> Arc<SharedPage> {
    let (incarnation, next) = (Incarnation::from_random(7), Offset::new(bytes as u64));
    let stream = StreamDescription {
        incarnation,
        content_type: ContentType::parse("text/plain").unwrap(),
        lifetime: Lifetime::Forever,
        tail: next,
        retained: Offset::ZERO,
        closed: false,
        snapshot: None,
    };
    let end = End::OpenTail;
    let tag = ReadTag { incarnation, start: Offset::ZERO, next, array: false, end };
    let body = Bytes::from(vec![b'x'; bytes]).into();
    Arc::new(SharedPage::new(ReadAnswer { stream, start: Offset::ZERO, next, end, tag, not_modified: false, body }))
}

fn key(start: u64) -> PageKey {
    let (incarnation, form) = (Incarnation::from_random(7), ReadForm::Stored);
    PageKey { incarnation, seq: 1, start: Offset::new(start), bytes_max: 1024, form }
}

#[test]
fn a_page_goes_once_as_many_have_taken_it_as_it_was_left_for() {
    let (mut pages, page) = (SharedPages::default(), page(10));
    pages.leave(key(0), &page, 2);
    assert!(pages.take(&key(1)).is_none());
    assert!(Arc::ptr_eq(&pages.take(&key(0)).unwrap(), &page));
    assert!(Arc::ptr_eq(&pages.take(&key(0)).unwrap(), &page));
    assert!(pages.take(&key(0)).is_none());
    assert_eq!(Arc::strong_count(&page), 1);
}

#[test]
fn pages_are_bounded_in_number_and_in_bytes() {
    let (mut pages, small) = (SharedPages::default(), page(10));
    for start in 0..100 {
        pages.leave(key(start), &small, 9);
    }
    assert_eq!(pages.0.len(), SHARED_PAGES_MAX);
    assert!(pages.take(&key(0)).is_none() && pages.take(&key(99)).is_some());
    pages.leave(key(200), &page(SHARED_PAGE_BYTES_MAX + 1), 9);
    pages.leave(key(201), &small, 0);
    assert!(pages.take(&key(200)).is_none() && pages.take(&key(201)).is_none());
}

#[test]
fn what_is_made_of_a_page_is_made_once_for_each_form_within_a_bound() {
    let (page, calls) = (page(10), Cell::new(0));
    let make = |form: PageForm| {
        page.made(form, || {
            calls.set(calls.get() + 1);
            Bytes::from(form.1.to_string())
        })
    };
    for _ in 0..3 {
        assert_eq!(make((0, 5)), "5");
        assert_eq!(make((1, 6)), "6");
    }
    assert_eq!(calls.get(), 2);
    for form in 0..100 {
        assert_eq!(make((2, form)), form.to_string());
    }
    assert_eq!(page.made.lock().unwrap().len(), SHARED_PAGE_FORMS_MAX);
}
