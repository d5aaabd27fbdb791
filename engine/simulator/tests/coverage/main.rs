//! What compiled CUDA of many styles needs of the simulator: each program of `programs/coverage` on four
//! architectures, its results beside the same in Rust.
#![expect(
    clippy::pedantic,
    clippy::type_complexity,
    clippy::precedence,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "formulas that mirror C, with its casts, precedence and comparisons of NaN, and tables of them"
)]

mod atomics;
mod calls;
mod float;
mod half;
mod harness;
mod integer;
mod memory;
mod video;
mod warps;

/// Every kernel of every program can be decoded.
#[test]
fn nothing_is_unknown() {
    for program in harness::PROGRAMS {
        for architecture in harness::ARCHITECTURES {
            let text = harness::ptx(program, architecture);
            let module = simulator::Module::from_ptx(text).unwrap();
            for line in text.lines() {
                let Some(name) = line.strip_prefix(".visible .entry ") else { continue };
                let name = name.trim_end_matches('(');
                assert!(module.runs(name), "{program} sm_{architecture}: `{name}` cannot be decoded");
            }
        }
    }
}
