//! A seed is a world: played twice, everything happens again in the same order at the same time.

use wadi_simulation::simulate;

#[test]
fn a_seed_plays_the_same_twice() {
    for seed in 0..40 {
        let (first, second) = (simulate(seed, true), simulate(seed, true));
        assert!(first.trace.len() > 200, "seed {seed}");
        let differs = first.trace.iter().zip(&second.trace).find(|(first, second)| first != second);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first.trace.len(), second.trace.len(), "seed {seed}");
    }
}

#[test]
fn another_seed_is_another_world() {
    assert_ne!(simulate(1, true).trace, simulate(2, true).trace);
}
