//! Lists of entity tags, as clients and proxies really send them.

/// A member of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member<'a> {
    /// `*`.
    Star,
    /// `"opaque"`, or `W/"opaque"` when weak.
    Tag { opaque: &'a str, weak: bool },
    /// Anything else.
    Garbage,
}

impl<'a> Member<'a> {
    /// The text of a tag, weak or strong.
    pub(super) fn opaque(self) -> Option<&'a str> {
        match self {
            Self::Tag { opaque, .. } => Some(opaque),
            Self::Star | Self::Garbage => None,
        }
    }

    /// The text of a strong tag.
    pub(super) fn strong(self) -> Option<&'a str> {
        match self {
            Self::Tag { opaque, weak: false } => Some(opaque),
            Self::Tag { .. } | Self::Star | Self::Garbage => None,
        }
    }
}

/// Whether the list is a lone `*`.
pub(super) fn is_any(members: &[Member<'_>]) -> bool {
    members == [Member::Star]
}

/// The members of all lines, in order; empty ones are left out.
pub(super) fn members<'a>(lines: &[&'a str]) -> Vec<Member<'a>> {
    let mut members = Vec::new();
    for &line in lines {
        let mut rest = line;
        loop {
            rest = rest.trim_start_matches([' ', '\t', ',']);
            if rest.is_empty() {
                break;
            }
            let (member, after) = next_member(rest);
            members.push(member);
            rest = after;
        }
    }
    members
}

/// The first member, and the rest from the comma after it. A comma inside quotes does not end it.
fn next_member(text: &str) -> (Member<'_>, &str) {
    let Some((tag, after)) = quoted(text) else {
        let (member, after) = until_comma(text);
        let member = if member.trim_end_matches([' ', '\t']) == "*" { Member::Star } else { Member::Garbage };
        return (member, after);
    };
    let (between, after) = until_comma(after);
    let clean = between.trim_matches([' ', '\t']).is_empty();
    (if clean { tag } else { Member::Garbage }, after)
}

/// The tag that `text` begins with, and what follows its closing quote.
fn quoted(text: &str) -> Option<(Member<'_>, &str)> {
    let (weak, text) = match text.strip_prefix("W/") {
        Some(after) => (true, after),
        None => (false, text),
    };
    let (opaque, after) = text.strip_prefix('"')?.split_once('"')?;
    Some((Member::Tag { opaque, weak }, after))
}

fn until_comma(text: &str) -> (&str, &str) {
    text.split_at(text.find(',').unwrap_or(text.len()))
}
