//! Who may keep an answer, and for how long.

use http::HeaderValue;
use wadi_protocol::End;

/// The rule of an answer's `Cache-Control`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caching {
    /// Nobody keeps it: it says how the stream is at this moment, or is no success.
    NoStore,
    /// A page that ends below the tail. Its bytes never change; only a delete or retention can
    /// make it wrong, so it is kept for a while and not for ever.
    Page,
    /// What never changes: no later answer with status 200 is another.
    Immutable,
    /// A long-poll that was answered with bytes: the same for all that wait with the same cursor.
    LongPoll,
    /// A stream of events: nothing on the way may keep, gather or change it.
    Events,
}

impl Caching {
    /// The rule of a catch-up page, by where it ends. What ends at the tail is out of date with the
    /// next append, and nothing else tells a reader of it.
    pub(crate) fn of_page(end: End) -> Self {
        match end {
            End::BelowTail => Self::Page,
            End::OpenTail | End::ClosedTail => Self::NoStore,
        }
    }

    /// The value of `Cache-Control`. Streams are public: there is no access control yet.
    pub(crate) const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::NoStore => "no-store",
            Self::Page => "public, max-age=60, stale-while-revalidate=300",
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::LongPoll => "public, max-age=60",
            Self::Events => "no-cache, no-store, no-transform",
        })
    }
}
