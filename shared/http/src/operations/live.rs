//! Live reads: which kind, once it is known that the request is sound.

use axum::response::Response;
use wadi_protocol::{Code, ReadFrom, ReadRequest, Refusal};

use super::call::Call;
use crate::{
    live::{open, poll},
    request::Live,
};

const NEITHER: Refusal = Refusal::invalid(Code::InvalidQuery, "live must be long-poll or sse.");

/// Opens a live read.
pub(crate) async fn read(call: &Call, request: ReadRequest, live: Live) -> Result<Response, Refusal> {
    match live {
        Live::LongPoll { wait, cursor } => poll(call, request, cursor, wait).await,
        Live::Sse { cursor } => open(call, request, cursor).await,
        Live::Other => {
            // Where the offset is the tail, the stream is looked up before the fault is found.
            if request.from == ReadFrom::Now {
                call.shell.engine.head(call.key()?, None).await?;
            }
            Err(NEITHER)
        }
    }
}
