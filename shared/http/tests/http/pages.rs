//! Reading page by page: no page is too long, none is empty but the last, and they add up.
//!
//! See: <https://github.com/s2-streamstore/s2/pull/208>

use crate::harness::{Reply, Service, Stream};

/// The most that one page holds, in bytes (wire contract, Read).
const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// Reads from the start of a closed stream to its end, and checks what each page says of itself.
async fn read_all(stream: &Stream<'_>, query: &str, is_empty: impl Fn(&Reply) -> bool) -> Vec<Reply> {
    let mut pages: Vec<Reply> = Vec::new();
    let mut offset = "-1".to_owned();
    loop {
        let page = stream.expect(&format!("GET {{s}}?offset={offset}{query}"), "200").await;
        let next = page.header("stream-next-offset").unwrap().to_owned();
        let at_the_end = next == stream.ask("HEAD {s}").await.header("stream-next-offset").unwrap();
        for flag in ["stream-up-to-date", "stream-closed"] {
            assert_eq!(page.header(flag), at_the_end.then_some("true"), "{flag} of the page up to {next}");
        }
        assert!(at_the_end || !is_empty(&page), "an empty page at {offset}, which is not the last");
        pages.push(page);
        if at_the_end {
            return pages;
        }
        offset = next;
    }
}

/// Appends bytes in pieces of a size.
async fn append(stream: &Stream<'_>, bytes: &str, piece: usize) {
    for start in (0..bytes.len()).step_by(piece) {
        let part = &bytes[start..bytes.len().min(start + piece)];
        stream.expect(&format!("POST {{s}}\ncontent-type: text/plain\n\n{part}"), "204").await;
    }
}

/// Text that repeats after a prime number of bytes: a piece left out or doubled shows.
fn text(length: usize) -> String {
    (0..length).map(|at| char::from(b'!' + u8::try_from(at % 89).unwrap())).collect()
}

#[tokio::test]
async fn bytes_of_exactly_one_page_and_around_it_are_read_whole() {
    let service = Service::new();
    // A page that is small because the reader asks for one, and the largest there is.
    for (bytes_max, pieces) in [(16 * 1024, [PAGE_BYTES, 1024]), (PAGE_BYTES, [PAGE_BYTES, PAGE_BYTES / 8 + 1])] {
        for length in [bytes_max - 1, bytes_max, bytes_max + 1, 2 * bytes_max] {
            for piece in &pieces {
                let path = format!("/v1/stream/bytes-{length}-{piece}");
                let stream = service.stream(&path, "text/plain", "").await;
                let written = text(length);
                append(&stream, &written, *piece).await;
                stream.expect("POST {s}\nstream-closed: true", "204").await;
                let pages = read_all(&stream, &format!("&max_bytes={bytes_max}"), |page| page.body.is_empty()).await;
                assert!(pages.iter().map(Reply::text).eq(written.as_bytes().chunks(bytes_max).map(as_text)), "{path}");
                stream.expect("DELETE {s}", "204").await;
            }
        }
    }
}

fn as_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn messages_of_exactly_one_page_and_around_it_are_read_whole() {
    let service = Service::new();
    // A message is kept with the newline that ends it.
    let message = format!("\"{}\"", text(61).replace(['"', '\\'], "x"));
    let kept = message.len() + 1;
    for count in [15, 16, 17, 32] {
        for bytes_max in [kept * 16 - 1, kept * 16, kept * 16 + 1] {
            let path = format!("/v1/stream/messages-{count}-{bytes_max}");
            let stream = service.stream(&path, "application/json", "").await;
            for _ in 0..count {
                stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n{message}"), "204").await;
            }
            stream.expect("POST {s}\nstream-closed: true", "204").await;
            let pages = read_all(&stream, &format!("&max_bytes={bytes_max}"), |page| page.text() == "[]").await;
            let mut read = Vec::new();
            for page in &pages {
                assert!(page.body.len() <= bytes_max + 1, "a page longer than was asked for");
                let part: Vec<String> = serde_json::from_slice(&page.body).expect("whole messages");
                read.extend(part);
            }
            assert_eq!(read, vec![message.trim_matches('"'); count], "{path}");
        }
    }
}

#[tokio::test]
async fn a_message_larger_than_a_page_is_delivered_whole() {
    let service = Service::new();
    let stream = service.stream("/v1/stream/large", "application/json", "").await;
    let large = format!("\"{}\"", "x".repeat(PAGE_BYTES - 2));
    stream.expect(&format!("POST {{s}}\ncontent-type: application/json\n\n{large}"), "204").await;
    stream.expect("POST {s}\ncontent-type: application/json\nstream-closed: true\n\n7", "204").await;
    for bytes_max in ["", "&max_bytes=1"] {
        let pages = read_all(&stream, bytes_max, |page| page.text() == "[]").await;
        let pages: Vec<&str> = pages.iter().map(Reply::text).collect();
        assert!(pages == [&*format!("[{large}]"), "[7]"], "{bytes_max}: {:?}", pages.iter().map(|page| page.len()));
    }
}
