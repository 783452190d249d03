//! The way to the real store.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, Response, Uri, body::Incoming, header};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use super::serve::Broken;

/// Headers that concern one connection only.
const OF_CONNECTION: [header::HeaderName; 2] = [header::CONNECTION, header::TRANSFER_ENCODING];

/// A request or an answer that is here whole.
pub(super) type Whole = Request<Full<Bytes>>;

/// The real store.
#[derive(Clone, Debug)]
pub(super) struct Upstream {
    authority: String,
    client: Client<HttpConnector, Full<Bytes>>,
}

impl Upstream {
    pub(super) fn new(endpoint: &str) -> Self {
        let authority = endpoint.strip_prefix("http://").expect("an endpoint of http").trim_end_matches('/');
        Self { authority: authority.to_owned(), client: Client::builder(TokioExecutor::new()).build_http() }
    }

    /// Turns a request around: the same bytes, its `Host` included (it is signed), to the store.
    pub(super) async fn take(&self, request: Request<Incoming>) -> Result<Whole, Broken> {
        let (mut parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        parts.uri = Uri::builder()
            .scheme("http")
            .authority(self.authority.as_str())
            .path_and_query(path)
            .build()
            .map_err(|_| Broken)?;
        strip(&mut parts.headers);
        let body = body.collect().await.map_err(|_| Broken)?.to_bytes();
        Ok(Request::from_parts(parts, Full::new(body)))
    }

    /// Asks the store.
    pub(super) async fn ask(&self, request: Whole) -> Result<Response<Bytes>, Broken> {
        let (mut parts, body) = self.client.request(request).await.map_err(|_| Broken)?.into_parts();
        strip(&mut parts.headers);
        let body = body.collect().await.map_err(|_| Broken)?.to_bytes();
        Ok(Response::from_parts(parts, body))
    }
}

fn strip(headers: &mut HeaderMap) {
    for name in OF_CONNECTION {
        headers.remove(name);
    }
}
