//! Streams of countable messages: how a message is written and found again.

use serde_json::{Value, json};

use crate::http::Page;

/// A stream that the tests write messages to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The path of its URL, with the slash at its start.
    pub path: String,
    /// How its messages are written.
    pub kind: Kind,
}

/// How messages are written to a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As bytes, a line each.
    Lines,
    /// As JSON objects.
    Json,
}

impl Stream {
    /// A stream below `/v1/stream/`.
    pub fn new(name: &str, kind: Kind) -> Self {
        Self { path: format!("/v1/stream/{name}"), kind }
    }

    /// Its content type.
    pub fn content_type(&self) -> &'static str {
        match self.kind {
            Kind::Lines => "text/plain",
            Kind::Json => "application/json",
        }
    }

    /// The body that appends `message`.
    pub fn body(&self, message: &str) -> Vec<u8> {
        match self.kind {
            Kind::Lines => format!("{message}\n").into_bytes(),
            Kind::Json => json!({ "message": message }).to_string().into_bytes(),
        }
    }

    /// The messages in what was read, in their order.
    pub fn messages(&self, pages: &[Page]) -> Vec<String> {
        match self.kind {
            Kind::Lines => lines(pages),
            Kind::Json => pages.iter().flat_map(json_messages).collect(),
        }
    }
}

/// The lines of a byte stream; they may run across pages.
fn lines(pages: &[Page]) -> Vec<String> {
    let bytes: Vec<u8> = pages.iter().flat_map(|page| page.body.iter().copied()).collect();
    let text = String::from_utf8(bytes).expect("lines of plain text");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is cut short: {:?}", text.lines().last());
    text.lines().map(str::to_owned).collect()
}

/// The messages of one page of a JSON stream, which is one array.
fn json_messages(page: &Page) -> Vec<String> {
    page.values().iter().map(json_message).collect()
}

fn json_message(value: &Value) -> String {
    value["message"].as_str().unwrap_or_else(|| panic!("not a message of these tests: {value}")).to_owned()
}
