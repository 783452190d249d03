//! One pass of sealing over one stream.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{Digest, Offset, StreamState};
use wadi_store::{NewObject, PutCondition};

use super::{plan::Plan, write::chunk_object};
use crate::{
    cell::Cell,
    defects::{self, Defect},
    layout::{sealed_key, state_key},
    limits::STATE_IN_MANIFEST_BYTES_MAX,
    log::LogError,
    log_part::Checkpoint,
    manifest::{Covered, Manifest, StateObject},
    manifests::Swap,
    open::stands,
    payloads::Holder,
    sealed::{Sealed, SealedObject, Segment},
    view::View,
};

impl View {
    fn plan(&self) -> Plan {
        let StreamState { retained, tail, closed, .. } = self.state;
        Plan::of(&self.manifest.manifest.sealed, retained..tail, closed)
    }

    /// Whether sealing would let go of chunks that the manifest names.
    fn lets_go_of_chunks(&self) -> bool {
        self.plan().chunks_start > self.manifest.manifest.sealed.chunks_start
    }
}

impl Cell {
    /// Lets go of the chunks that retention has left behind, by sealing: whoever collects an idle stream does so,
    /// as no write ever makes that due.
    pub(crate) async fn let_go_of_chunks(self: &Arc<Self>, view: &Arc<View>) -> Result<(), LogError> {
        if !view.lets_go_of_chunks() {
            return Ok(());
        }
        match self.seal(view).await {
            // Another sealer was faster.
            Ok(_) | Err(LogError::Stale) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Seals all that `view` knows, and publishes a checkpoint there. True when it is in place; false
    /// when there was nothing to do, or another change of the manifest came first and what was
    /// written is left as garbage.
    pub(crate) async fn seal(self: &Arc<Self>, view: &Arc<View>) -> Result<bool, LogError> {
        let known = &view.manifest;
        if view.state.deleted.is_some() || view.position.seq <= known.manifest.log.checkpoint.seq {
            return Ok(false);
        }
        let collected = self.collect_slots(view.state.incarnation, &known.manifest.log).await?;
        let sealed = self.write_sealed(view).await?;
        let covered = self.write_state(view, sealed).await?;
        let position = &view.position;
        let checkpoint = Checkpoint { seq: position.seq, id: position.id.clone(), at: position.at };
        let log = collected.followed_by(checkpoint, known.manifest.cover(known.published));
        let log = log.with_floor_raised_by_covers(position.validated, self.shared.grace);
        let published = self.publish(view, known.manifest.advanced(log, covered, self.writer_mark())).await;
        self.complete_snapshot(view).await;
        published
    }

    /// Writes the chunks and segments that reach the end of what `view` knows.
    async fn write_sealed(&self, view: &View) -> Result<Sealed, LogError> {
        let plan = view.plan();
        for range in plan.chunks {
            let bytes = self.gather(view, range.clone()).await?;
            let object = SealedObject::Chunk { start: range.start, end: range.end };
            self.write_one(view, object, chunk_object(view, range.start, bytes)).await?;
        }
        let mut segments = plan.kept;
        if let Some(range) = plan.segment {
            let bytes = self.gather(view, range.clone()).await?;
            let segment = Segment { end: range.end, blake3: Digest::of(&bytes) };
            let object = SealedObject::Segment { start: range.start, end: range.end, blake3: segment.blake3 };
            self.write_one(view, object, NewObject::from(bytes)).await?;
            segments.push(segment);
        }
        Ok(Sealed { chunks_start: plan.chunks_start, chunks_end: plan.chunks_end, segments })
    }

    async fn write_one(&self, view: &View, object: SealedObject, new: NewObject) -> Result<(), LogError> {
        let incarnation = view.state.incarnation;
        let bytes = new.body.clone();
        self.put_sealed(&sealed_key(&self.prefix(incarnation), &object), new).await?;
        // Whoever reads here next finds it without a request.
        self.shared.payloads.keep(incarnation, Holder::Sealed(object), bytes);
        Ok(())
    }

    /// The state goes into the manifest, or into an object of its own when it is large.
    async fn write_state(&self, view: &View, sealed: Sealed) -> Result<Covered, LogError> {
        let json = serde_json::to_vec(&view.state).map_err(|error| LogError::Damaged(error.to_string()))?;
        if json.len() <= STATE_IN_MANIFEST_BYTES_MAX {
            let mut state = view.state.clone();
            if defects::active(Defect::RetentionForgottenBySealing) {
                state.retained = Offset::ZERO;
            }
            return Ok(Covered { state: Some(state), state_object: None, sealed });
        }
        let bytes = Bytes::from(json);
        let blake3 = Digest::of(&bytes);
        let key = state_key(&self.prefix(view.state.incarnation), view.position.seq);
        self.put_sealed(&key, NewObject::from(bytes)).await?;
        Ok(Covered { state: None, state_object: Some(StateObject { blake3 }), sealed })
    }

    async fn publish(self: &Arc<Self>, view: &Arc<View>, next: Manifest) -> Result<bool, LogError> {
        match self.manifest.swap(&next, PutCondition::IfMatch(view.manifest.tag.clone())).await {
            Swap::Done(done) => {
                let date = done.date;
                self.install(view.revalidated(Some(*done), date));
                Ok(true)
            }
            Swap::Void(error) => Err(error.into()),
            Swap::Lost(found) => {
                if stands(view, &found) {
                    let date = found.date;
                    self.install(view.revalidated(Some(*found), date));
                } else {
                    self.discard(view);
                }
                Ok(false)
            }
            // What is there now, the next request that revalidates the view finds out.
            Swap::Superseded | Swap::Unknown => Ok(false),
        }
    }
}
