//! What the path of a request names: a stream, and one of the resources below it.

use serde::{Deserialize, Serialize};

use super::{Account, StreamKey, StreamName, percent};

/// Most segments that name a resource below a stream.
const ENDING_SEGMENTS_MAX: usize = 4;

/// A stream, or a resource below it.
///
/// Offsets and tokens are the text of the path as it was sent, still percent-encoded: each operation
/// checks them by its own grammar.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// The stream itself.
    Stream,
    /// `/bootstrap`: the snapshot and everything after it.
    Bootstrap,
    /// `/snapshot/{offset}`: the snapshot taken at an offset.
    Snapshot {
        /// Where the snapshot was taken.
        offset: String,
    },
    /// `/snapshot/{offset}/parts`: where parts of a snapshot are staged.
    SnapshotParts {
        /// Where the snapshot is taken.
        offset: String,
    },
    /// `/snapshot/parts`: all staged parts of the stream.
    StagedParts,
    /// `/retention/{offset}`: the earliest offset to keep.
    Retention {
        /// The earliest offset to keep.
        offset: String,
    },
    /// `/incarnation/{token}/chunk/{offset}`: an immutable piece of the stream. See [`super::Immutable`].
    Chunk {
        /// The token of the incarnation.
        token: String,
        /// Where the chunk begins.
        offset: String,
    },
    /// `/incarnation/{token}/snapshot/{offset}`: a snapshot under a name that never means another.
    /// See [`super::Immutable`].
    ImmutableSnapshot {
        /// The token of the incarnation.
        token: String,
        /// Where the snapshot was taken.
        offset: String,
    },
}

/// What a path names. Its shape may be sound where the name in it is not: what else is wrong with a
/// request at such a path is told first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The stream, or what is wrong with its name.
    pub stream: Result<StreamKey, InvalidName>,
    /// The stream itself, or what is meant below it.
    pub resource: Resource,
}

/// What is wrong with the name of a stream in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// The account breaks the grammar of accounts.
    #[error("the account must be 4 to 64 of a-z, 0-9, _ and -")]
    Account,
    /// The stream name breaks the grammar of its dialect, has a bad percent-escape, or is not UTF-8.
    #[error("the stream name is not allowed, too long, or badly percent-encoded")]
    Stream,
}

/// The path below the hosted mount, still percent-encoded: `{account}/{stream}`, or that and the ending
/// of a resource below the stream. `None`: it has not the shape of any resource. Of the name the account
/// is judged first.
pub fn parse_hosted(raw_path: &str) -> Option<Target> {
    let (account, below) = raw_path.split_once('/')?;
    let (name, resource) = match below.split_once('/') {
        Some((name, ending)) => {
            let segments: Vec<&str> = ending.split('/').collect();
            (name, of_ending(&segments)?)
        }
        None => (below, Resource::Stream),
    };
    Some(Target { stream: hosted_key(account, name), resource })
}

fn hosted_key(account: &str, name: &str) -> Result<StreamKey, InvalidName> {
    let account = decoded(account, Account::parse).ok_or(InvalidName::Account)?;
    let name = decoded(name, StreamName::hosted).ok_or(InvalidName::Stream)?;
    Ok(StreamKey { account, name })
}

/// The path below the upstream mount, still percent-encoded: a name that may hold slashes, or that and
/// the ending of a resource below the stream; the account is the default one.
///
/// Endings are recognised before percent-decoding, the longest first, and only behind a name: a path
/// that is nothing but an ending is itself a name. `a%2Fb` and `a/b` are one name.
pub fn parse_upstream(raw_path: &str) -> Target {
    let segments: Vec<&str> = raw_path.split('/').collect();
    let (name, resource) = split_ending(&segments).unwrap_or((&segments, Resource::Stream));
    let name = decoded(&name.join("/"), StreamName::upstream).ok_or(InvalidName::Stream);
    Target { stream: name.map(|name| StreamKey { account: Account::default_account(), name }), resource }
}

/// Whether a name of the upstream dialect, written as a path, would name a resource below another
/// stream. Such a stream cannot be created: nobody could reach it with slashes as they are.
pub fn ends_like_sub_resource(name: &StreamName) -> bool {
    let segments: Vec<&str> = name.as_str().split('/').collect();
    split_ending(&segments).is_some()
}

/// The path of a stream below the hosted mount, percent-encoded: [`parse_hosted`] gives the same stream.
pub fn encode_hosted(key: &StreamKey) -> String {
    format!("{}/{}", key.account.as_str(), percent::encode(key.name.as_str(), |char| !is_unreserved(char)))
}

/// The path of a stream below the upstream mount, percent-encoded but for its slashes:
/// [`parse_upstream`] gives the same stream, unless the name [`ends_like_sub_resource`].
pub fn encode_upstream(name: &StreamName) -> String {
    percent::encode(name.as_str(), |char| char != '/' && !is_unreserved(char))
}

/// The characters that RFC 3986, section 2.3, never has escaped.
fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_' | '~')
}

fn decoded<T, E>(raw: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
    parse(&percent::decode(raw)?).ok()
}

/// The segments of the name, never none, and the resource that the segments behind them name.
fn split_ending<'a, 'b>(segments: &'a [&'b str]) -> Option<(&'a [&'b str], Resource)> {
    (1..=ENDING_SEGMENTS_MAX).rev().find_map(|length| {
        let name_length = segments.len().checked_sub(length).filter(|rest| *rest > 0)?;
        let (name, ending) = segments.split_at(name_length);
        Some((name, of_ending(ending)?))
    })
}

fn of_ending(segments: &[&str]) -> Option<Resource> {
    if segments.contains(&"") {
        return None;
    }
    let owned = |text: &str| text.to_owned();
    Some(match *segments {
        ["bootstrap"] => Resource::Bootstrap,
        ["snapshot", "parts"] => Resource::StagedParts,
        ["snapshot", offset] => Resource::Snapshot { offset: owned(offset) },
        ["snapshot", offset, "parts"] => Resource::SnapshotParts { offset: owned(offset) },
        ["retention", offset] => Resource::Retention { offset: owned(offset) },
        ["incarnation", token, "chunk", offset] => Resource::Chunk { token: owned(token), offset: owned(offset) },
        ["incarnation", token, "snapshot", offset] => {
            Resource::ImmutableSnapshot { token: owned(token), offset: owned(offset) }
        }
        _ => return None,
    })
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
