//! Which of two sets can be paired off.

/// The first of `left` that cannot be paired with one of the right of its own; `fits` says who may
/// be paired.
pub(super) fn unpaired(left: usize, right: usize, fits: impl Fn(usize, usize) -> bool) -> Option<usize> {
    let mut partner: Vec<Option<usize>> = vec![None; right];
    (0..left).find(|from| !pair(*from, &mut vec![false; right], &mut partner, &fits))
}

fn pair(from: usize, tried: &mut [bool], partner: &mut [Option<usize>], fits: &impl Fn(usize, usize) -> bool) -> bool {
    for to in 0..tried.len() {
        if tried[to] || !fits(from, to) {
            continue;
        }
        tried[to] = true;
        if partner[to].is_none_or(|other| pair(other, tried, partner, fits)) {
            partner[to] = Some(from);
            return true;
        }
    }
    false
}
