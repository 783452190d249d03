//! HTTP as Lambda brings it: an event a request, a stream an answer.

mod answer;
mod event;
mod front;
mod request;
mod secret;
mod target;

pub use self::{
    answer::{AnswerBody, Broken},
    event::{Http, HttpEvent, RequestContext},
    front::Front,
    secret::{OriginSecrets, Secret},
};
