#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| contexture_testkit::laws::symbols_hold(input));
