//! `wadi selftest`: is this store fit?

use std::process::ExitCode;

use wadi_settings::open_store;
use wadi_store::{Unfit, prove};

use crate::{banner, error::StartError, proof::unique_id, settings::SelftestArgs};

/// The store broke a promise.
const UNFIT: u8 = 1;
/// The store could not be asked.
const UNPROVED: u8 = 2;

/// Tests the store once and says what came of it.
pub(crate) async fn selftest(args: SelftestArgs) -> Result<ExitCode, StartError> {
    let store = open_store(&args.store).await?;
    let place = &args.store.place;
    Ok(match prove(store.as_ref(), &unique_id()).await {
        Ok(()) => {
            banner::report(&format!("{place} is fit: it honours conditional writes, also under concurrency"));
            ExitCode::SUCCESS
        }
        Err(unfit) => {
            banner::report(&format!("{place}: {unfit}"));
            ExitCode::from(if matches!(unfit, Unfit::Broken { .. }) { UNFIT } else { UNPROVED })
        }
    })
}
