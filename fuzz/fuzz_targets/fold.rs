#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wadi_fuzz::targets::fold(data));
