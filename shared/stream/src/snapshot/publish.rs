//! Publishing a snapshot.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{
    Incarnation, Offset, Operation, PartsRefusal, PublishRequest, Published, Refusal, StreamState, Timestamp,
    decide::{Decision, Moment, NeedsByte, decide_publish},
    state::Snapshot,
};

use super::{objects::Objects, parts::Parts, pieces::Stop};
use crate::{
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::PUBLISH_ATTEMPTS_MAX,
    log::LogError,
    proposal::Terms,
    view::View,
};

/// The body of a snapshot that is published.
#[derive(Clone, Debug)]
pub(super) enum Content {
    AtHand(Bytes),
    Parts(Arc<Parts>),
}

/// What was made ready for one incarnation, before the decision.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) incarnation: Incarnation,
    /// The byte before the snapshot's offset.
    byte_before: Option<u8>,
    pub(super) upload: Option<Upload>,
}

/// A body in the bucket.
#[derive(Clone, Debug)]
pub(super) struct Upload {
    pub(super) object: String,
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
        self.publish_content(request, Content::AtHand(body), None).await
    }

    /// The same for a body from wherever. `ready`: what was made ready already.
    pub(super) async fn publish_content(
        self: Arc<Self>,
        request: Arc<PublishRequest>,
        body: Content,
        mut ready: Option<Ready>,
    ) -> Result<Published, Refusal> {
        self.shared.fitness.check()?;
        for _ in 0..PUBLISH_ATTEMPTS_MAX {
            let Lookup::Live(view) = self.usable().await? else { return Err(Refusal::StreamNotFound) };
            let incarnation = view.state.incarnation;
            let of_this = ready.take().filter(|ready| ready.incarnation == incarnation);
            let mut now = of_this.unwrap_or(Ready { incarnation, byte_before: None, upload: None });
            if self.make_ready(&view, &request, &body, &mut now).await? {
                if now.upload.is_some() && defects::active(Defect::SnapshotCopiedBeforeCommit) {
                    self.copy(&request, incarnation, &now, body.clone()).await;
                }
                match self.propose_snapshot(&request, &now).await? {
                    Step::Committed(published) => {
                        self.copy(&request, published.incarnation, &now, body).await;
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
        body: &Content,
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
            ready.upload = Some(self.upload(ready.incarnation, request, body).await?);
        }
        Ok(true)
    }

    /// Whether a record may still name a body: one that none names is collected some time.
    fn is_young(&self, upload: &Upload) -> bool {
        self.bucket().is_warm(upload.uploaded)
    }

    /// One byte of the stream. `None`: the view is out of date.
    pub(super) async fn byte_at(&self, view: &View, at: Offset) -> Result<Option<u8>, Refusal> {
        match self.page(view, at, at.saturating_add(1)).await {
            Ok(page) => Ok(page.first()),
            Err(LogError::Stale) => {
                self.discard(view);
                Ok(None)
            }
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    /// Uploads the body before anything is known of the stream but its incarnation.
    pub(super) async fn make_ready_at_once(
        &self,
        incarnation: Incarnation,
        request: &PublishRequest,
        parts: &Arc<Parts>,
    ) -> Result<Ready, Refusal> {
        let upload = self.upload(incarnation, request, &Content::Parts(parts.clone())).await?;
        Ok(Ready { incarnation, byte_before: None, upload: Some(upload) })
    }

    async fn upload(
        &self,
        incarnation: Incarnation,
        request: &PublishRequest,
        body: &Content,
    ) -> Result<Upload, Refusal> {
        let snapshot = named(request, self.writer_mark());
        let objects = Objects::new(self, incarnation);
        let uploaded = match body {
            Content::AtHand(body) => objects.upload(&snapshot.object, body.clone()).await.map_err(Stop::Store),
            Content::Parts(parts) if parts.incarnation != incarnation => Err(Stop::Gone),
            Content::Parts(parts) => objects.assemble(&snapshot, parts).await,
        };
        match uploaded {
            Ok(uploaded) => Ok(Upload { object: snapshot.object, uploaded }),
            Err(Stop::Gone) => Err(PartsRefusal::Unknown.into()),
            Err(Stop::OtherDigest) => Err(PartsRefusal::OtherDigest.into()),
            Err(Stop::Store(error)) => {
                tracing::warn!(stream = self.key.key_text(), %error, "the body of a snapshot could not be stored");
                Err(Refusal::StoreUnavailable)
            }
        }
    }

    /// Decides at the tail of the log and commits what comes of it.
    async fn propose_snapshot(self: &Arc<Self>, request: &Arc<PublishRequest>, ready: &Ready) -> Result<Step, Refusal> {
        let uploaded = ready.upload.as_ref().map(|upload| upload.uploaded);
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
}

fn commits_snapshot(decision: &Decision<Published>) -> bool {
    matches!(decision, Decision::Commit { operation: Operation::Snapshot(_), .. })
}

/// The snapshot as it is committed.
pub(super) fn named(request: &PublishRequest, object: String) -> Snapshot {
    Snapshot {
        offset: request.name.offset,
        digest: request.name.digest,
        content_type: request.content_type.clone(),
        bytes: request.bytes,
        object,
    }
}
