//! Arithmetic of the host function that a CPU does not carry out, in words.

use super::Words;
use crate::finding::Kind;

/// A quotient or a remainder of integers by zero.
pub(super) fn divided_by_zero() -> Words {
    Words::new(
        "W0604",
        Kind::Host,
        "the host function divides an integer by zero: on a real machine the program ends here",
        "find out for which images the divisor is 0, such as `pixels - min` where all pixels have one level, and treat them \
         before the division",
    )
}

/// A NaN becomes an integer.
pub(super) fn not_a_number() -> Words {
    Words::new(
        "W0605",
        Kind::Host,
        "the host function converts a NaN, such as 0.0 / 0.0, to an integer: C++ does not say which, and CPUs differ",
        "find out for which images the divisor is 0, and treat them before the division",
    )
}
