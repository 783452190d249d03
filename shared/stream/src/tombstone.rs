//! The end of an incarnation: its manifest becomes a tombstone.

use std::sync::Arc;

use futures::future::select;
use wadi_store::PutCondition;

use crate::{
    cell::Cell,
    limits::{MANIFEST_ATTEMPTS_MAX, SIDE_WORK_WAIT_MAX},
    log_part::Checkpoint,
    manifests::{Swap, Versioned},
    view::View,
};

impl Cell {
    /// Completes the end of a stream whose log ended: puts the tombstone in place and forgets the
    /// view. Whoever folds a delete record does this; the record alone already ended the stream,
    /// so a failure is left to the next process that comes by, and a tombstone that takes long is
    /// not waited for.
    pub(crate) async fn bury(self: &Arc<Self>, view: &Arc<View>) {
        self.discard(view);
        let view = view.clone();
        let buried = self.clone().run_to_end(|cell| async move {
            cell.complete_tombstone(&view).await;
            Ok(())
        });
        let _ = select(std::pin::pin!(buried), self.bucket().runtime().sleep(SIDE_WORK_WAIT_MAX)).await;
    }

    async fn complete_tombstone(self: &Arc<Self>, view: &View) {
        let mut known = (*view.manifest).clone();
        for _ in 0..MANIFEST_ATTEMPTS_MAX {
            if known.manifest.is_tombstone() || known.manifest.incarnation() != view.state.incarnation {
                return;
            }
            match self.put_tombstone(view, &known).await {
                Swap::Lost(found) => known = *found,
                Swap::Void(error) => {
                    tracing::warn!(stream = self.key.key_text(), %error, "a tombstone is left to the next process");
                    return;
                }
                Swap::Done(_) | Swap::Superseded | Swap::Unknown => return,
            }
        }
    }

    async fn put_tombstone(&self, view: &View, known: &Versioned) -> Swap {
        let end = Checkpoint { seq: view.position.seq, id: view.position.id.clone(), at: view.position.at };
        let date = self.bucket().now().unwrap_or(view.position.at);
        let tombstone = known.manifest.tombstone(end, &view.state, date, self.writer_mark());
        self.manifest.swap(&tombstone, PutCondition::IfMatch(known.tag.clone())).await
    }

    /// A random mark by which a manifest's author knows its change again.
    pub(crate) fn writer_mark(&self) -> String {
        let runtime = self.bucket().runtime();
        format!("{:016x}{:016x}", runtime.random(), runtime.random())
    }
}
