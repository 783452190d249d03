//! Conditions on entity tags (RFC 9110, sections 13.1.1 and 13.1.2).

use serde::{Deserialize, Serialize};

use super::{EndTag, Incarnation, Offset, ReadTag, tag_list};

/// The condition of an `If-Match` header: act only on the stream as the client knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfMatch {
    /// `*`: the stream exists.
    Any,
    /// The stream ends as one of these says. Empty when no tag of the header could ever match, so that a
    /// condition which is not understood fails instead of being ignored.
    Tags(Vec<EndTag>),
}

impl IfMatch {
    /// The lines of the header, at least one; a request without the header has no such condition.
    ///
    /// Kept are strong tags of a stream's end, and of reads that reached the tail, which say the same.
    /// Everything else (weak and unknown tags, tags of reads below the tail, text that is no tag) can
    /// never match and is dropped. `*` counts only when it stands alone.
    pub fn parse(lines: &[&str]) -> Self {
        let members = tag_list::members(lines);
        if tag_list::is_any(&members) {
            return Self::Any;
        }
        let strong = members.iter().filter_map(|member| member.strong());
        Self::Tags(strong.filter_map(stated_end).collect())
    }

    /// Whether an existing stream with this incarnation, tail and state meets the condition.
    pub fn holds(&self, incarnation: Incarnation, tail: Offset, closed: bool) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.contains(&EndTag { incarnation, end: tail, closed }),
        }
    }
}

fn stated_end(opaque: &str) -> Option<EndTag> {
    EndTag::parse_opaque(opaque).or_else(|| ReadTag::parse_opaque(opaque)?.end_tag())
}

/// The condition of an `If-None-Match` header: answer only if the client does not have it yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfNoneMatch {
    /// `*`: matches whatever exists.
    Any,
    /// Matches the tags with one of these opaque texts (without quotes).
    Tags(Vec<String>),
}

impl IfNoneMatch {
    /// The lines of the header; none match nothing. Text that is no tag is dropped, and `*` counts only
    /// when it stands alone: too little kept only costs a full answer.
    pub fn parse(lines: &[&str]) -> Self {
        let members = tag_list::members(lines);
        if tag_list::is_any(&members) {
            return Self::Any;
        }
        Self::Tags(members.iter().filter_map(|member| member.opaque()).map(str::to_owned).collect())
    }

    /// Whether the tag with this opaque text is named, be either of the two weak or strong.
    pub fn matches(&self, opaque: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|tag| tag == opaque),
        }
    }
}

#[cfg(test)]
#[path = "condition_tests.rs"]
mod tests;
