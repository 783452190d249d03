//! What `serde_json` makes of a body: what [`super::split_messages`] is held against.

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::limits::JSON_DEPTH_MAX;

/// What the messages should be: `serde_json` finds the elements, and white space is dropped byte by byte. `None`: the
/// body is not valid.
pub fn expected(body: &str) -> Option<Vec<String>> {
    serde_json::from_str::<IgnoredAny>(body).ok()?;
    let elements: Vec<&RawValue> = match serde_json::from_str(body) {
        Ok(elements) => elements,
        Err(_) => vec![serde_json::from_str(body).ok()?],
    };
    let messages: Vec<String> = elements.iter().map(|element| compact(element.get())).collect();
    messages.iter().all(|message| depth(message) <= JSON_DEPTH_MAX).then_some(messages)
}

/// The characters of a JSON text with whether each is part of a string.
fn with_place(text: &str) -> impl Iterator<Item = (char, bool)> {
    let (mut inside, mut escaped) = (false, false);
    text.chars().map(move |char| {
        let in_string = inside;
        if inside && !escaped && char == '\\' {
            escaped = true;
        } else {
            inside ^= char == '"' && !escaped;
            escaped = false;
        }
        (char, in_string)
    })
}

fn compact(text: &str) -> String {
    with_place(text.trim())
        .filter(|(char, in_string)| *in_string || !" \t\r\n".contains(*char))
        .map(|(char, _)| char)
        .collect()
}

fn depth(text: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for (char, in_string) in with_place(text) {
        if !in_string && "[{".contains(char) {
            now += 1;
            most = most.max(now);
        } else if !in_string && "]}".contains(char) {
            now -= 1;
        }
    }
    most
}
