//! Requests as the rules see them: every header checked once, into a type that cannot be wrong.

mod content;
mod create;
mod delete;
mod parts;
mod read;
mod retention;
mod snapshot;
mod write;

pub use content::{ContentFault, Payload, TypeMatch};
pub use create::CreateRequest;
pub use delete::DeleteRequest;
pub use parts::{CommitRequest, PartsRequest, parse_parts};
pub use read::{ReadForm, ReadRequest};
pub use retention::RetentionRequest;
pub use snapshot::{PublishRequest, SnapshotRequest};
pub use write::WriteRequest;
