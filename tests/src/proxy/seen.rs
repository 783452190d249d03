//! A request to the store, as the proxy saw it.

use hyper::{HeaderMap, Method, Uri, header};
use percent_encoding::percent_decode_str;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// An object, or a part of one.
    Get,
    /// To store an object.
    Put,
    /// A listing.
    List,
    /// To delete one object or many.
    Delete,
    /// Anything else.
    Other,
}

/// The condition of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// None.
    Always,
    /// `If-None-Match`.
    IfNoneMatch,
    /// `If-Match`.
    IfMatch,
}

/// A request, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it asks for.
    pub verb: Verb,
    /// The key, decoded, without what all keys of the bucket begin with.
    pub key: String,
    /// Its condition.
    pub condition: Condition,
    /// What befell it, by name; `None` for an honest passage.
    pub fault: Option<&'static str>,
    /// The status that the store answered; `None` when it was not asked or has not answered yet.
    pub status: Option<u16>,
}

impl Seen {
    /// Reads a request; `root` is what the paths of the bucket begin with.
    pub(super) fn new(method: &Method, uri: &Uri, headers: &HeaderMap, root: &str) -> Self {
        let path = percent_decode_str(uri.path()).decode_utf8_lossy();
        let key = path.strip_prefix(root).unwrap_or(&path).to_owned();
        Self { verb: verb(method, uri), key, condition: condition(headers), fault: None, status: None }
    }

    /// True for requests that change the bucket.
    pub fn writes(&self) -> bool {
        matches!(self.verb, Verb::Put | Verb::Delete)
    }
}

fn verb(method: &Method, uri: &Uri) -> Verb {
    let query = uri.query().unwrap_or_default();
    match *method {
        Method::GET if query.contains("list-type=") => Verb::List,
        Method::GET => Verb::Get,
        Method::PUT => Verb::Put,
        Method::DELETE => Verb::Delete,
        Method::POST if query.contains("delete") => Verb::Delete,
        _ => Verb::Other,
    }
}

fn condition(headers: &HeaderMap) -> Condition {
    if headers.contains_key(header::IF_NONE_MATCH) {
        Condition::IfNoneMatch
    } else if headers.contains_key(header::IF_MATCH) {
        Condition::IfMatch
    } else {
        Condition::Always
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Seen, Verb};
    use hyper::{HeaderMap, Method, Uri, header};

    #[test]
    fn requests_are_told_apart() {
        let see = |method, uri: &'static str, headers: &HeaderMap| {
            Seen::new(&method, &Uri::from_static(uri), headers, "/bucket/prefix/")
        };
        let mut headers = HeaderMap::new();
        let get = see(Method::GET, "/bucket/prefix/manifest/default/a%2520b?x-id=GetObject", &headers);
        assert_eq!(
            (get.verb, get.key.as_str(), get.condition),
            (Verb::Get, "manifest/default/a%20b", Condition::Always)
        );
        assert_eq!(see(Method::GET, "/bucket?list-type=2&prefix=a", &headers).verb, Verb::List);
        assert_eq!(see(Method::POST, "/bucket?delete", &headers).verb, Verb::Delete);
        headers.insert(header::IF_NONE_MATCH, header::HeaderValue::from_static("*"));
        let put = see(Method::PUT, "/bucket/prefix/a", &headers);
        assert_eq!((put.verb, put.condition, put.writes()), (Verb::Put, Condition::IfNoneMatch, true));
    }
}
