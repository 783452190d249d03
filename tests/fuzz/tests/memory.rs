//! What an input costs in memory is bounded by its length. A program of its own with one test: what
//! other threads allocate would be counted, too.

use peak_alloc::PeakAlloc;
use wadi_fuzz::{ALL, corpus};

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

/// Bytes that a target may hold at once, for each byte of its input, and besides: for a service and its
/// streams, which one of them makes.
const BYTES_PER_BYTE_MAX: usize = 64;
const BYTES_BESIDES_MAX: usize = 4 * 1024 * 1024;

/// How often an input is repeated, one after the other, to make a long one.
const REPEATED: [usize; 2] = [1, 1000];

#[test]
fn memory_is_bounded_by_the_length_of_the_input() {
    for target in ALL {
        for input in corpus::saved(target.name) {
            for times in REPEATED {
                let input = input.repeat(times);
                let before = PEAK.current_usage();
                PEAK.reset_peak_usage();
                (target.run)(&input);
                let held = PEAK.peak_usage().saturating_sub(before);
                let allowed = BYTES_BESIDES_MAX + BYTES_PER_BYTE_MAX * input.len();
                assert!(held <= allowed, "{}: {held} bytes for an input of {}", target.name, input.len());
            }
        }
    }
}
