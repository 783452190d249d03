//! Where data is kept.

use std::{fmt, path::PathBuf};

use thiserror::Error;

/// Where data is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A directory on this machine, for one process.
    Directory(PathBuf),
    /// A bucket, for any number of processes.
    S3 {
        /// Its name.
        bucket: String,
        /// What all its keys begin with; without slashes around it, may be empty.
        prefix: String,
    },
}

/// A text that names no place.
#[derive(Clone, Copy, Debug, Error)]
#[error("the store must be a directory, or s3://bucket or s3://bucket/prefix")]
pub struct InvalidPlace;

impl Place {
    /// A path, or an URL of S3.
    pub fn parse(text: &str) -> Result<Self, InvalidPlace> {
        match text.split_once("://") {
            None if text.is_empty() => Err(InvalidPlace),
            None => Ok(Self::Directory(text.into())),
            Some(("s3", rest)) => {
                let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
                let prefix = prefix.trim_matches('/').to_owned();
                if bucket.is_empty() { Err(InvalidPlace) } else { Ok(Self::S3 { bucket: bucket.to_owned(), prefix }) }
            }
            Some(_) => Err(InvalidPlace),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => std::path::absolute(path).as_ref().unwrap_or(path).display().fmt(f),
            Self::S3 { bucket, prefix } if prefix.is_empty() => write!(f, "s3://{bucket}"),
            Self::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        for (text, shown) in [
            ("/var/lib/wadi", Some("/var/lib/wadi")),
            ("s3://bucket", Some("s3://bucket")),
            ("s3://bucket/", Some("s3://bucket")),
            ("s3://bucket/a/b/", Some("s3://bucket/a/b")),
            ("", None),
            ("s3://", None),
            ("s3:///a", None),
            ("gs://bucket", None),
        ] {
            assert_eq!(Place::parse(text).ok().map(|place| place.to_string()).as_deref(), shown, "{text}");
        }
        let relative = Place::parse("./wadi-data").unwrap().to_string();
        assert!(relative.starts_with('/') && relative.ends_with("/wadi-data"), "{relative}");
    }
}
