//! What every store must do, written once. Each function is one test of one store.

pub mod basics;
pub mod conditions;
pub mod listing;
pub mod races;
pub mod ranges;
pub mod refusals;
pub mod uploads;

use bytes::Bytes;
use wadi_protocol::Timestamp;
use wadi_store::{
    GetOptions, GetOutcome, ListRequest, NewObject, ObjectKey, ObjectTag, PutCondition, PutOutcome, SharedStore,
    StoredObject,
};

/// A store under test and what may be asked of it.
pub struct Fixture {
    /// The store.
    pub store: SharedStore,
    /// Where this test keeps its keys; nobody else uses it.
    pub prefix: String,
    /// How many tasks may race for one key: 32, fewer where a store stalls.
    pub racers: usize,
    /// True when listings come in byte order (S3's), false for stores with an order of their own.
    pub byte_order: bool,
    /// True when any UTF-8 may be a key. False where keys are kept as paths of files, so that `..`, doubled
    /// slashes and a key below another key are trouble.
    pub any_key: bool,
    /// Keeps a directory alive as long as the test.
    pub _directory: Option<tempfile::TempDir>,
}

impl Fixture {
    pub fn key(&self, name: &str) -> ObjectKey {
        ObjectKey::new(format!("{}{name}", self.prefix))
    }

    pub async fn put(&self, name: &str, body: impl Into<Bytes>, condition: PutCondition) -> PutOutcome {
        self.store.put(&self.key(name), NewObject::from(body.into()), condition).await.unwrap()
    }

    /// Writes an object that must be written.
    pub async fn store(&self, name: &str, body: impl Into<Bytes>, condition: PutCondition) -> ObjectTag {
        match self.put(name, body, condition).await {
            PutOutcome::Stored { tag, .. } => tag,
            other => panic!("{name} was not stored: {other:?}"),
        }
    }

    pub async fn get(&self, name: &str) -> GetOutcome {
        self.store.get(&self.key(name), GetOptions::default()).await.unwrap()
    }

    /// Reads an object that must be there.
    pub async fn found(&self, name: &str) -> StoredObject {
        found(self.get(name).await)
    }

    pub async fn is_missing(&self, name: &str) -> bool {
        matches!(self.get(name).await, GetOutcome::Missing { .. })
    }

    /// All names below a prefix, in the store's order, read in pages of `limit`.
    pub async fn names(&self, below: &str, limit: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut start_after = None;
        loop {
            let request = ListRequest { prefix: format!("{}{below}", self.prefix), start_after, limit };
            let page = self.store.list(request).await.unwrap();
            assert!(page.objects.len() <= limit);
            names.extend(page.objects.iter().map(|o| o.key.as_str()[self.prefix.len()..].to_owned()));
            if !page.more {
                return names;
            }
            start_after = Some(page.objects.last().expect("a page that promises more holds something").key.clone());
        }
    }
}

pub fn found(outcome: GetOutcome) -> StoredObject {
    match outcome {
        GetOutcome::Found(object) => object,
        other => panic!("not found: {other:?}"),
    }
}

pub fn date_of_put(outcome: &PutOutcome) -> Timestamp {
    match outcome {
        PutOutcome::Stored { date, .. } | PutOutcome::PreconditionFailed { date } | PutOutcome::Conflict { date } => {
            *date
        }
    }
}

/// Makes one test a line, for each store.
macro_rules! contract_tests {
    ($fixture:path) => {
        crate::contract::contract_tests! { $fixture,
            basics: a_missing_key_is_missing, a_write_is_read_back, an_empty_body_is_kept, a_write_replaces_the_object,
                attributes_come_back, eight_mebibytes_come_back, a_body_of_every_awkward_size_comes_back,
                deleted_objects_are_gone, a_known_tag_is_not_modified, odd_keys_are_kept_apart, the_longest_key_works,
                dates_never_go_back, concurrent_writes_of_many_keys_all_land;
            conditions: a_key_is_created_once, a_stale_tag_changes_nothing, the_current_tag_lets_a_write_through,
                an_update_of_a_missing_key_fails, a_deleted_key_can_be_created_again;
            ranges: a_range_is_cut_out, a_range_is_clamped_to_the_end, a_range_past_the_end_is_out_of_range;
            listing: a_prefix_selects, pages_add_up, a_listing_starts_after_a_key, a_listing_tells_size_and_date;
            refusals: a_key_too_long_is_rejected, a_range_of_nothing_is_rejected, a_page_without_limit_is_rejected;
            uploads: parts_become_one_object, one_small_part_is_enough, a_part_sent_again_is_replaced,
                an_upload_does_not_replace_an_object, an_aborted_upload_leaves_nothing, two_uploads_of_one_key_do_not_mix,
                parts_that_were_not_sent_are_rejected, a_part_too_small_before_the_last_is_rejected,
                a_part_too_large_is_rejected_at_once;
            races: one_racer_creates_a_key, compare_and_set_loses_no_update;
        }
    };
    ($fixture:path, $($module:ident: $($name:ident),+;)+) => {
        $($(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                if let Some(fixture) = $fixture(stringify!($name)).await {
                    crate::contract::$module::$name(&fixture).await;
                }
            }
        )+)+
    };
}
pub(crate) use contract_tests;
