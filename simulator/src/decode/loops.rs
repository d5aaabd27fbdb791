//! Loops around barriers: what tells the turns of a loop apart when lanes of a warp come to its barrier one after another.
//!
//! A jump back closes a loop: all instructions from which it is reached without passing its target. Lanes that wait at a
//! barrier in the loop while others take the jump are left behind by a turn, even if the others come to the same
//! instruction later.

use super::inst::Action;
use super::program::{BarrierLoop, Program};

/// The loops of a program that hold a barrier which all lanes of a warp have to reach together, by their jump back.
pub(super) fn around_barriers(program: &Program) -> Vec<BarrierLoop> {
    let is_barrier = |pc: &u32| {
        let action = program.code[*pc as usize].action;
        matches!(action, Action::Barrier { aligned: true, .. } | Action::BarrierReduce { .. })
    };
    let barriers: Vec<u32> = (0..program.code.len() as u32).filter(is_barrier).collect();
    if barriers.is_empty() {
        return Vec::new();
    }
    let ways = ways_in(program);
    let mut loops = Vec::new();
    for (pc, inst) in program.code.iter().enumerate() {
        let Action::Branch { target } = inst.action else { continue };
        let pc = pc as u32;
        if target <= pc {
            let body = body(&ways, pc, target);
            let inside: Vec<u32> = barriers.iter().copied().filter(|b| body[*b as usize]).collect();
            if !inside.is_empty() {
                loops.push(BarrierLoop { jump: pc, barriers: inside });
            }
        }
    }
    loops
}

/// The instructions that each may be executed after, within a function.
fn ways_in(program: &Program) -> Vec<Vec<u32>> {
    let mut ways = vec![Vec::new(); program.code.len()];
    for (pc, inst) in program.code.iter().enumerate() {
        let from = pc as u32;
        let mut to = |next: u32| {
            if let Some(ways) = ways.get_mut(next as usize) {
                ways.push(from);
            }
        };
        match inst.action {
            Action::Branch { target } => to(target),
            Action::BranchTable { first, count } => {
                program.branch_tables[first as usize..(first + count) as usize]
                    .iter()
                    .copied()
                    .for_each(&mut to);
            }
            _ => {}
        }
        let jumps = matches!(
            inst.action,
            Action::Branch { .. } | Action::BranchTable { .. } | Action::Exit | Action::Return | Action::Trap
        );
        if !jumps || inst.guard != 0 {
            to(from + 1);
        }
    }
    ways
}

/// The instructions from which `jump` is reached without passing `target`, both included.
fn body(ways: &[Vec<u32>], jump: u32, target: u32) -> Vec<bool> {
    let mut inside = vec![false; ways.len()];
    inside[target as usize] = true;
    let mut open = vec![jump];
    while let Some(pc) = open.pop() {
        if !std::mem::replace(&mut inside[pc as usize], true) {
            open.extend(&ways[pc as usize]);
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use crate::module::Module;

    /// The loops of a kernel: jump back, barriers.
    fn loops(code: &str) -> Vec<(u32, Vec<u32>)> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<3>;\n\
             .reg .b32 %r<6>;\n{code}\n}}\n"
        );
        let program = Module::from_ptx(&text).unwrap().program("k").unwrap().unwrap();
        program.barrier_loops.iter().map(|found| (found.jump, found.barriers.clone())).collect()
    }

    #[test]
    fn a_loop_holds_the_barrier_that_may_be_skipped_in_it() {
        // 0 add (L), 1 bra S, 2 bar, 3 setp (S), 4 bra L, 5 bar
        let code = "L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra S;\nbar.sync 0;\nS:\nsetp.lt.u32 %p2, %r1, 9;\n\
                    @%p2 bra L;\nbar.sync 0;\nret;";
        assert_eq!(loops(code), [(4, vec![2])]);
    }

    #[test]
    fn an_inner_loop_without_one_is_none_even_with_the_same_start() {
        // 0 add (L), 1 bra L, 2 bar, 3 bra L: the first jump back closes a loop of its own.
        let code = "L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra L;\nbar.sync 0;\n@%p2 bra L;\nret;";
        assert_eq!(loops(code), [(3, vec![2])]);
        assert_eq!(loops("L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra L;\nbar.sync 0;\nret;"), []);
    }
}
