//! What the S3 store makes of a network and a server that misbehave. Needs no server: it brings its own.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use wadi_protocol::Timestamp;
use wadi_store::{
    ConnectError, GetOptions, GetOutcome, NewObject, ObjectStore, ObjectTag, PutCondition, PutOutcome, S3Credentials,
    S3Settings, S3Store, StoreError, Upload,
};

const DATE: &str = "Date: Sun, 06 Nov 1994 08:49:37 GMT";
const DATE_MILLIS: u64 = 784_111_777_000;

/// A server that gives one answer to everything; an empty one means that it hangs up.
struct Server {
    store: S3Store,
    requests: Arc<AtomicUsize>,
}

async fn server(status: &str, headers: &str, body: &str) -> Server {
    serving(if status.is_empty() { String::new() } else { answer(status, headers, body, body.len()) }).await
}

/// An answer that promises a length.
fn answer(status: &str, headers: &str, body: &str, length: usize) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

async fn serving(answer: String) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&requests);
    tokio::spawn(async move {
        loop {
            let (connection, _) = listener.accept().await.unwrap();
            seen.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(serve(connection, answer.clone()));
        }
    });
    Server { store: connect(endpoint).await, requests }
}

async fn serve(mut connection: TcpStream, answer: String) {
    // The requests of these tests are small enough to come in one piece.
    let mut request = [0; 16 * 1024];
    let _ = connection.read(&mut request).await;
    let _ = connection.write_all(answer.as_bytes()).await;
}

async fn error_server(status: &str, code: &str) -> Server {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>told so</Message></Error>");
    server(status, DATE, &body).await
}

async fn connect(endpoint: String) -> S3Store {
    let keys = S3Credentials { access_key_id: "id".to_owned(), secret_access_key: "secret".to_owned() };
    let settings = S3Settings {
        bucket: "bucket".to_owned(),
        endpoint: Some(endpoint),
        credentials: Some(keys),
        ..S3Settings::default()
    };
    S3Store::connect(settings).await.unwrap()
}

impl Server {
    async fn put(&self, condition: PutCondition) -> Result<PutOutcome, StoreError> {
        self.store.put(&"k".into(), NewObject::default(), condition).await
    }

    async fn get(&self) -> Result<GetOutcome, StoreError> {
        self.store.get(&"k".into(), GetOptions::default()).await
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn if_match() -> PutCondition {
    PutCondition::IfMatch(ObjectTag("\"t\"".to_owned()))
}

#[tokio::test]
async fn a_failed_condition_is_an_answer() {
    let date = Timestamp::from_millis(DATE_MILLIS);
    let failed = Ok(PutOutcome::PreconditionFailed { date });
    let server = error_server("412 Precondition Failed", "PreconditionFailed").await;
    assert_eq!(server.put(PutCondition::IfAbsent).await, failed);
    assert_eq!(server.put(if_match()).await, failed);

    let server = error_server("404 Not Found", "NoSuchKey").await;
    assert_eq!(server.put(if_match()).await, failed);
    assert_eq!(server.get().await, Ok(GetOutcome::Missing { date }));
    assert!(server.put(PutCondition::IfAbsent).await.unwrap_err().proves_nothing_written());

    let server = error_server("409 Conflict", "ConditionalRequestConflict").await;
    assert_eq!(server.put(PutCondition::IfAbsent).await, Ok(PutOutcome::Conflict { date }));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn a_refusal_proves_that_nothing_was_written() {
    let server = error_server("403 Forbidden", "AccessDenied").await;
    let expected = Err(StoreError::Rejected { status: 403, code: "AccessDenied".into(), message: "told so".into() });
    assert_eq!(server.put(PutCondition::IfAbsent).await, expected);
    assert!(matches!(server.get().await, Err(StoreError::Rejected { .. })));
}

#[tokio::test]
async fn a_write_is_sent_once_and_a_read_again() {
    for (status, code) in [("500 Internal Server Error", "InternalError"), ("503 Slow Down", "SlowDown"), ("", "")] {
        let server = if status.is_empty() { server("", "", "").await } else { error_server(status, code).await };
        for condition in [PutCondition::IfAbsent, if_match(), PutCondition::Always] {
            let before = server.requests();
            let answer = server.put(condition).await;
            assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{status}: {answer:?}");
            assert_eq!(server.requests() - before, 1, "{status:?}: a write was sent again");
        }
        let before = server.requests();
        assert!(matches!(server.get().await, Err(StoreError::Unavailable { .. })));
        assert_eq!(server.requests() - before, 3, "{status:?}: a read has three attempts");
    }
}

/// S3 sends the status before it puts the parts together: what came of it is in the body.
#[tokio::test]
async fn an_upload_that_fails_behind_a_200_is_not_complete() {
    let upload = Upload { key: "k".into(), id: "u".to_owned(), date: Timestamp::EPOCH };
    let failed = "<?xml version=\"1.0\"?>\n  <Error><Code>InternalError</Code><Message>told so</Message></Error>";
    for body in [failed, "   ", ""] {
        let server = server("200 OK", DATE, body).await;
        let told = server.store.complete_upload(&upload, &[ObjectTag("\"t\"".to_owned())]).await;
        assert!(matches!(told, Err(StoreError::Unavailable { .. })), "{body:?}: {told:?}");
        assert_eq!(server.requests(), 1);
    }
}

#[tokio::test]
async fn an_object_that_breaks_off_is_told_apart_and_left_to_the_caller() {
    let headers = format!("{DATE}\r\nETag: \"t\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT");
    let server = serving(answer("200 OK", &headers, "abc", 6)).await;
    let broken = server.get().await;
    assert!(matches!(broken, Err(StoreError::BrokenOff { .. })), "{broken:?}");
    assert_eq!(server.requests(), 1, "whoever counts requests sends the next one");
}

#[tokio::test]
async fn without_a_connection_nothing_was_sent() {
    // A port on which nobody listens: taken and let go.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for endpoint in [format!("http://{free}"), "http://no-such-host.invalid".to_owned()] {
        let store = connect(endpoint.clone()).await;
        let answer = store.put(&"k".into(), NewObject::default(), PutCondition::IfAbsent).await;
        assert!(matches!(answer, Err(StoreError::NotSent { .. })), "{endpoint}: {answer:?}");
        let answer = store.get(&"k".into(), GetOptions::default()).await;
        assert!(matches!(answer, Err(StoreError::NotSent { .. })), "{endpoint}: {answer:?}");
    }
}

#[tokio::test]
async fn a_success_that_cannot_be_dated_is_of_unknown_outcome() {
    let server = server("200 OK", "ETag: \"t\"", "").await;
    assert!(matches!(server.put(PutCondition::IfAbsent).await, Err(StoreError::Unavailable { .. })));
    let server = self::server("200 OK", &format!("{DATE}\r\nETag: \"t\""), "").await;
    let expected = PutOutcome::Stored { tag: ObjectTag("\"t\"".into()), date: Timestamp::from_millis(DATE_MILLIS) };
    assert_eq!(server.put(PutCondition::IfAbsent).await, Ok(expected));
}

#[tokio::test]
async fn a_server_that_ignores_ranges_is_put_right() {
    let headers = format!("{DATE}\r\nETag: \"t\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT");
    let server = server("200 OK", &headers, "abcdef").await;
    let key = "k".into();
    let read = |range| server.store.get(&key, GetOptions { range: Some(range), ..GetOptions::default() });
    let GetOutcome::Found(object) = read(2..4).await.unwrap() else { panic!("not found") };
    assert_eq!((object.body, object.size), ("cd".into(), 6));
    assert!(matches!(read(6..7).await, Ok(GetOutcome::OutOfRange { .. })));
}

#[tokio::test]
async fn a_server_without_batch_deletes_is_asked_one_by_one() {
    let server = error_server("501 Not Implemented", "NotImplemented").await;
    let keys = ["a".into(), "b".into()];
    assert!(matches!(server.store.delete_many(&keys).await, Err(StoreError::Rejected { status: 501, .. })));
    let requests = server.requests();
    assert!(requests > 1, "it was asked again, key by key");
}

#[tokio::test]
async fn settings_that_cannot_work_are_named() {
    let empty = S3Store::connect(S3Settings::default()).await.unwrap_err();
    assert_eq!(empty, ConnectError::NoBucket);
    let settings = S3Settings { bucket: "b".into(), endpoint: Some("localhost:8333".into()), ..S3Settings::default() };
    let wrong = S3Store::connect(settings).await.unwrap_err();
    assert!(wrong.to_string().contains("http://127.0.0.1:8333"), "{wrong}");
}
