//! No file makes the rewriter panic; what it refuses, it refuses at a place in the file; what it rewrites keeps
//! its lines.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
    match kernels::rewrite_launches(text) {
        Ok(rewritten) => {
            assert_eq!(lines(&rewritten), lines(text));
            for line in 1..=lines(text) as u32 + 1 {
                assert!(kernels::source_column(text, line, 1) >= 1);
            }
        }
        Err(error) => assert!((1..=lines(text) + 1).contains(&(error.line as usize)), "{error}"),
    }
    let _ = kernels::unclosed_brace(text);
});
