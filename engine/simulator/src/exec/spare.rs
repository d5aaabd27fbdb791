//! Registers of warps that have ended, for those of later launches. A cooperative launch has all its warps at once: a hundred megabytes
//! that the system would hand out page by page, and take back, at each launch.

use std::cell::RefCell;

use crate::isa::Regs;

/// Bytes of registers that a thread keeps: those of the warps of a grid as large as a GPU, and a small part of what a check may use.
const MOST: usize = 512 << 20;

#[derive(Default)]
struct Spare {
    all: Vec<Regs>,
    bytes: usize,
}

thread_local! {
    static SPARE: RefCell<Spare> = RefCell::default();
}

/// Registers of this number, all 0.
pub(super) fn take([r32, r64, predicates]: [usize; 3]) -> Regs {
    let mut regs = SPARE.with_borrow_mut(|spare| {
        let regs = spare.all.pop().unwrap_or_default();
        spare.bytes -= bytes(&regs);
        regs
    });
    zero(&mut regs.r32, r32);
    zero(&mut regs.r64, r64);
    zero(&mut regs.pred, predicates);
    regs
}

/// Too few are not made longer: that copies them, and takes up to twice as much.
fn zero<T: Copy + Default>(registers: &mut Vec<T>, number: usize) {
    if registers.capacity() < number {
        *registers = Vec::with_capacity(number);
    }
    registers.clear();
    registers.resize(number, T::default());
}

/// Keeps the registers of a warp that has ended.
pub(super) fn keep(regs: Regs) {
    SPARE.with_borrow_mut(|spare| {
        let bytes = spare.bytes + bytes(&regs);
        if bytes <= MOST {
            spare.bytes = bytes;
            spare.all.push(regs);
        }
    });
}

fn bytes(regs: &Regs) -> usize {
    fn of<T>(registers: &Vec<T>) -> usize {
        registers.capacity() * size_of::<T>()
    }
    of(&regs.r32) + of(&regs.r64) + of(&regs.pred)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_kept_up_to_a_number_of_bytes_and_never_twice_as_many_as_asked_for() {
        let [small, large] = [1000, 1001].map(|r32| [r32, 10, 10]);
        let held = bytes(&take(small));
        let several: Vec<Regs> = (0..2 * MOST / held).map(|_| Regs::default()).collect();
        keep(take(small));
        assert_eq!(SPARE.with_borrow(|spare| spare.bytes), held);
        let longer = take(large);
        assert!(bytes(&longer) < held + held / 10, "{} of {held}", bytes(&longer));
        assert!(longer.r32.len() == 1001 && longer.r32.iter().all(|lanes| *lanes == [0; 32]));
        drop(longer);
        for mut regs in several {
            // Reserved and not written, so that it takes no memory of the machine.
            regs.r32.reserve_exact(1000);
            keep(regs);
        }
        SPARE.with_borrow(|spare| assert!(spare.bytes <= MOST && spare.bytes > MOST - held));
    }
}
