//! Which registers a thread may read before it has written them.
//!
//! Only those have to be reset between blocks for results to be the same on every run: a forward
//! must-be-assigned analysis over the function's control flow graph, on names.

use std::collections::{HashMap, HashSet};

use crate::ptx::ast::{AddressBase, Body, Instruction, Operand};

/// Opcodes whose first operand is not a destination.
const NO_DESTINATION: [&str; 13] = [
    "st", "red", "bar", "barrier", "bra", "brx", "call", "prefetch", "cp", "sust", "ret", "exit", "stmatrix",
];

/// Whether the first operand of an instruction is written.
fn writes_first(instruction: &Instruction) -> bool {
    // `bar.red` is the one barrier with a result.
    !NO_DESTINATION.contains(&instruction.opcode.as_str())
        || (matches!(instruction.opcode.as_str(), "bar" | "barrier")
            && instruction.modifiers.iter().any(|word| word == "red"))
}

/// The register of `%r1.b2`, as video instructions name parts.
fn whole(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((register, "b0" | "b1" | "b2" | "b3" | "h0" | "h1")) => register,
        _ => name,
    }
}

/// Names that an operand mentions.
fn names<'a>(operand: &'a Operand, out: &mut Vec<&'a str>) {
    match operand {
        Operand::Register(name)
        | Operand::Negated(name)
        | Operand::Address { base: AddressBase::Register(name), .. } => out.push(whole(name)),
        Operand::Pair(a, b) => out.extend([a.as_str(), b.as_str()]),
        Operand::Vector(items) | Operand::List(items) => items.iter().for_each(|item| names(item, out)),
        Operand::TextureAddress { texture, sampler, coordinates } => {
            names(texture, out);
            for part in sampler.iter().map(|sampler| &**sampler).chain(coordinates) {
                names(part, out);
            }
        }
        _ => {}
    }
}

/// Registers that an instruction reads and writes.
fn uses(instruction: &Instruction) -> (Vec<&str>, Vec<&str>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for (index, operand) in instruction.operands.iter().enumerate() {
        let destination = index == 0
            && writes_first(instruction)
            && matches!(operand, Operand::Register(_) | Operand::Vector(_) | Operand::Pair(..));
        names(operand, if destination { &mut writes } else { &mut reads });
    }
    if let Some((guard, _)) = &instruction.guard {
        reads.push(guard);
    }
    (reads, writes)
}

/// The registers of an instruction.
pub(super) struct Uses<'a> {
    /// Its guard included.
    pub reads: Vec<&'a str>,
    pub writes: Vec<&'a str>,
}

impl<'a> Uses<'a> {
    pub fn of(instruction: &'a Instruction) -> Self {
        let (reads, writes) = uses(instruction);
        Self { reads, writes }
    }
}

/// Registers that nothing in the body reads.
pub(super) fn unread(body: &Body) -> HashSet<String> {
    let mut unread: HashSet<String> = body.registers.iter().map(|(name, _)| name.clone()).collect();
    for instruction in &body.instructions {
        for name in uses(instruction).0 {
            unread.remove(name);
        }
    }
    unread
}

/// How many instructions write each register. Every operand of a call counts twice: any of them may be a result.
pub(super) fn write_counts(body: &Body) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for instruction in &body.instructions {
        let (reads, writes) = uses(instruction);
        for name in writes {
            *counts.entry(name).or_insert(0) += 1;
        }
        if instruction.opcode == "call" {
            for name in reads {
                *counts.entry(name).or_insert(0) += 2;
            }
        }
    }
    counts
}

/// Registers that some path reads before it writes them.
pub(super) fn maybe_undefined(body: &Body) -> Vec<String> {
    let numbers: HashMap<&str, usize> =
        body.registers.iter().enumerate().map(|(number, (name, _))| (name.as_str(), number)).collect();
    let blocks = blocks(body);
    let words = numbers.len().div_ceil(64);
    // The registers that are certainly assigned when a block is entered: all, until some path lacks one.
    let mut entry: Vec<Vec<u64>> = vec![vec![u64::MAX; words]; blocks.len()];
    if let Some(first) = entry.first_mut() {
        first.fill(0);
    }
    let mut undefined = vec![false; numbers.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in blocks.iter().enumerate() {
            let mut assigned = entry[index].clone();
            for instruction in &body.instructions[block.start..block.end] {
                // A guarded write may not happen.
                if instruction.guard.is_none() {
                    for number in uses(instruction).1.iter().filter_map(|name| numbers.get(name)) {
                        assigned[number / 64] |= 1 << (number % 64);
                    }
                }
            }
            for &successor in &block.successors {
                for (mine, theirs) in entry[successor].iter_mut().zip(&assigned) {
                    changed |= *mine & !theirs != 0;
                    *mine &= theirs;
                }
            }
        }
    }
    for (index, block) in blocks.iter().enumerate() {
        let mut assigned = entry[index].clone();
        for instruction in &body.instructions[block.start..block.end] {
            let (reads, writes) = uses(instruction);
            for number in reads.iter().filter_map(|name| numbers.get(name)) {
                undefined[*number] |= assigned[number / 64] >> (number % 64) & 1 == 0;
            }
            if instruction.guard.is_none() {
                for number in writes.iter().filter_map(|name| numbers.get(name)) {
                    assigned[number / 64] |= 1 << (number % 64);
                }
            }
        }
    }
    body.registers
        .iter()
        .zip(undefined)
        .filter(|(_, undefined)| *undefined)
        .map(|((name, _), _)| name.clone())
        .collect()
}

/// A basic block: instructions `start..end`, and the blocks that may follow.
#[derive(Debug)]
pub(super) struct BasicBlock {
    pub start: usize,
    pub end: usize,
    successors: Vec<usize>,
}

fn ends_block(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.as_str(), "bra" | "brx" | "ret" | "exit" | "trap")
}

/// The basic blocks of a body, in order.
pub(super) fn blocks(body: &Body) -> Vec<BasicBlock> {
    let count = body.instructions.len();
    let labels: HashMap<&str, usize> = body.labels.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    let mut leaders: Vec<usize> = labels.values().copied().filter(|&at| at < count).collect();
    leaders.push(0);
    leaders.extend(body.instructions.iter().enumerate().filter(|(_, i)| ends_block(i)).map(|(at, _)| at + 1));
    leaders.retain(|&at| at < count);
    leaders.sort_unstable();
    leaders.dedup();
    let block_at = |at: usize| leaders.binary_search(&at).ok();
    let target = |name: &str| labels.get(name).and_then(|&at| block_at(at));
    leaders
        .iter()
        .enumerate()
        .map(|(index, &start)| {
            let end = leaders.get(index + 1).copied().unwrap_or(count);
            let last = &body.instructions[end - 1];
            let mut successors = Vec::new();
            match last.opcode.as_str() {
                "bra" => {
                    if let Some(Operand::Symbol { name, .. } | Operand::Register(name)) =
                        last.operands.first()
                    {
                        successors.extend(target(name));
                    }
                }
                "brx" => {
                    if let Some(Operand::Symbol { name, .. } | Operand::Register(name)) = last.operands.get(1)
                    {
                        let table = body.branch_targets.iter().find(|(table, _)| table == name);
                        successors.extend(
                            table.iter().flat_map(|(_, names)| names).filter_map(|name| target(name)),
                        );
                    }
                }
                _ => {}
            }
            if !ends_block(last) || last.guard.is_some() {
                successors.extend((end < count).then(|| block_at(end)).flatten());
            }
            BasicBlock { start, end, successors }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::ptx::parse;

    fn undefined(code: &str) -> Vec<String> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<3>;\n\
             .reg .b32 %r<6>;\n{code}\nret;\n}}\n"
        );
        maybe_undefined(parse(&text).unwrap().functions[0].body.as_ref().unwrap())
    }

    #[test]
    fn straight_code_defines_what_it_writes() {
        assert_eq!(undefined("mov.u32 %r1, 1;\nadd.u32 %r2, %r1, %r1;"), Vec::<String>::new());
        assert_eq!(undefined("add.u32 %r2, %r1, %r1;"), ["%r1"]);
    }

    #[test]
    fn both_ways_have_to_write() {
        let half = "setp.eq.u32 %p1, 1, 2;\n@%p1 bra $A;\nmov.u32 %r1, 1;\n$A:\nmov.u32 %r2, %r1;";
        assert_eq!(undefined(half), ["%r1"]);
        let both = "setp.eq.u32 %p1, 1, 2;\n@%p1 bra $A;\nmov.u32 %r1, 1;\nbra $B;\n$A:\nmov.u32 %r1, 2;\n$B:\nmov.u32 %r2, %r1;";
        assert_eq!(undefined(both), Vec::<String>::new());
        assert_eq!(undefined("setp.eq.u32 %p1, 1, 2;\n@%p1 mov.u32 %r1, 1;\nmov.u32 %r2, %r1;"), ["%r1"]);
    }

    #[test]
    fn loops_reach_a_fixed_point() {
        let code = "mov.u32 %r1, 0;\n$L:\nadd.u32 %r1, %r1, 1;\nadd.u32 %r3, %r4, 1;\nmov.u32 %r4, %r1;\n\
                    setp.lt.u32 %p1, %r1, 9;\n@%p1 bra $L;";
        assert_eq!(undefined(code), ["%r4"]);
    }
}
