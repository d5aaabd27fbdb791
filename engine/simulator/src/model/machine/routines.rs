//! Routines of the assembler's own, such as the division of numbers of 64 bits: no line of the PTX is theirs.
//!
//! The table of lines ends with the kernel, so that its last line seems to go on behind it. What is known of a routine is who calls it.

use super::decode::{Decoded, Unit};

/// Takes the line from each routine that only seems to have that of the instruction in front of it.
pub(super) fn forget_lines(code: &mut [Decoded]) {
    let called = code.iter().filter(|one| one.unit == Unit::Call).filter_map(|one| one.target);
    let called: Vec<usize> = called.filter(|&start| start > 0 && start < code.len()).collect();
    for start in called {
        let line = code[start - 1].line;
        let routine = code[start..].iter_mut().take_while(|one| one.line == line);
        let mut ended = false;
        for one in routine.take_while(|one| !std::mem::replace(&mut ended, one.unit == Unit::Return)) {
            one.line = 0;
        }
    }
}
