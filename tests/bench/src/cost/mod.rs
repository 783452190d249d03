//! What it costs: requests that were measured, at prices that are published.

mod bill;
mod prices;

pub(crate) use bill::{Bill, Measured};
pub(crate) use prices::Prices;
