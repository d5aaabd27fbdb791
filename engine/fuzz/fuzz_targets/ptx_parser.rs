//! No text makes the parser panic, and what it says about one names a line of it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = simulator::ptx::parse(text) {
        let lines = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
        assert!((1..=lines).contains(&(error.line as usize)), "{error}");
    }
});
