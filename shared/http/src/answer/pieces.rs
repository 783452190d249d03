//! A body of known length in several pieces.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use wadi_stream::PageBytes;

/// The bytes as a body that tells its length and copies nothing.
pub(crate) fn in_pieces(bytes: PageBytes) -> Body {
    let left = bytes.len() as u64;
    let mut pieces = VecDeque::from(bytes.into_pieces());
    if pieces.len() < 2 {
        return pieces.pop_front().unwrap_or_default().into();
    }
    Body::new(Pieces { pieces, left })
}

struct Pieces {
    pieces: VecDeque<Bytes>,
    left: u64,
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.pieces.pop_front();
        self.left -= piece.as_ref().map_or(0, |piece| piece.len() as u64);
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use http_body::Body as _;
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_body_in_pieces_tells_its_length_and_gives_every_byte() {
        for pieces in [&[][..], &["abc"], &["ab", "", "c"], &["a", "b", "c"]] {
            let bytes: PageBytes = pieces.iter().map(|piece| Bytes::from_static(piece.as_bytes())).collect();
            let body = in_pieces(bytes.clone());
            assert_eq!(body.size_hint().exact(), Some(bytes.len() as u64), "{pieces:?}");
            assert_eq!(body.collect().await.unwrap().to_bytes(), bytes.joined(), "{pieces:?}");
        }
    }
}
