//! `wadi verify`: is every byte where the bucket says it is?

use std::{process::ExitCode, sync::Arc};

use wadi_protocol::{Refusal, StreamKey};
use wadi_settings::open_store;
use wadi_store::SharedStore;
use wadi_stream::{Engine, Fitness, TokioRuntime, Verified};

use crate::{banner, error::StartError, settings::VerifyArgs};

/// Something is wrong with a stream.
const WRONG: u8 = 1;
/// The bucket does not answer.
const UNANSWERED: u8 = 2;

/// Reads one stream or all of them, and says of each what it found.
pub(crate) async fn verify(args: VerifyArgs) -> Result<ExitCode, StartError> {
    let engine = read_only(open_store(&args.store).await?);
    let checked = match &args.stream {
        Some(stream) => one(&engine, stream).await,
        None => all(&engine).await,
    };
    Ok(match checked {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(WRONG),
        Err(_) => {
            banner::report("the bucket does not answer; the log says why");
            ExitCode::from(UNANSWERED)
        }
    })
}

/// An engine that takes no writes.
fn read_only(store: SharedStore) -> Engine {
    Engine::new(store, Arc::new(TokioRuntime::default()), Fitness::Untested)
}

async fn all(engine: &Engine) -> Result<bool, Refusal> {
    let (mut well, mut count, mut last) = (true, 0_u64, None);
    loop {
        let names = engine.names(last.as_ref()).await?;
        let Some(end) = names.last().cloned() else { break };
        for stream in &names {
            well &= one(engine, stream).await?;
            count += 1;
        }
        last = Some(end);
    }
    banner::report(&format!("{count} names verified"));
    Ok(well)
}

async fn one(engine: &Engine, stream: &StreamKey) -> Result<bool, Refusal> {
    let verified = engine.verify(stream).await?;
    for line in told(stream, &verified) {
        banner::report(&line);
    }
    Ok(verified.problems.is_empty())
}

fn told(stream: &StreamKey, verified: &Verified) -> Vec<String> {
    let Verified { incarnation, bytes, records, sealed_objects, problems } = verified;
    if !problems.is_empty() {
        return problems.iter().map(|problem| format!("WRONG {stream}: {problem}")).collect();
    }
    let found = match incarnation {
        None => "nothing lives under this name".to_owned(),
        Some(_) => format!("{bytes} bytes in {sealed_objects} sealed objects and {records} records"),
    };
    vec![format!("ok    {stream}: {found}")]
}
