//! Work that runs to its end, whatever becomes of who asked for it.

use std::{future::Future, sync::Arc};

use futures::{
    FutureExt,
    channel::oneshot,
    future::{Either, select},
};
use wadi_protocol::Refusal;
use wadi_store::{current_meter, metered};

use crate::{cell::Cell, limits::ANSWER_DEADLINE};

impl Cell {
    /// Runs `work` as a task of its own and waits for what it returns, but not for ever.
    pub(crate) async fn run_to_end<T, F>(self: Arc<Self>, work: impl FnOnce(Arc<Self>) -> F) -> Result<T, Refusal>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Refusal>> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let runtime = self.bucket().runtime().clone();
        let work = metered(current_meter(), work(self));
        runtime.spawn(async move { drop(reply.send(work.await)) }.boxed());
        match select(answer, runtime.sleep(ANSWER_DEADLINE)).await {
            Either::Left((answer, _)) => answer.unwrap_or(Err(Refusal::OutcomeUnknown)),
            Either::Right(_) => Err(Refusal::OutcomeUnknown),
        }
    }
}
