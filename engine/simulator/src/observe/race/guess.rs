//! A load that is only the first guess of a compare-and-swap loop.
//!
//! `old = *cell; do { … old = atomicCAS(cell, assumed = old, …); } while (old != assumed);` is how the CUDA
//! C++ Programming Guide ("Atomic Functions") builds atomics that the hardware lacks. Its load may see any
//! value: the swap compares it with what the cell holds by then, and goes round again.

use crate::decode::{Action, AtomicOp, Class, Program};

/// Whether instruction `load` only guesses what the compare-and-swap `swap` will find: its result is what
/// `swap` compares with. (Whatever else is computed from it stands or falls with that comparison.)
pub(super) fn is_first_guess(program: &Program, load: u32, swap: u32) -> bool {
    let (load, swap) = (&program.code[load as usize], &program.code[swap as usize]);
    let Action::Load(from) = load.action else { return false };
    let Action::Atomic { access: to, op: AtomicOp::Cas, .. } = swap.action else { return false };
    if from.vector != 1 || from.wide != to.wide {
        return false;
    }
    // From register to register, until nothing new is reached.
    let mut reached = vec![load.d];
    let mut next = 0;
    while let Some(&register) = reached.get(next) {
        if register == swap.b {
            return true;
        }
        next += 1;
        for inst in program.code.iter().filter(|inst| inst.class == Class::Move) {
            let copies = matches!(inst.action, Action::Compute(_)) && inst.a == register;
            if copies && !reached.contains(&inst.d) {
                reached.push(inst.d);
            }
        }
    }
    false
}
