//! `/healthz`: the process runs. `/readyz`: its bucket answers, and was proved fit.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use bytes::Bytes;
use http::Method;
use tokio::time::timeout;
use wadi_protocol::{Answer, Code, Refusal, name};
use wadi_stream::{Engine, Fitness};

use crate::{
    answer::{Caching, refuse, respond, respond_empty},
    limits::READINESS_WAIT_MAX,
    shell::Shell,
};

const UNTESTED: Refusal =
    Refusal::invalid(Code::StoreUnavailable, "The bucket answers; its self-test has not ended yet.");
const WRONG_METHOD: Refusal = Refusal::invalid(Code::MethodNotAllowed, "This URL serves GET and HEAD.");

pub(crate) async fn healthz(method: Method) -> Response {
    if is_read(&method) { fine("ok") } else { wrong_method() }
}

pub(crate) async fn readyz(method: Method, State(shell): State<Arc<Shell>>) -> Response {
    if !is_read(&method) {
        return wrong_method();
    }
    match readiness(&shell.engine).await {
        Ok(()) => fine("ready"),
        Err(refusal) => refuse(&refusal),
    }
}

async fn readiness(engine: &Engine) -> Result<(), Refusal> {
    let fitness = engine.fitness();
    if let Fitness::Unfit { probe } = fitness {
        return Err(Refusal::StoreUnfit { probe });
    }
    if timeout(READINESS_WAIT_MAX, engine.store_answers()).await != Ok(true) {
        return Err(Refusal::StoreUnavailable);
    }
    if fitness == Fitness::Proved { Ok(()) } else { Err(UNTESTED) }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn fine(status: &str) -> Response {
    let answer = Answer::new(200).with(name::CONTENT_TYPE, "application/json");
    respond(answer, Caching::NoStore, Bytes::from(format!(r#"{{"status":"{status}"}}"#)))
}

fn wrong_method() -> Response {
    respond_empty(Answer::from(&WRONG_METHOD).with("allow", "GET, HEAD, OPTIONS"), Caching::NoStore)
}
