//! Loops without an end: those that wait for another thread, put into words.

use super::Words;
use crate::decode::{Action, Program, Where};
use crate::finding::Kind;
use crate::isa::Successor;
use crate::ptx::ast::Space;

/// Whether the innermost loop around `pc` asks, again and again, for a value in global memory that others may change: with
/// an atomic, or a `volatile` load.
pub(crate) fn waits_for_others(program: &Program, pc: u32) -> bool {
    let back = |(at, target): &(u32, u32)| *target <= pc && pc <= *at;
    let jumps = program.code.iter().enumerate().filter_map(|(at, inst)| match inst.action.successor() {
        Successor::Jump(target) => Some((at as u32, target)),
        _ => None,
    });
    let Some((last, first)) = jumps.filter(back).min_by_key(|(at, target)| at - target) else { return false };
    program.code[first as usize..=last as usize].iter().any(|inst| match inst.action {
        Action::Load(access) => access.strong && access.space != Where::In(Space::Shared),
        Action::Atomic { access, .. } => access.space != Where::In(Space::Shared),
        _ => false,
    })
}

/// The words for such a loop.
pub(super) fn waiting() -> Words {
    Words::new(
        "W0504",
        Kind::Launch,
        "does not come to an end: this loop waits for a value that another thread has to store, and none does",
        "the blocks of a `<<<…>>>` launch need not run at once: a block that waits for a later one may keep it from starting. \
         End the kernel where blocks have to wait and launch a second one, or use `cudaLaunchCooperativeKernel` and \
         `grid.sync()`. If the threads of one warp wait for each other (a lock), let one thread per warp or block take it",
    )
}
