//! What a rate counts, and how it is written.

use serde::Serialize;

use crate::{
    limits::MIB,
    sample::{Figures, count},
};

/// What a rate counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Unit {
    /// Operations a second.
    Operations,
    /// Messages a second, several to an operation.
    Messages,
    /// Bytes, told in mebibytes a second. An operation of the floor is another one, so latencies do not compare.
    Mebibytes,
    /// No rate: what was done is done now and then, and how long it takes is all there is to say.
    Latency,
}

impl Unit {
    /// Whether a rate says something.
    pub(crate) fn has_rate(self) -> bool {
        self != Self::Latency
    }

    /// Whether an operation of Wadi and one of the floor are to be compared.
    pub(crate) fn compares_latency(self) -> bool {
        self != Self::Mebibytes
    }

    /// A rate, with its unit if that is not a number of things; nothing where there is none.
    pub(crate) fn rate(self, figures: &Figures) -> String {
        match self {
            Self::Operations | Self::Messages => format!("{:.0}", figures.per_second),
            Self::Mebibytes => format!("{:.0} MiB", figures.per_second / count(MIB)),
            Self::Latency => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_readable() {
        let figures = Figures { per_second: 3.0 * 1_048_576.0, ..Figures::default() };
        for (unit, rate) in [(Unit::Operations, "3145728"), (Unit::Mebibytes, "3 MiB"), (Unit::Latency, "")] {
            assert_eq!(unit.rate(&figures), rate);
        }
    }
}
