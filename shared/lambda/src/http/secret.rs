//! The secret that shows that a request came through the CDN.

use std::{convert::Infallible, fmt, str::FromStr};

use http::{HeaderMap, HeaderName};

use crate::{
    StartError,
    limits::{SECRET_BYTES_MIN, SECRETS_MAX},
};

/// The header with the secret.
pub(super) const ORIGIN_SECRET: HeaderName = HeaderName::from_static("x-wadi-origin-secret");

/// A text that is shown to nobody.
#[derive(Clone)]
pub struct Secret(String);

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The secrets of which a request has to bring one.
#[derive(Clone, Debug)]
pub struct OriginSecrets(Vec<blake3::Hash>);

impl OriginSecrets {
    /// One secret, or two with a comma between them.
    ///
    /// [`StartError::Secrets`] for anything else, and for secrets that are easily guessed.
    pub fn parse(text: &Secret) -> Result<Self, StartError> {
        let secrets: Vec<&str> = text.0.split(',').map(str::trim).collect();
        let is_one =
            |secret: &&str| secret.len() >= SECRET_BYTES_MIN && secret.bytes().all(|byte| byte.is_ascii_graphic());
        if secrets.len() > SECRETS_MAX || !secrets.iter().all(is_one) {
            return Err(StartError::Secrets);
        }
        Ok(Self(secrets.into_iter().map(|secret| blake3::hash(secret.as_bytes())).collect()))
    }

    /// Whether a request brings one of them, once.
    pub(super) fn allow(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(&ORIGIN_SECRET).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        let given = blake3::hash(value.as_bytes());
        // Hashes are compared in constant time, each time with all.
        self.0.iter().fold(false, |allowed, secret| (*secret == given) | allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "0123456789abcdef";
    const NEW: &str = "fedcba9876543210";

    fn secrets(text: &str) -> Result<OriginSecrets, StartError> {
        OriginSecrets::parse(&text.parse().unwrap())
    }

    fn headers(values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (ORIGIN_SECRET, value.parse().unwrap())).collect()
    }

    #[test]
    fn a_request_brings_one_of_the_secrets_once() {
        let both = secrets(&format!("{OLD}, {NEW}")).unwrap();
        for (given, allowed) in [
            (&[OLD][..], true),
            (&[NEW], true),
            (&[], false),
            (&[""], false),
            (&["0123456789abcdee"], false),
            (&["0123456789abcdef, fedcba9876543210"], false),
            (&[OLD, NEW], false),
        ] {
            assert_eq!(both.allow(&headers(given)), allowed, "{given:?}");
        }
        assert!(!secrets(OLD).unwrap().allow(&headers(&[NEW])));
    }

    #[test]
    fn what_is_easily_guessed_is_no_secret() {
        for text in ["", ",", "short", "0123456789abcde", "0123456789abcdef,", "0123456789 abcdef", "0123456789abcdeé"]
        {
            assert!(secrets(text).is_err(), "{text:?}");
        }
        assert!(secrets(&[OLD; 3].join(",")).is_err());
    }
}
