//! The divisions of a line that take a routine of many instructions each.

use simulator::{Class, Counters};

/// Such a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division {
    /// What it is.
    pub what: &'static str,
    /// What to do instead.
    pub hint: &'static str,
}

const INTEGER: Division = Division {
    what: "an integer division by a number that the compiler does not know: one PTX instruction, about 20 on the GPU",
    hint: "divide by a constant, or multiply with a reciprocal that is computed once, if that is exact for every dividend: a `float` has 24 bits",
};
const FLOATING: Division = Division {
    what: "a division or a root in floating point: a routine of many instructions",
    hint: "multiply with the reciprocal, computed once: on the host, or by one thread of each block",
};

/// The part of a line's instructions from which on one of them is frequent: a division before a loop, such as for the number of its rounds,
/// costs the line nothing.
const FREQUENT: f64 = 0.02;

/// Whether a line executes such instructions often.
pub fn is_frequent(counters: &Counters, class: Class) -> bool {
    let count = counters.mix[class as usize];
    count as f64 >= FREQUENT * counters.warp_instructions as f64 && count > 0
}

/// What a line divides by.
pub fn division(counters: &Counters) -> Option<Division> {
    let of = |class, division| is_frequent(counters, class).then_some(division);
    of(Class::IntDiv, INTEGER).or_else(|| of(Class::Fp32Div, FLOATING))
}
