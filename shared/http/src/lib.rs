//! The HTTP shell: requests to engine calls, answers to HTTP. The only crate that knows axum.
//!
//! [`app`] is the whole service as one router, the same under a local server and in a function. It
//! decides nothing about streams: headers and parameters are parsed into typed requests, the engine
//! answers, and one table says what each answer looks like.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod answer;
mod app;
mod body;
mod cors;
mod dialect;
mod health;
pub mod limits;
mod live;
mod operations;
mod panics;
mod request;
mod settings;
mod shell;
mod timing;
mod trace;

pub use answer::{InvalidBase, InvalidReadOrigin, PublicBase, ReadOrigin, refuse};
pub use app::{app, app_until};
pub use axum::{Router, body::Body};
pub use live::Ending;
pub use settings::{AllowedOrigins, InvalidOrigins, Lifecycle, Settings};
