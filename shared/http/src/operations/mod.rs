//! What each method does at a stream's URL: one file a verb, one set for both dialects.

mod append;
mod below;
mod bootstrap;
mod call;
mod chunk;
mod create;
mod delete;
mod dispatch;
mod head;
mod live;
mod page;
mod parts;
mod read;
mod retention;
mod snapshot;

pub(crate) use call::Call;
pub(crate) use dispatch::serve;
pub(crate) use page::{PageTerms, respond_page};
