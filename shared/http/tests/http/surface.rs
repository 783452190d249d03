//! Which URLs and methods there are.

use crate::harness::Service;

#[tokio::test]
async fn unknown_urls_are_not_found() {
    let service = Service::new();
    for request in [
        "GET /",
        "GET /ds",
        "GET /ds/",
        "GET /ds/acct",
        "GET /v1/stream",
        "GET /v1/stream/",
        "POST /v2/stream/a",
        "GET /ds/acct/s/other",
        "GET /ds/acct/s/snapshot",
        "PUT /ds/acct/s/",
        "GET /V1/stream/a",
        "GET /%76%31/stream/a",
        "OPTIONS *",
    ] {
        service.ask(request).await.check(request, "404 NOT_FOUND\n!allow");
    }
}

#[tokio::test]
async fn unserved_methods_name_the_served_ones() {
    let service = Service::new();
    for stream in service.both("methods", "text/plain", "a").await {
        for method in ["PATCH", "TRACE", "PROPFIND"] {
            let allow = "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, POST, PUT, DELETE, OPTIONS";
            stream.refuses(&format!("{method} {{s}}"), allow).await;
        }
        stream.expect("OPTIONS {s}", "204\nallow: GET, HEAD, POST, PUT, DELETE, OPTIONS").await;
    }
}

#[tokio::test]
async fn resources_below_a_stream_are_served_at_both_mounts_alike() {
    let service = Service::new();
    for stream in service.both("below", "text/plain", "a").await {
        let zero = "00000000000000000000";
        stream.expect("PUT {s}/snapshot/0\n\nstate", "204\nstream-incarnation: {token}").await;
        for ending in [&format!("incarnation/{{token}}/snapshot/{zero}"), "snapshot/0"] {
            let read = stream.expect(&format!("GET {{s}}/{ending}"), "200\nstream-incarnation: {token}").await;
            assert_eq!(read.text(), "state");
            stream.expect(&format!("HEAD {{s}}/{ending}"), "200\ncontent-length: 5").await;
        }
        let chunk =
            stream.expect(&format!("GET {{s}}/incarnation/{{token}}/chunk/{zero}"), "200\n!stream-immutable").await;
        assert_eq!(chunk.text(), "a");
        stream.expect("GET {s}/bootstrap", "200\nstream-snapshot-offset: @0\nstream-next-offset: @1").await;
        stream.expect("PUT {s}/retention/0", "204\nstream-retained-offset: @0").await;
        stream.expect("POST {s}/snapshot/0/parts\n\nx", "201").await;
        stream.expect("DELETE {s}/snapshot/parts", "204").await;
        for (method, ending) in [("POST", "bootstrap"), ("DELETE", "snapshot/0"), ("POST", "retention/0")] {
            assert_eq!(stream.ask(&format!("{method} {{s}}/{ending}")).await.status, 405, "{method} {ending}");
        }
    }
}

#[tokio::test]
async fn what_is_wrong_with_an_immutable_url_is_told_before_what_is_wrong_with_the_name() {
    let service = Service::new();
    let stream = service.stream("/ds/acct/immutable", "text/plain", "a").await;
    for name in ["{s}", "/ds/acct/missing", "/ds/BAD/s", "/ds/acct/%"] {
        for kind in ["chunk", "snapshot"] {
            for (method, ending, refusal) in [
                ("GET", "incarnation/x/{kind}/0?", "400 QUERY_NOT_ACCEPTED"),
                ("GET", "incarnation/7/{kind}/00000000000000000000?offset=1", "400 QUERY_NOT_ACCEPTED"),
                ("GET", "incarnation/07/{kind}/00000000000000000000", "400 INVALID_RESOURCE"),
                ("GET", "incarnation/7/{kind}/0", "400 INVALID_RESOURCE"),
                ("GET", "incarnation/7/{kind}/now", "400 INVALID_RESOURCE"),
                ("PUT", "incarnation/7/{kind}/0", "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, OPTIONS"),
                ("POST", "incarnation/7/{kind}/0?", "405 METHOD_NOT_ALLOWED\nallow: GET, HEAD, OPTIONS"),
            ] {
                let request = format!("{method} {name}/{}\nstream-incarnation: x", ending.replace("{kind}", kind));
                stream.refuses(&request, refusal).await;
            }
            stream.expect(&format!("OPTIONS {name}/incarnation/7/{kind}/0"), "204\nallow: GET, HEAD, OPTIONS").await;
        }
    }
}

#[tokio::test]
async fn a_name_that_ends_like_a_resource_cannot_be_created() {
    let service = Service::new();
    for request in [
        "PUT /v1/stream/a/bootstrap",
        "PUT /v1/stream/a/snapshot/parts",
        "PUT /v1/stream/a/snapshot/5/parts",
        "PUT /v1/stream/a/incarnation/1/chunk/2",
        "PUT /v1/stream/a%2Fbootstrap",
        "PUT /v1/stream/a/snapshot%2F5",
    ] {
        service.ask(request).await.check(request, "400 INVALID_STREAM_ID");
    }
    // Nothing but an ending is a name.
    service.ask("PUT /v1/stream/bootstrap").await.check("bootstrap", "201");
}

#[tokio::test]
async fn hosted_streams_are_not_created_or_deleted_at_their_url_unless_open() {
    let service = Service::with(wadi_http::Settings::default());
    service.stream("/v1/stream/managed", "text/plain", "a").await;
    for request in [
        "PUT /ds/default/managed",
        "PUT /ds/default/other\nstream-ttl: x\n\nbody",
        "PUT /ds/BAD/other",
        "DELETE /ds/default/managed",
        "DELETE /ds/default/missing",
    ] {
        service.ask(request).await.check(request, "403 STREAM_LIFECYCLE\n!stream-incarnation");
    }
    service.ask("HEAD /ds/default/managed").await.check("HEAD", "200\nstream-next-offset: @1");
    service.ask("HEAD /ds/default/other").await.check("HEAD", "404");
}

#[tokio::test]
async fn a_stream_of_the_default_account_is_reached_through_either_mount() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/shared", "text/plain", "a").await;
    stream.expect("POST /ds/default/shared\ncontent-type: text/plain\n\nb", "204\nstream-next-offset: @2").await;
    assert_eq!(stream.ask("GET {s}").await.text(), "ab");
    stream.expect("HEAD /ds/default/shared", "200\nstream-incarnation: {token}").await;
}

#[tokio::test]
async fn a_missing_stream_is_constant_whatever_the_name() {
    let service = Service::new();
    let first = service.ask("GET /v1/stream/one").await;
    first.check("GET", "404 STREAM_NOT_FOUND\n!stream-incarnation\n!stream-next-offset");
    for request in [
        "GET /v1/stream/another",
        "GET /ds/acct/one?offset=5",
        "DELETE /ds/other-account/one",
        "POST /v1/stream/x\nstream-closed: true",
        "GET /v1/stream/x\nstream-incarnation: 5",
    ] {
        assert_eq!(service.ask(request).await, first, "{request}");
    }
    assert_eq!(service.ask("HEAD /v1/stream/one").await.status, 404);
}
