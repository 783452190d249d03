//! The engine: streams over a bucket.
//!
//! Two floors. [`log`] knows dense slots: how to open, probe, fence and commit, and what an unknown
//! outcome means; it knows nothing of streams. Above it are the streams: their state, group
//! commit, creation and end, and reads. Time, randomness, tasks and the store are passed in.

mod alarm;
mod batch;
mod body;
mod cell;
mod chunk;
mod collect;
mod committer;
mod create;
#[cfg_attr(not(feature = "defects"), allow(unreachable_pub, reason = "seen by nobody without the feature"))]
mod defects;
mod engine;
mod engine_settings;
mod fitness;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod layout;
pub mod limits;
mod log;
mod log_part;
mod manifest;
mod manifests;
mod names;
mod objects;
mod open;
mod page;
mod page_bytes;
mod payloads;
mod poller;
mod prober;
mod proposal;
mod read;
mod read_ahead;
mod run;
mod runtime;
mod seal;
mod sealed;
mod shared_page;
mod snapshot;
mod tail;
mod tokio_runtime;
mod tombstone;
mod verify;
mod view;
mod watch;
mod weight;

pub use chunk::{ChunkAnswer, ChunkRequest};
pub use collect::{SweepScope, Swept};
pub use create::Created;
#[cfg(feature = "defects")]
pub use defects::Defect;
pub use engine::Engine;
pub use engine_settings::EngineSettings;
pub use fitness::Fitness;
pub use layout::{incarnation_prefix, manifest_key};
pub use log::RecordId;
pub use log_part::{Checkpoint, Cover, LogPart};
pub use manifest::{Dropped, Manifest, ManifestError, StateObject};
pub use page_bytes::PageBytes;
pub use poller::Polling;
pub use read::ReadAnswer;
pub use runtime::Runtime;
pub use seal::{SealSign, Sealing};
pub use sealed::{Sealed, Segment};
pub use shared_page::{PageForm, SharedPage};
pub use snapshot::{Admission, Bootstrap, BootstrapPiece, SnapshotAnswer, SnapshotBody};
pub use tail::{Tail, TailStep};
pub use tokio_runtime::TokioRuntime;
pub use verify::Verified;
