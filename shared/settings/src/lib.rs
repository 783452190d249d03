//! The settings of every process of Wadi, from flags and from the environment.
//!
//! The `wadi` command and the functions have the same settings, by the same names, with the same checks: each
//! takes of these groups what it needs. A function has no flags; it reads the environment alone.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod access;
mod answers;
#[cfg(feature = "embedded")]
mod directory;
mod duration;
mod error;
mod http;
mod limits;
mod live;
mod logs;
mod place;
mod sizes;
mod store;
mod switch;
mod upkeep;

pub use self::{
    access::Access,
    answers::AnswerArgs,
    error::SettingsError,
    http::HttpArgs,
    live::LiveArgs,
    logs::{LogArgs, LogFormat, start_log},
    place::{InvalidPlace, Place},
    sizes::SizeArgs,
    store::{StoreArgs, open_store},
    upkeep::UpkeepArgs,
};
