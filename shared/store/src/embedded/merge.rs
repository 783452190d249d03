//! Two sequences in order of their keys, read as one.

use std::{cmp::Ordering, iter::Peekable};

use wadi_protocol::Timestamp;

use crate::ObjectKey;

/// A key, and the size in bytes and the date of its object where it has one.
pub(super) type Line = (ObjectKey, Option<(u64, Timestamp)>);

/// `upper` above `lower`: where both have a key, `upper` tells.
pub(super) struct Merged<U: Iterator, L: Iterator> {
    upper: Peekable<U>,
    lower: Peekable<L>,
}

impl<U: Iterator, L: Iterator> Merged<U, L> {
    pub(super) fn new(upper: U, lower: L) -> Self {
        Self { upper: upper.peekable(), lower: lower.peekable() }
    }
}

impl<U, L, E> Iterator for Merged<U, L>
where
    U: Iterator<Item = Line>,
    L: Iterator<Item = Result<Line, E>>,
{
    type Item = Result<Line, E>;

    fn next(&mut self) -> Option<Self::Item> {
        let order = match (self.upper.peek(), self.lower.peek()) {
            (Some((upper, _)), Some(Ok((lower, _)))) => upper.cmp(lower),
            (Some(_), None) => Ordering::Less,
            (None, _) | (_, Some(Err(_))) => Ordering::Greater,
        };
        match order {
            Ordering::Less => self.upper.next().map(Ok),
            Ordering::Equal => {
                self.lower.next();
                self.upper.next().map(Ok)
            }
            Ordering::Greater => self.lower.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, size: Option<u64>) -> Line {
        (key.into(), size.map(|size| (size, Timestamp::EPOCH)))
    }

    #[test]
    fn the_upper_sequence_tells_where_both_have_a_key() {
        let upper = [line("b", Some(1)), line("c", None), line("e", Some(2))];
        let lower = [line("a", Some(3)), line("b", Some(4)), line("c", Some(5)), line("d", Some(6))];
        let merged: Result<Vec<Line>, ()> = Merged::new(upper.into_iter(), lower.map(Ok).into_iter()).collect();
        let expected =
            [line("a", Some(3)), line("b", Some(1)), line("c", None), line("d", Some(6)), line("e", Some(2))];
        assert_eq!(merged.unwrap(), expected);
    }

    #[test]
    fn a_failure_beneath_is_told() {
        let merged: Vec<_> = Merged::new([line("a", None)].into_iter(), [Err("failed")].into_iter()).collect();
        assert_eq!(merged, [Err("failed"), Ok(line("a", None))]);
    }
}
