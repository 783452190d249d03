//! Answers as HTTP: status, headers and body, put together in one place.

mod caching;
mod coding;
#[cfg(feature = "compression")]
mod compress;
mod digest;
mod location;
mod multipart;
mod pieces;
mod read_origin;
mod render;
#[cfg(not(feature = "compression"))]
mod uncompressed;

pub(crate) use caching::Caching;
pub(crate) use coding::Coding;
#[cfg(feature = "compression")]
pub(crate) use compress::compressed;
pub(crate) use digest::content_digest;
pub(crate) use location::location;
pub use location::{InvalidBase, PublicBase};
pub(crate) use multipart::Multipart;
pub(crate) use pieces::in_pieces;
pub use read_origin::{InvalidReadOrigin, ReadOrigin};
pub use render::refuse;
pub(crate) use render::{error_body, no_content, respond, respond_empty, respond_streaming};
#[cfg(not(feature = "compression"))]
pub(crate) use uncompressed::compressed;
