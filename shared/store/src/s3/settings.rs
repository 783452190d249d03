//! Which bucket, where.

use thiserror::Error;

/// Where a bucket is. Credentials come from the usual places: environment, profile, web identity,
/// container, instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct S3Settings {
    /// Name of the bucket.
    pub bucket: String,
    /// Put before every key, with a slash between; callers never see it.
    pub prefix: Option<String>,
    /// URL of a server other than Amazon's, such as `http://127.0.0.1:8333`.
    pub endpoint: Option<String>,
    /// Region; by default the environment's or the profile's, and `us-east-1` for another server.
    pub region: Option<String>,
    /// True: the bucket is in the path of URLs, not in the host name. By default so for another server only.
    pub path_style: Option<bool>,
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
