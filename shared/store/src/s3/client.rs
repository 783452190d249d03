//! The clients of the SDK, with every default that matters set on purpose.

use aws_config::{
    BehaviorVersion, Region, SdkConfig, environment::EnvironmentVariableRegionProvider, meta::region::ProvideRegion,
    retry::RetryConfig, timeout::TimeoutConfig,
};
use aws_credential_types::Credentials;
use aws_sdk_s3::{
    Client,
    config::{Builder, RequestChecksumCalculation, ResponseChecksumValidation, StalledStreamProtectionConfig},
};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

use super::{ConnectError, S3Credentials, S3Settings};
use crate::limits::{S3_CONNECT_TIME_MAX, S3_READ_ATTEMPT_TIME_MAX, S3_READ_ATTEMPTS_MAX, S3_READ_TIME_MAX};

/// Region of servers to which regions mean nothing; a signature needs one.
const ANY_REGION: &str = "us-east-1";

/// The clients of one bucket. They share connections and credentials.
pub(super) struct Clients {
    /// Repeats a few times what fails: for reads, listings, deletes.
    pub(super) repeating: Client,
    /// Sends once: for writes.
    pub(super) once: Client,
}

pub(super) async fn connect(settings: &S3Settings) -> Result<Clients, ConnectError> {
    let shared = load(settings).await;
    if shared.region().is_none() {
        return Err(ConnectError::NoRegion { bucket: settings.bucket.clone() });
    }
    let once = base(settings, &shared)
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::builder().connect_timeout(S3_CONNECT_TIME_MAX).build())
        // The whole write has a time-out of its own; this would only add timers.
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled());
    let repeating = base(settings, &shared)
        .retry_config(RetryConfig::standard().with_max_attempts(S3_READ_ATTEMPTS_MAX))
        .timeout_config(
            TimeoutConfig::builder()
                .connect_timeout(S3_CONNECT_TIME_MAX)
                .operation_attempt_timeout(S3_READ_ATTEMPT_TIME_MAX)
                .operation_timeout(S3_READ_TIME_MAX)
                .build(),
        );
    Ok(Clients { repeating: Client::from_conf(repeating.build()), once: Client::from_conf(once.build()) })
}

async fn load(settings: &S3Settings) -> SdkConfig {
    let https = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    let loader = aws_config::defaults(BehaviorVersion::v2026_01_12()).http_client(https);
    let loader = match region(settings).await {
        Some(region) => loader.region(region),
        None => loader,
    };
    let loader = match &settings.credentials {
        Some(keys) => loader.credentials_provider(credentials(keys)),
        None => loader,
    };
    loader.load().await
}

/// The region, where the usual search is not to be made: for another server it would ask Amazon's network in vain.
async fn region(settings: &S3Settings) -> Option<Region> {
    match (&settings.region, &settings.endpoint) {
        (Some(region), _) => Some(Region::new(region.clone())),
        (None, None) => None,
        (None, Some(_)) => {
            let environment = EnvironmentVariableRegionProvider::new().region().await;
            Some(environment.unwrap_or(Region::from_static(ANY_REGION)))
        }
    }
}

fn credentials(keys: &S3Credentials) -> Credentials {
    Credentials::new(&keys.access_key_id, &keys.secret_access_key, None, None, "settings")
}

fn base(settings: &S3Settings, shared: &SdkConfig) -> Builder {
    let other_server = settings.endpoint.is_some();
    let builder = Builder::from(shared).force_path_style(settings.path_style.unwrap_or(other_server));
    let Some(endpoint) = &settings.endpoint else { return builder };
    // Many servers refuse checksums that they do not know.
    builder
        .endpoint_url(endpoint)
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
}
