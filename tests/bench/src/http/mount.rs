//! Where a server has its streams, and the few requests that all rows have in common.

use bytes::Bytes;
use http::{HeaderMap, Method, Request, request};
use http_body_util::Full;

use super::{Answer, Connection, Counted, text};
use crate::{failure::Failure, requests::Requests};

/// The URL below which a server of Durable Streams has its streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mount {
    /// Host and port.
    pub(crate) authority: String,
    /// The path, without a slash at its end.
    path: String,
}

impl Mount {
    /// A mount from an URL such as `http://127.0.0.1:4437/v1/stream`, the usual path if it has none.
    pub(crate) fn parse(url: &str) -> Result<Self, Failure> {
        let invalid = || Failure::Setting(format!("{url:?} is no URL such as http://127.0.0.1:4437/v1/stream"));
        let rest = url.strip_prefix("http://").ok_or_else(invalid)?.trim_end_matches('/');
        let (authority, path) = rest.split_once('/').unwrap_or((rest, "v1/stream"));
        if authority.is_empty() {
            return Err(invalid());
        }
        let authority = if authority.contains(':') { authority.to_owned() } else { format!("{authority}:80") };
        Ok(Self { authority, path: format!("/{path}") })
    }

    /// A connection to the server.
    pub(crate) async fn connect(&self) -> Result<Connection, Failure> {
        Connection::open(&self.authority).await
    }

    /// A request about a stream; `query` is empty or begins with `?`.
    pub(crate) fn request(&self, method: Method, name: &str, query: &str) -> request::Builder {
        let uri = format!("{}/{name}{query}", self.path);
        Request::builder().method(method).uri(uri).header("host", &self.authority)
    }

    /// Creates a stream.
    pub(crate) async fn create(
        &self,
        connection: &mut Connection,
        name: &str,
        content_type: &str,
    ) -> Result<(), Failure> {
        let request = self.request(Method::PUT, name, "").header("content-type", content_type);
        connection.call(whole(request, Bytes::new())?).await?.expected("the create of a stream").map(drop)
    }

    /// Closes a stream.
    pub(crate) async fn close(&self, connection: &mut Connection, name: &str) -> Result<(), Failure> {
        let request = self.request(Method::POST, name, "").header("stream-closed", "true");
        connection.call(whole(request, Bytes::new())?).await?.expected("the close of a stream").map(drop)
    }

    /// A page from an offset on.
    pub(crate) async fn page(&self, connection: &mut Connection, name: &str, offset: &str) -> Result<Answer, Failure> {
        let request = self.request(Method::GET, name, &format!("?offset={offset}"));
        connection.call(whole(request, Bytes::new())?).await?.expected("a page")
    }

    /// How long a page from an offset on is, its bytes not kept.
    pub(crate) async fn count_page(
        &self,
        connection: &mut Connection,
        name: &str,
        offset: &str,
    ) -> Result<Counted, Failure> {
        let request = self.request(Method::GET, name, &format!("?offset={offset}"));
        connection.count(whole(request, Bytes::new())?, "a page").await
    }

    /// Where a stream ends. Its offsets are counts of bytes on Wadi only.
    pub(crate) async fn tail(&self, connection: &mut Connection, name: &str) -> Result<String, Failure> {
        let request = self.request(Method::HEAD, name, "");
        let answer = connection.call(whole(request, Bytes::new())?).await?.expected("HEAD of a stream")?;
        Ok(text(&answer.headers, "stream-next-offset").unwrap_or_default().to_owned())
    }
}

/// A request with its body.
pub(crate) fn whole(builder: request::Builder, body: Bytes) -> Result<Request<Full<Bytes>>, Failure> {
    builder.body(Full::new(body)).map_err(Failure::setting)
}

/// What an answer of Wadi says that its request asked of the store; nothing for other servers.
pub(crate) fn requests_told(headers: &HeaderMap) -> Requests {
    text(headers, "server-timing").map(Requests::parse).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_an_url() {
        let mount = |authority: &str, path: &str| Mount { authority: authority.to_owned(), path: path.to_owned() };
        for (url, expected) in [
            ("http://127.0.0.1:4437", mount("127.0.0.1:4437", "/v1/stream")),
            ("http://127.0.0.1:4437/", mount("127.0.0.1:4437", "/v1/stream")),
            ("http://localhost/a/b/", mount("localhost:80", "/a/b")),
        ] {
            assert_eq!(Mount::parse(url).unwrap(), expected, "{url}");
        }
        assert!(Mount::parse("https://localhost").is_err());
        assert!(Mount::parse("http:///x").is_err());
    }
}
