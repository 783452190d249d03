//! Live reads: long-poll and server-sent events.

use axum::response::Response;
use wadi_protocol::{Code, ReadFrom, ReadRequest, Refusal};

use super::call::Call;
use crate::request::Live;

const NEITHER: Refusal = Refusal::invalid(Code::InvalidQuery, "live must be long-poll or sse.");
const NOT_SERVED: Refusal = Refusal::invalid(
    Code::InvalidQuery,
    "Live reads are not served yet; read again from the Stream-Next-Offset of the last answer.",
);

/// Opens a live read. Its stream must exist; where that is looked up first, so is its answer.
pub(crate) async fn read(call: &Call, request: &ReadRequest, live: Live) -> Result<Response, Refusal> {
    if live != Live::Other || request.from == ReadFrom::Now {
        call.shell.engine.head(call.key()?, None).await?;
    }
    Err(if live == Live::Other { NEITHER } else { NOT_SERVED })
}
