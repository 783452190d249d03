//! Retention: letting go of a stream's beginning.

use std::sync::Arc;

use bytes::Bytes;
use wadi_protocol::{
    Operation, Refusal, Retained, RetentionRequest,
    decide::{Decision, NeedsByte, decide_retention},
};

use crate::{
    cell::{Cell, Lookup},
    defects::{self, Defect},
    limits::PUBLISH_ATTEMPTS_MAX,
    proposal::Terms,
};

impl Cell {
    /// Serves the stream from an offset on only. A byte that the decision needs is read before it is made,
    /// and belongs to one incarnation.
    pub(super) async fn retain(self: &Arc<Self>, request: RetentionRequest) -> Result<Retained, Refusal> {
        let mut known = None;
        for _ in 0..PUBLISH_ATTEMPTS_MAX {
            let Lookup::Live(view) = self.usable().await? else { return Err(Refusal::StreamNotFound) };
            let incarnation = view.state.incarnation;
            let byte_of = move |of| known.filter(|(read, _)| *read == of).map(|(_, byte)| byte);
            if let Err(NeedsByte(at)) =
                decide_retention(&view.state, &request, byte_of(incarnation), self.bucket().moment())
            {
                known = self.byte_at(&view, at).await?.map(|byte| (incarnation, byte));
                continue;
            }
            let terms = Terms { payload: Bytes::new(), needs_proof: true };
            // `None`: a byte is needed that was not read, or of another incarnation.
            let retained = self.propose(terms, move |state, moment| {
                let (incarnation, retained) = (state.incarnation, request.offset);
                let within = retained > state.retained && retained <= state.tail;
                if within && defects::active(Defect::RetentionWithoutSnapshot) {
                    let operation = Operation::Retention { retained };
                    return Decision::Commit { operation, answer: Ok(Some(Retained { incarnation, retained })) };
                }
                match decide_retention(state, &request, byte_of(incarnation), moment) {
                    Ok(decision) => decision.map(Some),
                    Err(NeedsByte(_)) => Decision::Answer(Ok(None)),
                }
            });
            if let Some(retained) = retained.await? {
                return Ok(retained);
            }
        }
        Err(Refusal::StreamBusy)
    }
}
