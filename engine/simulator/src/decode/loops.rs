//! Loops around barriers: what tells the turns of a loop apart when lanes of a warp come to its barrier one after another.
//!
//! A step from one instruction to another closes a loop if every way to the first passes the second: all instructions
//! from which it is reached without passing the second again. Mostly it is a jump back. But a compiler may lay out the
//! end of a loop before its start: then the end falls through to the start. And a detour that is laid out at the end
//! jumps back as well, and closes none. Lanes that wait at a barrier in the loop while others take such a step are left
//! behind by a turn, even if the others come to the same instruction later.

use super::program::{BarrierLoop, Program};
use crate::isa::{Action, Successor};

/// The loops of a program that hold a barrier which all lanes of a warp have to reach together.
pub(super) fn around_barriers(program: &Program) -> Vec<BarrierLoop> {
    let is_barrier = |pc: &u32| {
        let action = program.code[*pc as usize].action;
        matches!(
            action,
            Action::Barrier { aligned: true, .. } | Action::BarrierReduce { .. } | Action::GridBarrier
        )
    };
    let barriers: Vec<u32> = (0..program.code.len() as u32).filter(is_barrier).collect();
    if barriers.is_empty() {
        return Vec::new();
    }
    let (into, out) = ways(program);
    let starts_function = |pc: u32| program.functions.iter().any(|function| function.start == pc);
    let mut loops: Vec<BarrierLoop> = Vec::new();
    for (start, from) in into.iter().enumerate() {
        let start = start as u32;
        // A loop is entered from outside and from its end.
        if from.len() < 2 && !starts_function(start) {
            continue;
        }
        for &pc in from {
            let body = body(&into, pc, start);
            let inside: Vec<u32> = barriers.iter().copied().filter(|b| body[*b as usize]).collect();
            if inside.is_empty() || leads_around(program, &out, pc, start) {
                continue;
            }
            match loops.iter_mut().find(|around| around.start == start) {
                None => loops.push(BarrierLoop { start, ends: vec![pc], barriers: inside }),
                Some(around) => {
                    around.ends.push(pc);
                    around.barriers.extend(inside);
                }
            }
        }
    }
    loops
}

/// The instructions before and behind each instruction, within a function.
fn ways(program: &Program) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
    let (mut into, mut out) = (vec![Vec::new(); program.code.len()], vec![Vec::new(); program.code.len()]);
    for (pc, inst) in program.code.iter().enumerate() {
        let mut to = |next: u32| {
            if let Some(into) = into.get_mut(next as usize) {
                into.push(pc as u32);
                out[pc].push(next);
            }
        };
        let successor = inst.action.successor();
        match successor {
            Successor::Jump(target) => to(target),
            Successor::Table { first, count } => {
                program.branch_tables[first as usize..(first + count) as usize]
                    .iter()
                    .copied()
                    .for_each(&mut to);
            }
            Successor::Next | Successor::End => {}
        }
        if successor == Successor::Next || inst.guard != 0 {
            to(pc as u32 + 1);
        }
    }
    (into, out)
}

/// Whether `jump` is reached from the beginning of its function without passing `target`.
fn leads_around(program: &Program, out: &[Vec<u32>], jump: u32, target: u32) -> bool {
    let function = program.functions.iter().find(|function| (function.start..function.end).contains(&jump));
    let mut seen = vec![false; out.len()];
    seen[target as usize] = true;
    let mut open: Vec<u32> = function.map(|function| function.start).into_iter().collect();
    while let Some(pc) = open.pop() {
        if pc == jump && pc != target {
            return true;
        }
        if !std::mem::replace(&mut seen[pc as usize], true) {
            open.extend(&out[pc as usize]);
        }
    }
    false
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

    use crate::decode::fixture;

    /// The loops of a kernel: their ends, barriers.
    fn loops(code: &str) -> Vec<(Vec<u32>, Vec<u32>)> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<3>;\n\
             .reg .b32 %r<6>;\n{code}\n}}\n"
        );
        let program = fixture::program(&text);
        program.barrier_loops.iter().map(|found| (found.ends.clone(), found.barriers.clone())).collect()
    }

    #[test]
    fn a_loop_holds_the_barrier_that_may_be_skipped_in_it() {
        // 0 add (L), 1 bra S, 2 bar, 3 setp (S), 4 bra L, 5 bar
        let code = "L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra S;\nbar.sync 0;\nS:\nsetp.lt.u32 %p2, %r1, 9;\n\
                    @%p2 bra L;\nbar.sync 0;\nret;";
        assert_eq!(loops(code), [(vec![4], vec![2])]);
    }

    #[test]
    fn an_inner_loop_without_one_is_none_even_with_the_same_start() {
        // 0 add (L), 1 bra L, 2 bar, 3 bra L: the first jump back closes a loop of its own.
        let code = "L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra L;\nbar.sync 0;\n@%p2 bra L;\nret;";
        assert_eq!(loops(code), [(vec![3], vec![2])]);
        assert_eq!(loops("L:\nadd.u32 %r1, %r1, 1;\n@%p1 bra L;\nbar.sync 0;\nret;"), []);
    }

    #[test]
    fn two_jumps_to_one_start_close_one_loop() {
        // 0 add (L), 1 bar, 2 bra A, 3 add, 4 bra L, 5 ret, 6 bra L (A), 7 ret
        let code = "L:\nadd.u32 %r1, %r1, 1;\nbar.sync 0;\n@%p1 bra A;\nadd.u32 %r2, %r1, 1;\n@%p2 bra L;\nret;\n\
                    A:\n@%p2 bra L;\nret;";
        let found = loops(code);
        assert_eq!((found.len(), &found[0].0[..]), (1, &[4, 6][..]));
    }

    #[test]
    fn a_detour_laid_out_at_the_end_is_no_loop() {
        // 0 bar, 1 bra A, 2 add (B), 3 bar, 4 ret, 5 add (A), 6 bra B
        let code = "bar.sync 0;\n@%p1 bra A;\nB:\nadd.u32 %r1, %r1, 1;\nbar.sync 0;\nret;\nA:\nadd.u32 %r2, %r1, 1;\n\
                    bra B;";
        assert_eq!(loops(code), []);
    }

    #[test]
    fn a_loop_may_fall_through_to_its_start() {
        // 0 bra L, 1 add (E), 2 bar (L), 3 bra L, 4 bra E, 5 ret
        let code = "bra L;\nE:\nadd.u32 %r1, %r1, 1;\nL:\nbar.sync 0;\n@%p1 bra L;\n@%p2 bra E;\nret;";
        assert_eq!(loops(code), [(vec![1, 3], vec![2, 2])]);
    }

    #[test]
    fn nor_is_one_within_a_loop() {
        // 0 bar (L), 1 bra A, 2 add (B), 3 bra L, 4 ret, 5 add (A), 6 bra B
        let code = "L:\nbar.sync 0;\n@%p1 bra A;\nB:\nadd.u32 %r1, %r1, 1;\n@%p2 bra L;\nret;\nA:\n\
                    add.u32 %r2, %r1, 1;\nbra B;";
        assert_eq!(loops(code), [(vec![3], vec![0])]);
    }
}
