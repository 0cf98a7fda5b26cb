#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frontdesk_server::untrusted::formats(bytes));
