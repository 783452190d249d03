//! The error of every parser of values.

/// A text that breaks the grammar of the value it should be.
///
/// It says which rule was broken, for people, and never holds any of the text: an error may be shown
/// to somebody else than the one who sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Malformed {
    /// The rule that was broken, as a sentence without a full stop.
    pub what: &'static str,
}

impl Malformed {
    pub(crate) const fn new(what: &'static str) -> Self {
        Self { what }
    }
}

/// Serde glue for a value that is written as text: `TryFrom<String>` by its parser, `String` by its
/// `Display`.
macro_rules! text_value {
    ($type:ty, $parse:expr) => {
        impl TryFrom<String> for $type {
            type Error = crate::Malformed;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                $parse(&text)
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }
    };
}

pub(crate) use text_value;
