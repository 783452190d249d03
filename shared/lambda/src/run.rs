//! The functions, from their start to their end, which is Lambda's to choose.

use std::{
    convert::Infallible,
    env,
    io::{self, Write},
    process::ExitCode,
    sync::Arc,
    time::SystemTime,
};

use lambda_runtime::{Diagnostic, LambdaEvent, run_concurrent, service_fn};
use serde_json::Value;
use wadi_settings::start_log;

use crate::{
    StartError, environment,
    http::{Front, HttpEvent},
    settings::{self, BucketArgs, StreamArgs},
    upkeep::{BucketEvent, ScheduleEvent, Sealer, UpkeepError, sweep},
};

/// Runs a function until Lambda ends it, and says why if it does not start.
pub fn start(function: impl Future<Output = Result<(), StartError>>) -> ExitCode {
    match run(function) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(function: impl Future<Output = Result<(), StartError>>) -> Result<(), StartError> {
    if env::var_os("AWS_LAMBDA_RUNTIME_API").is_none() {
        return Err(StartError::NotInLambda);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(StartError::Runtime)?;
    runtime.block_on(function)
}

/// To the standard error output, which is the log; it may not have been set up yet.
fn tell(error: &StartError) {
    let _ = writeln!(io::stderr(), "error: {error}");
}

/// Serves streams: what `wadi serve` serves, request by request, or several at once where Lambda sends several.
pub async fn run_stream() -> Result<(), StartError> {
    let args: StreamArgs = settings::read()?;
    start_log(&args.common.logs)?;
    let secrets = args.secrets()?;
    let engine = environment::engine(&args.common, args.engine()?).await?;
    // An environment that sent half an answer cannot take it back; it can only break the connection.
    let broken = Arc::new(|| std::process::exit(1));
    let front = Front::new(wadi_http::app(engine, args.http()), secrets, broken);
    let serve = service_fn(move |event: LambdaEvent<HttpEvent>| {
        let front = front.clone();
        async move { Ok::<_, Infallible>(front.answer(event.payload).await) }
    });
    run_concurrent(serve).await.map_err(|error| StartError::Lambda(error.to_string()))
}

/// Seals the streams that the bucket's events tell of.
pub async fn run_seal() -> Result<(), StartError> {
    let args: BucketArgs = settings::read()?;
    start_log(&args.common.logs)?;
    let engine = environment::engine(&args.common, args.common.engine()).await?;
    let sealer = Sealer::new(engine, args.common.prefix()?);
    let seal = service_fn(move |event: LambdaEvent<BucketEvent>| {
        let sealer = sealer.clone();
        async move { sealer.seal(&event.payload).await.map_err(diagnostic).map(|sealed| answer(&sealed)) }
    });
    run_concurrent(seal).await.map_err(|error| StartError::Lambda(error.to_string()))
}

/// Sweeps the bucket when the schedule says so.
pub async fn run_sweep() -> Result<(), StartError> {
    let args: BucketArgs = settings::read()?;
    start_log(&args.common.logs)?;
    let engine = environment::engine(&args.common, args.common.engine()).await?;
    let sealer = Sealer::new(engine, args.common.prefix()?);
    let work = service_fn(move |event: LambdaEvent<ScheduleEvent>| {
        let sealer = sealer.clone();
        async move {
            let left = event.context.deadline().duration_since(SystemTime::now()).unwrap_or_default();
            sweep(&sealer, &event.payload, left).await.map_err(diagnostic).map(|swept| answer(&swept))
        }
    });
    run_concurrent(work).await.map_err(|error| StartError::Lambda(error.to_string()))
}

fn diagnostic(error: UpkeepError) -> Diagnostic {
    Diagnostic { error_type: "UpkeepError".to_owned(), error_message: error.to_string() }
}

fn answer(report: &impl serde::Serialize) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}
