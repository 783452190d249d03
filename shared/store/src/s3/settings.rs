//! Which bucket, where.

use std::fmt;

use thiserror::Error;

/// Where a bucket is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct S3Settings {
    /// Name of the bucket.
    pub bucket: String,
    /// Put before every key, with a slash between; callers never see it.
    pub prefix: Option<String>,
    /// URL of a server other than Amazon's, such as `http://127.0.0.1:8333`.
    pub endpoint: Option<String>,
    /// Region; by default the one of the environment, the profile or the instance, and for another server that
    /// of the environment or `us-east-1`.
    pub region: Option<String>,
    /// True: the bucket is in the path of URLs, not in the host name. By default so for another server only.
    pub path_style: Option<bool>,
    /// Credentials; by default those of the usual places: environment, profile, web identity, container, instance.
    pub credentials: Option<S3Credentials>,
}

/// A key pair given by hand.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Credentials {
    /// The public half.
    pub access_key_id: String,
    /// The secret half; never shown.
    pub secret_access_key: String,
}

impl fmt::Debug for S3Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Credentials").field("access_key_id", &self.access_key_id).finish_non_exhaustive()
    }
}

/// Why an S3 store could not be set up. No request is sent to find out.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConnectError {
    /// No name of a bucket was given.
    #[error("no bucket is named; set the name of a bucket that exists")]
    NoBucket,
    /// Nothing says which region the bucket is in.
    #[error("no region is known for bucket {bucket}; set the region, or AWS_REGION")]
    NoRegion {
        /// The bucket.
        bucket: String,
    },
    /// The endpoint is no URL.
    #[error("the endpoint {endpoint:?} is not usable; write it like http://127.0.0.1:8333")]
    Endpoint {
        /// The endpoint given.
        endpoint: String,
    },
}

impl S3Settings {
    /// The settings with what is plainly wrong found out.
    pub(super) fn checked(&self) -> Result<(), ConnectError> {
        if self.bucket.is_empty() {
            return Err(ConnectError::NoBucket);
        }
        match &self.endpoint {
            Some(endpoint) if !endpoint.starts_with("http://") && !endpoint.starts_with("https://") => {
                Err(ConnectError::Endpoint { endpoint: endpoint.clone() })
            }
            _ => Ok(()),
        }
    }
}
