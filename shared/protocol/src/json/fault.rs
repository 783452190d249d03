//! What is wrong with a body that should be JSON.

/// Why a body is no JSON that a stream takes. Its text names the kind of fault and the place, and never
/// repeats any of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid JSON at byte {at}: {fault}")]
pub struct InvalidJson {
    /// The kind of fault.
    pub fault: JsonFault,
    /// Where it was found: bytes before it in the body.
    pub at: usize,
}

/// A kind of fault in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// The body is not UTF-8.
    #[error("not UTF-8")]
    NotUtf8,
    /// The body ends inside the value, or holds none.
    #[error("the text ends too early")]
    UnexpectedEnd,
    /// Something else stands where a value should.
    #[error("expected a value")]
    ExpectedValue,
    /// Something else stands where the name of a member should.
    #[error("expected a name in double quotes")]
    ExpectedName,
    /// Something else stands between a name and its value.
    #[error("expected a colon")]
    ExpectedColon,
    /// Something else follows an element or member.
    #[error("expected a comma or the closing bracket")]
    ExpectedCommaOrClose,
    /// Something other than white space follows the value.
    #[error("text after the value")]
    TrailingText,
    /// A control character inside a string is not escaped.
    #[error("a control character in a string")]
    ControlCharacter,
    /// A backslash is not followed by an escape that JSON knows.
    #[error("an unknown escape in a string")]
    InvalidEscape,
    /// A digit is missing in a number.
    #[error("a malformed number")]
    InvalidNumber,
    /// One message is nested more than 127 deep.
    #[error("nested too deep")]
    TooDeep,
}
