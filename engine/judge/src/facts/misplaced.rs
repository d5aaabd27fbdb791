//! Calls of the host in the wrong place or with wrong bytes: copies before the kernel that computes, copies and fills behind it, fills with
//! other bytes than meant.

use runtime::engine::{Misplaced, Witness};

use super::last_writer::{self, LATE, OVER, SHORT};
use crate::numbers::grouped;
use crate::rounding::Output;

/// What to try after a copy that comes too early.
const EARLY: &str = "calls take effect in the order of their lines: move the copy behind the launch";
/// What to try after a fill with a byte that is repeated.
const FILLED: &str = "`cudaMemset` sets each byte, not each element: only 0 (and -1) give all bytes of a number that is meant. Counters begin with 0";
/// All of them.
pub const HINTS: [&str; 5] = [EARLY, LATE, OVER, SHORT, FILLED];

/// The first such call, and what to try.
pub fn told(witness: &Witness, outputs: &[Output<'_>]) -> Option<(String, &'static str)> {
    let Some(misplaced) = &witness.misplaced else { return last_writer::told(witness, outputs) };
    Some(match misplaced {
        Misplaced::Early { line, kernel, store } => {
            let seen = format!(
                "line {line} copies from the GPU what `{kernel}`, launched later, stores there in line {store}"
            );
            (seen, EARLY)
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
