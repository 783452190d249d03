//! Copies of snapshots under their own keys: by their publisher, and those that it did not get to make.

use std::sync::Arc;

use futures::future::select;
use wadi_protocol::{Incarnation, PublishRequest, state::Snapshot};

use super::{
    objects::Objects,
    publish::{Content, Ready, named},
};
use crate::{
    cell::Cell,
    limits::{COPY_PAUSE_AFTER_FAILURE, SIDE_WORK_WAIT_MAX},
    view::View,
};

impl Cell {
    /// Copies a body that was just committed to its own key. One that takes long is not waited for.
    pub(super) async fn copy(
        self: &Arc<Self>,
        request: &PublishRequest,
        incarnation: Incarnation,
        ready: &Ready,
        body: Content,
    ) {
        let object = ready.upload.as_ref().map(|upload| upload.object.clone()).unwrap_or_default();
        let (cell, snapshot) = (self.clone(), named(request, object));
        let copy = async move {
            let objects = Objects::new(&cell, incarnation);
            let copied = match body {
                Content::AtHand(body) => objects.copy(&snapshot, body).await,
                Content::Parts(_) => cell.copy_upload(&objects, &snapshot).await,
            };
            cell.note_copied(copied, incarnation, &snapshot);
        };
        self.beside(copy).await;
    }

    /// The same for a snapshot that was committed before: should its publisher have gone away before it
    /// had copied the body, the one who repeats the publish has the body, too. `incarnation` is the one that
    /// was published to, which what was made ready need not be for. Parts are not at hand any more: there it is
    /// left to whoever seals or collects.
    pub(super) async fn complete_copy(
        self: &Arc<Self>,
        request: &PublishRequest,
        incarnation: Incarnation,
        body: Content,
    ) {
        let Content::AtHand(body) = body else { return };
        let (cell, snapshot) = (self.clone(), named(request, String::new()));
        let complete = async move {
            let objects = Objects::new(&cell, incarnation);
            let copied = objects.is_copied(&snapshot).await || objects.copy(&snapshot, body).await;
            cell.note_copied(copied, incarnation, &snapshot);
        };
        self.beside(complete).await;
    }

    async fn beside(self: &Arc<Self>, work: impl Future<Output = ()> + Send + 'static) {
        let work = self.clone().run_to_end(|_| async move {
            work.await;
            Ok(())
        });
        let _ = select(std::pin::pin!(work), self.bucket().runtime().sleep(SIDE_WORK_WAIT_MAX)).await;
    }

    /// Puts the copy of the latest snapshot in its place, should whoever published it have gone away before.
    /// Costs nothing where this process knows that it is there, else one request to find out. A failure is
    /// left to a later pass, as the body is read where it was uploaded to: not to the next, for a busy stream is
    /// sealed far more often than a large body should be sent in vain.
    pub(crate) async fn complete_snapshot(&self, view: &View) {
        let Some(snapshot) = &view.state.snapshot else { return };
        let incarnation = view.state.incarnation;
        if self.is_copy_wanted(incarnation, snapshot) && !self.copy_latest(incarnation, snapshot).await {
            self.inner().copy_failed = Some((incarnation, snapshot.offset, self.bucket().monotonic()));
        }
    }

    fn is_copy_wanted(&self, incarnation: Incarnation, snapshot: &Snapshot) -> bool {
        let (now, inner) = (self.bucket().monotonic(), self.inner());
        let failed = inner.copy_failed.is_some_and(|(of, offset, at)| {
            (of, offset) == (incarnation, snapshot.offset) && now.saturating_sub(at) < COPY_PAUSE_AFTER_FAILURE
        });
        !failed && inner.copied != Some((incarnation, snapshot.offset))
    }

    /// The same where a listing shows that the copy is missing. True once it is in place.
    pub(crate) async fn copy_latest(&self, incarnation: Incarnation, snapshot: &Snapshot) -> bool {
        let copied = self.copy_upload(&Objects::new(self, incarnation), snapshot).await;
        self.note_copied(copied, incarnation, snapshot);
        copied
    }

    async fn copy_upload(&self, objects: &Objects, snapshot: &Snapshot) -> bool {
        let _place = self.shared.part_copies.copied.acquire().await;
        objects.copy_upload(snapshot).await
    }

    pub(super) fn note_copied(&self, copied: bool, incarnation: Incarnation, snapshot: &Snapshot) {
        if copied {
            self.inner().copied = Some((incarnation, snapshot.offset));
        }
    }
}
