//! Registers of warps that have ended, for those of later launches. A cooperative launch has all its warps at once: a hundred megabytes
//! that the system would hand out page by page, and take back, at each launch.

use std::cell::RefCell;

use crate::isa::Regs;

/// Warps whose registers a thread keeps: those of a grid as large as a GPU.
const MOST: usize = 132 * 64;

thread_local! {
    static SPARE: RefCell<Vec<Regs>> = const { RefCell::new(Vec::new()) };
}

/// Registers of this number, all 0.
pub(super) fn take([r32, r64, predicates]: [usize; 3]) -> Regs {
    let mut regs = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
    zero(&mut regs.r32, r32);
    zero(&mut regs.r64, r64);
    zero(&mut regs.pred, predicates);
    regs
}

fn zero<T: Copy + Default>(registers: &mut Vec<T>, number: usize) {
    registers.clear();
    registers.resize(number, T::default());
}

/// Keeps the registers of a warp that has ended.
pub(super) fn keep(regs: Regs) {
    SPARE.with_borrow_mut(|spare| {
        if spare.len() < MOST {
            spare.push(regs);
        }
    });
}
