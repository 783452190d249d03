//! Publishing a snapshot.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::select;
use wadi_protocol::{
    Incarnation, Offset, Operation, PublishRequest, Published, Refusal, StreamState, Timestamp,
    decide::{Decision, Moment, NeedsByte, decide_publish},
    state::Snapshot,
};

use super::objects::Objects;
use crate::{
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::{PUBLISH_ATTEMPTS_MAX, SIDE_WORK_WAIT_MAX},
    log::LogError,
    proposal::Terms,
    view::View,
};

/// What was made ready for one incarnation, before the decision.
#[derive(Clone, Debug)]
struct Ready {
    incarnation: Incarnation,
    /// The byte before the snapshot's offset.
    byte_before: Option<u8>,
    upload: Option<Upload>,
}

/// A body in the bucket.
#[derive(Clone, Debug)]
struct Upload {
    object: String,
    uploaded: Timestamp,
}

/// How a publish stands after one try.
enum Step {
    Committed(Published),
    /// It was published before.
    Repeated(Published),
    /// What was made ready does not serve the stream as it is now.
    Again,
}

impl Cell {
    /// Publishes a snapshot: uploads its body, commits a record that names it, and copies it to its own
    /// key.
    ///
    /// What can be refused, or is a repeat, is answered without an upload.
    pub(super) async fn publish_snapshot(
        self: Arc<Self>,
        request: Arc<PublishRequest>,
        body: Bytes,
    ) -> Result<Published, Refusal> {
        self.shared.fitness.check()?;
        let mut ready: Option<Ready> = None;
        for _ in 0..PUBLISH_ATTEMPTS_MAX {
            let Lookup::Live(view) = self.usable().await? else { return Err(Refusal::StreamNotFound) };
            let incarnation = view.state.incarnation;
            let of_this = ready.take().filter(|ready| ready.incarnation == incarnation);
            let mut now = of_this.unwrap_or(Ready { incarnation, byte_before: None, upload: None });
            if self.make_ready(&view, &request, &body, &mut now).await? {
                if now.upload.is_some() && defects::active(Defect::SnapshotCopiedBeforeCommit) {
                    self.copy(&request, incarnation, body.clone()).await;
                }
                match self.propose_snapshot(&request, &now).await? {
                    Step::Committed(published) => {
                        self.copy(&request, published.incarnation, body).await;
                        return Ok(published);
                    }
                    Step::Repeated(published) => {
                        self.complete_copy(&request, published.incarnation, body).await;
                        return Ok(published);
                    }
                    Step::Again => {}
                }
            }
            ready = Some(now);
        }
        Err(Refusal::StreamBusy)
    }

    /// Reads and uploads what the decision will need, should the stream be as `view` has it. False: the
    /// view is out of date.
    async fn make_ready(
        &self,
        view: &View,
        request: &PublishRequest,
        body: &Bytes,
        ready: &mut Ready,
    ) -> Result<bool, Refusal> {
        let moment = self.bucket().moment();
        let decision = match decide_publish(&view.state, request, "", ready.byte_before, moment) {
            Ok(decision) => decision,
            Err(NeedsByte(at)) => match self.byte_at(view, at).await? {
                None => return Ok(false),
                Some(byte) => {
                    ready.byte_before = Some(byte);
                    match decide_publish(&view.state, request, "", Some(byte), moment) {
                        Ok(decision) => decision,
                        Err(NeedsByte(_)) => return Ok(false),
                    }
                }
            },
        };
        let uploaded = ready.upload.as_ref().is_some_and(|upload| self.is_young(upload));
        if commits_snapshot(&decision) && !uploaded {
            ready.upload = Some(self.upload(ready.incarnation, body.clone()).await?);
        }
        Ok(true)
    }

    /// Whether a record may still name a body: one that none names is collected some time.
    fn is_young(&self, upload: &Upload) -> bool {
        self.bucket().is_warm(upload.uploaded) || defects::active(Defect::OldUploadNamed)
    }

    /// One byte of the stream. `None`: the view is out of date.
    pub(super) async fn byte_at(&self, view: &View, at: Offset) -> Result<Option<u8>, Refusal> {
        match self.page(view, at, at.saturating_add(1)).await {
            Ok(page) => Ok(page.first().copied()),
            Err(LogError::Stale) => {
                self.discard(view);
                Ok(None)
            }
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    async fn upload(&self, incarnation: Incarnation, body: Bytes) -> Result<Upload, Refusal> {
        let object = self.writer_mark();
        match Objects::new(self, incarnation).upload(&object, body).await {
            Ok(uploaded) => Ok(Upload { object, uploaded }),
            Err(error) => {
                tracing::warn!(stream = self.key.key_text(), %error, "the body of a snapshot could not be stored");
                Err(Refusal::StoreUnavailable)
            }
        }
    }

    /// Decides at the tail of the log and commits what comes of it.
    async fn propose_snapshot(self: &Arc<Self>, request: &Arc<PublishRequest>, ready: &Ready) -> Result<Step, Refusal> {
        let vouched = ready.upload.as_ref().filter(|_| !defects::active(Defect::OldUploadNamed));
        let uploaded = vouched.map(|upload| upload.uploaded);
        let terms = Terms { payload: Bytes::new(), needs_proof: true };
        let (cell, request, ready) = (self.clone(), request.clone(), ready.clone());
        self.propose_naming(terms, uploaded, move |state, moment| cell.decide_snapshot(state, &request, &ready, moment))
            .await
    }

    fn decide_snapshot(
        &self,
        state: &StreamState,
        request: &PublishRequest,
        ready: &Ready,
        moment: Moment,
    ) -> Decision<Step> {
        let again = || Decision::Answer(Ok(Step::Again));
        let ours = state.incarnation == ready.incarnation;
        let upload = ready.upload.as_ref().filter(|upload| ours && self.is_young(upload));
        let object = upload.map_or("", |upload| &upload.object);
        let unheeding =
            defects::active(Defect::SnapshotReplaced).then(|| StreamState { snapshot: None, ..state.clone() });
        let state = unheeding.as_ref().unwrap_or(state);
        match decide_publish(state, request, object, ready.byte_before.filter(|_| ours), moment) {
            Err(NeedsByte(_)) => again(),
            Ok(decision) if commits_snapshot(&decision) && upload.is_none() => again(),
            Ok(Decision::Answer(answer)) => Decision::Answer(answer.map(Step::Repeated)),
            Ok(commit) => commit.map(Step::Committed),
        }
    }

    /// Copies a body that was just committed to its own key. One that takes long is not waited for.
    async fn copy(self: &Arc<Self>, request: &PublishRequest, incarnation: Incarnation, body: Bytes) {
        let (objects, snapshot) = (Objects::new(self, incarnation), named(request));
        self.beside(async move { objects.copy(&snapshot, body).await }).await;
    }

    /// The same for a snapshot that was committed before: should its publisher have gone away before it
    /// had copied the body, the one who repeats the publish has the body, too. `incarnation` is the one that
    /// was published to, which what was made ready need not be for.
    async fn complete_copy(self: &Arc<Self>, request: &PublishRequest, incarnation: Incarnation, body: Bytes) {
        let (objects, snapshot) = (Objects::new(self, incarnation), named(request));
        let complete = async move {
            if !objects.is_copied(&snapshot).await {
                objects.copy(&snapshot, body).await;
            }
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
}

fn commits_snapshot(decision: &Decision<Published>) -> bool {
    matches!(decision, Decision::Commit { operation: Operation::Snapshot(_), .. })
}

/// The snapshot as it was committed, but for where its body was uploaded to.
fn named(request: &PublishRequest) -> Snapshot {
    Snapshot {
        offset: request.name.offset,
        digest: request.name.digest,
        content_type: request.content_type.clone(),
        bytes: request.bytes,
        object: String::new(),
    }
}
