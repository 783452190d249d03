//! `Server-Timing`: what a request asked of the store (the Server Timing standard).

use std::future::Future;

use axum::response::Response;
use http::{HeaderName, HeaderValue};
use wadi_protocol::name;
use wadi_store::{Meter, Usage, metered};

use crate::shell::Shell;

/// Meters the work on a request, where the settings say so, and tells in its answer what was counted until then.
pub(crate) async fn server_timing(shell: &Shell, answered: impl Future<Output = Response>) -> Response {
    if !shell.settings.server_timing {
        return answered.await;
    }
    let runtime = shell.engine.runtime().clone();
    let meter = Meter::new(move || runtime.monotonic());
    let mut response = metered(Some(meter.clone()), answered).await;
    if let Ok(value) = HeaderValue::from_str(&told(meter.usage())) {
        response.headers_mut().insert(HeaderName::from_static(name::SERVER_TIMING), value);
    }
    response
}

/// The metric `store`: the requests by kind, and milliseconds. Deletes, which cost nothing at a bucket,
/// are told only where there are some.
fn told(usage: Usage) -> String {
    let Usage { requests, waited } = usage;
    let deletes = if requests.delete > 0 { format!(" delete={}", requests.delete) } else { String::new() };
    format!(
        r#"store;desc="put={} get={} list={}{deletes}";dur={:.1}"#,
        requests.put,
        requests.get,
        requests.list,
        waited.as_secs_f64() * 1000.0
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use wadi_store::RequestCounts;

    use super::*;

    #[test]
    fn the_form_of_the_header() {
        let usage = |delete| Usage {
            requests: RequestCounts { get: 2, put: 1, delete, list: 0 },
            waited: Duration::from_micros(12_340),
        };
        assert_eq!(told(usage(0)), r#"store;desc="put=1 get=2 list=0";dur=12.3"#);
        assert_eq!(told(usage(3)), r#"store;desc="put=1 get=2 list=0 delete=3";dur=12.3"#);
        assert_eq!(told(Usage::default()), r#"store;desc="put=0 get=0 list=0";dur=0.0"#);
    }
}
