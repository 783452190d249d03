//! Qualities, by which a client weighs what it accepts (RFC 9110, section 12.4.2).

/// The quality that the parameters of a list's member state, in thousandths; 1000 if they state none.
pub(super) fn stated<'p>(mut parameters: impl Iterator<Item = &'p str>) -> u16 {
    let quality = parameters.find_map(|piece| piece.strip_prefix("q=").or(piece.strip_prefix("Q=")));
    quality.map_or(1000, thousandths)
}

/// A quality from 0 to 1. One that is no number is taken for 0.
fn thousandths(text: &str) -> u16 {
    let value: f32 = text.trim().parse().unwrap_or(0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=1000")]
    let thousandths = (value.clamp(0.0, 1.0) * 1000.0) as u16;
    thousandths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quality_that_is_none_wants_nothing() {
        for (parameters, expected) in [
            (&[][..], 1000),
            (&["charset=utf-8"], 1000),
            (&["q=1"], 1000),
            (&["q=0.5"], 500),
            (&["Q= 0.25"], 250),
            (&["x=1", "q=0", "q=1"], 0),
            (&["q=7"], 1000),
            (&["q=-1"], 0),
            (&["q=nan"], 0),
            (&["q="], 0),
        ] {
            assert_eq!(stated(parameters.iter().copied()), expected, "{parameters:?}");
        }
    }
}
