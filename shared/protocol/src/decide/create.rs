//! Creating a stream.

use super::{Decision, Moment, ended, same_incarnation};
use crate::{CreateRequest, Genesis, Incarnation, Operation, Refusal, StreamState, Timestamp, Write};

/// What a create does where no stream is: the create operation, and the first append when it
/// carries bytes.
pub fn decide_create_missing(
    request: &CreateRequest,
    incarnation: Incarnation,
    at: Timestamp,
) -> Result<(Genesis, Option<Operation>), Refusal> {
    if request.incarnation.is_some() {
        return Err(Refusal::IncarnationMismatch { current: None });
    }
    let genesis = Genesis {
        incarnation,
        content_type: request.content_type.clone(),
        lifetime: request.lifetime,
        closed: request.closed,
        has_initial_bytes: !request.text.is_empty(),
        stream_seq: request.stream_seq.clone(),
        at,
    };
    let first = genesis.has_initial_bytes.then(|| initial_append(&genesis, request));
    Ok((genesis, first))
}

fn initial_append(genesis: &Genesis, request: &CreateRequest) -> Operation {
    let born = StreamState::born(genesis);
    Operation::Append(Write {
        start: born.tail,
        end: born.tail.saturating_add(request.text.len() as u64),
        messages: request.messages,
        closes: request.closed,
        stream_seq: request.stream_seq.clone(),
        producer: None,
    })
}

/// What a create does where a stream is: nothing, when it asks for what is there.
///
/// Equal means: content type, open or closed, and lifetime. The body and the `Stream-Seq` of the
/// request are ignored, so that a create whose answer was lost can be sent again.
pub fn decide_create_over(state: &StreamState, request: &CreateRequest, moment: Moment) -> Decision<()> {
    if let Some(decision) = ended(state, moment) {
        return decision;
    }
    if let Err(refusal) = same_incarnation(state, request.incarnation) {
        return Decision::refuse(refusal);
    }
    if request.only_if_missing {
        return Decision::refuse(Refusal::ExistsAlready);
    }
    let same = request.type_match.same(&state.content_type, &request.content_type)
        && state.closed == request.closed
        && state.lifetime == request.lifetime;
    Decision::Answer(if same { Ok(()) } else { Err(Refusal::StreamAlreadyExists) })
}
