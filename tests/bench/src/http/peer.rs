//! Another server of Durable Streams, measured beside Wadi.

use super::Mount;
use crate::failure::Failure;

/// A server with what it is called in the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    /// Its name, with its version.
    pub(crate) name: String,
    /// Where it has its streams.
    pub(crate) mount: Mount,
}

impl Peer {
    /// A peer from `NAME=URL`, or from an URL, which is its name then.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let (name, url) = match text.split_once("=http://") {
            Some((name, rest)) => (name.to_owned(), format!("http://{rest}")),
            None => (text.to_owned(), text.to_owned()),
        };
        Ok(Self { name, mount: Mount::parse(&url)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_has_a_name_or_is_called_by_its_url() {
        let mount = Mount::parse("http://127.0.0.1:4438/v1/stream").unwrap();
        let peer = |text: &str| Peer::parse(text).unwrap();
        for (text, name) in [
            ("Electric 0.1.5=http://127.0.0.1:4438/v1/stream", "Electric 0.1.5"),
            ("http://127.0.0.1:4438/v1/stream", "http://127.0.0.1:4438/v1/stream"),
        ] {
            assert_eq!(peer(text), Peer { name: name.to_owned(), mount: mount.clone() });
        }
        assert!(Peer::parse("Electric").is_err());
    }
}
