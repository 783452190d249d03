//! What writers know of their messages, held against what a stream contains.

use std::collections::HashMap;

/// What a writer knows of a message it sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Acknowledged, with the offset after it where the answer gave it.
    Acknowledged(Option<String>),
    /// Refused in a way that proves it did not apply.
    Refused,
    /// No answer, or one that leaves it open.
    Unknown,
}

/// A message a writer sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its text, which no other message has.
    pub message: String,
    /// What became of it.
    pub fate: Fate,
}

/// Panics unless `found` is what the writers may expect: every acknowledged message once, every
/// unanswered one at most once, no other, and each writer's in the order it sent them.
pub fn check(what: &str, found: &[String], writers: &[&[Sent]]) {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, message) in found.iter().enumerate() {
        places.entry(message).or_default().push(place);
    }
    for sent in writers {
        check_writer(what, &mut places, sent);
    }
    assert!(places.is_empty(), "{what}: messages that nobody sent: {places:?}");
}

/// Checks one writer's messages and takes them out of `places`.
fn check_writer(what: &str, places: &mut HashMap<&str, Vec<usize>>, sent: &[Sent]) {
    let mut last = None;
    for Sent { message, fate } in sent {
        let here = places.remove(message.as_str()).unwrap_or_default();
        let allowed = match fate {
            Fate::Acknowledged(_) => here.len() == 1,
            Fate::Refused => here.is_empty(),
            Fate::Unknown => here.len() <= 1,
        };
        assert!(allowed, "{what}: {message} is there {} times ({here:?}), and it was: {fate:?}", here.len());
        if let Some(place) = here.first().copied() {
            assert!(last.is_none_or(|last| last < place), "{what}: {message} is before its writer's one before");
            last = Some(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Sent, check};

    fn sent(message: &str, fate: Fate) -> Sent {
        Sent { message: message.to_owned(), fate }
    }

    fn found(messages: &[&str]) -> Vec<String> {
        messages.iter().map(|&message| message.to_owned()).collect()
    }

    #[test]
    fn unanswered_messages_may_be_there_or_not() {
        let writer = [sent("a", Fate::Acknowledged(None)), sent("b", Fate::Unknown), sent("c", Fate::Refused)];
        check("stream", &found(&["a"]), &[&writer]);
        check("stream", &found(&["a", "b"]), &[&writer]);
    }

    #[test]
    #[should_panic(expected = "a is there 0 times")]
    fn a_missing_message_is_noticed() {
        check("stream", &[], &[&[sent("a", Fate::Acknowledged(None))]]);
    }

    #[test]
    #[should_panic(expected = "a is there 2 times")]
    fn a_message_that_is_there_twice_is_noticed() {
        check("stream", &found(&["a", "a"]), &[&[sent("a", Fate::Unknown)]]);
    }

    #[test]
    #[should_panic(expected = "b is there 1 times")]
    fn a_refused_message_that_is_there_is_noticed() {
        check("stream", &found(&["b"]), &[&[sent("b", Fate::Refused)]]);
    }

    #[test]
    #[should_panic(expected = "messages that nobody sent")]
    fn a_strange_message_is_noticed() {
        check("stream", &found(&["x"]), &[]);
    }

    #[test]
    #[should_panic(expected = "before its writer's one before")]
    fn a_wrong_order_is_noticed() {
        let writer = [sent("a", Fate::Acknowledged(None)), sent("b", Fate::Acknowledged(None))];
        check("stream", &found(&["b", "a"]), &[&writer]);
    }
}
