//! Calls of the host in the wrong place: copies before the kernel that computes, fills behind it, fills with other bytes than meant.

use runtime::engine::{Misplaced, Witness};

use crate::numbers::grouped;

/// What to try after a copy that comes too early.
const EARLY: &str = "calls take effect in the order of their lines: move the copy behind the launch";
/// What to try after a fill that comes too late.
const LATE: &str =
    "calls take effect in the order of their lines: a fill behind the launch removes the result";
/// What to try after a fill with a byte that is repeated.
const FILLED: &str = "`cudaMemset` sets each byte, not each element: only 0 (and -1) give all bytes of a number that is meant. Counters begin with 0";
/// All of them.
pub const HINTS: [&str; 3] = [EARLY, LATE, FILLED];

/// The first such call, and what to try.
pub fn told(witness: &Witness) -> Option<(String, &'static str)> {
    Some(match witness.misplaced.as_ref()? {
        Misplaced::Early { line, kernel, store } => {
            let seen = format!(
                "line {line} copies from the GPU what `{kernel}`, launched later, stores there in line {store}"
            );
            (seen, EARLY)
        }
        Misplaced::Late { line, name } => {
            (format!("line {line} fills `{name}` after kernels have stored to it"), LATE)
        }
        Misplaced::Filled { line, value, bytes } => {
            let number = (0..*bytes).fold(0_u64, |number, _| number << 8 | u64::from(*value));
            let seen = format!(
                "line {line} sets each byte to {value}, so that a counter of {bytes} bytes begins with {}",
                grouped(number)
            );
            (seen, FILLED)
        }
    })
}
