//! Names in paths: taken as they are sent, decoded once, and given back so that they can be followed.

use crate::harness::Service;

/// See: <https://github.com/middleapi/standard-server/pull/93>, <https://github.com/fastify/aws-lambda-fastify/issues/169>
#[tokio::test]
async fn an_encoded_name_is_one_stream_however_it_is_written() {
    let service = Service::new();
    for (path, same, location) in [
        ("/v1/stream/a%2Fb", "/v1/stream/a/b", "/v1/stream/a/b"),
        ("/v1/stream/c%3Fd", "/v1/stream/c%3fd", "/v1/stream/c%3Fd"),
        ("/v1/stream/c%23d", "/v1/stream/%63%23%64", "/v1/stream/c%23d"),
        ("/v1/stream/e%20f", "/v1/stream/e%20f", "/v1/stream/e%20f"),
        ("/v1/stream/%C3%A9", "/v1/stream/%c3%a9", "/v1/stream/%C3%A9"),
        ("/v1/stream/%25", "/v1/stream/%25", "/v1/stream/%25"),
        ("/v1/stream/a%252Fb", "/v1/stream/a%252Fb", "/v1/stream/a%252Fb"),
        ("/v1/stream/a+b", "/v1/stream/a%2Bb", "/v1/stream/a%2Bb"),
        ("/v1/stream/deep/er/one", "/v1/stream/deep%2fer/one", "/v1/stream/deep/er/one"),
        ("/ds/acct/e%20f", "/ds/%61cct/e%20f", "/ds/acct/e%20f"),
        ("/ds/acct/c%3Fd", "/ds/acct/c%3fd", "/ds/acct/c%3Fd"),
        ("/ds/acct/%25", "/ds/acct/%25", "/ds/acct/%25"),
    ] {
        let stream = service.stream(path, "text/plain", path).await;
        let again = stream.expect("PUT {s}\ncontent-type: text/plain", "200").await;
        let told = again.header("location").unwrap();
        assert_eq!(told, format!("http://streams.example{location}"), "{path}");
        for way in [path, same, told] {
            let reply = service.ask(&format!("GET {way}")).await;
            assert_eq!((reply.status.as_u16(), reply.text()), (200, path), "{way}");
        }
        // A decoded question mark never becomes a query.
        stream.expect(&format!("GET {path}?offset=1"), "200").await;
    }
}

#[tokio::test]
async fn names_that_look_alike_are_different_streams() {
    let service = Service::new();
    for path in ["/v1/stream/x/y", "/v1/stream/x%252Fy", "/v1/stream/x+y", "/v1/stream/x%20y", "/v1/stream/X/y"] {
        service.stream(path, "text/plain", path).await;
    }
    assert_eq!(service.ask("GET /v1/stream/x%252Fy").await.text(), "/v1/stream/x%252Fy");
    assert_eq!(service.ask("GET /v1/stream/x%2Fy").await.text(), "/v1/stream/x/y");
}

#[tokio::test]
async fn names_that_are_none_are_refused_and_create_nothing() {
    let service = Service::new();
    let long = |prefix: &str, length: usize| format!("{prefix}{}", "x".repeat(length));
    for (path, code) in [
        ("/v1/stream/%", "INVALID_STREAM_ID"),
        ("/v1/stream/%zz", "INVALID_STREAM_ID"),
        ("/v1/stream/a%00b", "INVALID_STREAM_ID"),
        ("/v1/stream/%FF", "INVALID_STREAM_ID"),
        ("/v1/stream/a//b", "INVALID_STREAM_ID"),
        ("/v1/stream/a/", "INVALID_STREAM_ID"),
        ("/v1/stream//a", "INVALID_STREAM_ID"),
        ("/v1/stream/a/./b", "INVALID_STREAM_ID"),
        ("/v1/stream/a/../b", "INVALID_STREAM_ID"),
        ("/v1/stream/%2e%2E/b", "INVALID_STREAM_ID"),
        ("/v1/stream/__ds/x", "INVALID_STREAM_ID"),
        (&long("/v1/stream/", 513), "INVALID_STREAM_ID"),
        (&long("/v1/stream/", 1024), "INVALID_STREAM_ID"),
        ("/ds/acct/a%2Fb", "INVALID_STREAM_ID"),
        ("/ds/acct/%", "INVALID_STREAM_ID"),
        ("/ds/acct/a..b", "INVALID_STREAM_ID"),
        ("/ds/acct/.", "INVALID_STREAM_ID"),
        ("/ds/acct/streams", "INVALID_STREAM_ID"),
        ("/ds/acct/$x", "INVALID_STREAM_ID"),
        (&long("/ds/acct/", 123), "INVALID_STREAM_ID"),
        ("/ds/abc/x", "INVALID_BUCKET_ID"),
        ("/ds/Acct/x", "INVALID_BUCKET_ID"),
        ("/ds/a.ct/%", "INVALID_BUCKET_ID"),
        (&format!("{}/x", long("/ds/", 65)), "INVALID_BUCKET_ID"),
    ] {
        let refused = format!("400 {code}\n!location");
        for request in ["PUT", "GET", "DELETE", "POST"] {
            let closing = if request == "POST" { "\nstream-closed: true" } else { "" };
            service.ask(&format!("{request} {path}{closing}")).await.check(path, &refused);
        }
        assert_eq!(service.ask(&format!("HEAD {path}")).await.status, 400, "{path}");
    }
    service.stream(&long("/v1/stream/", 512), "text/plain", "").await;
    service.stream(&long("/ds/acct/", 122), "text/plain", "").await;
}

#[tokio::test]
async fn the_location_is_below_the_public_base_where_one_is_set() {
    let base = wadi_http::PublicBase::parse("https://streams.example.org/base").unwrap();
    let service = Service::with(wadi_http::Settings { public_base: Some(base), ..crate::harness::open_lifecycle() });
    let reply = service.ask("PUT /v1/stream/a%20b\nx-forwarded-proto: ftp").await;
    reply.check("PUT", "201\nlocation: https://streams.example.org/base/v1/stream/a%20b");
}
