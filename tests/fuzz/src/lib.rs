//! What must hold of whatever comes from a client or a bucket, whatever it is.
//!
//! Each target is a plain function over bytes that panics where something does not hold. They run in
//! two ways: under a coverage-guided fuzzer (`/fuzz`), and as tests, over the corpus saved there and
//! random changes of it.
#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a target fails by panicking")]

pub mod corpus;
pub mod targets;

/// A target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: of its binary, and of the folder of its corpus.
    pub name: &'static str,
    /// Runs it once.
    pub run: fn(&[u8]),
}

/// All of them.
pub const ALL: [Target; 7] = [
    Target { name: "fold", run: targets::fold },
    Target { name: "manifest", run: targets::manifest },
    Target { name: "messages", run: targets::messages },
    Target { name: "names", run: targets::names },
    Target { name: "record", run: targets::record },
    Target { name: "request", run: targets::request },
    Target { name: "values", run: targets::values },
];
