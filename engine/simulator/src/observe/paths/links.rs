//! What instructions are to a path, found once for a program: which registers they read and write, what they take, and
//! whether the assembler would leave them in.

use crate::decode::{Access, Action, Class, Inst, Program, READ_ONLY, Where};
use crate::exec::{FULL, Slot};
use crate::launch::Stay;
use crate::observe::chains::operands;
use crate::observe::numbering::Numbering;
use crate::ptx::ast::Space;

/// The registers of an instruction, and what it takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Links {
    pub first: u32,
    pub sources: u8,
    pub results: u8,
    /// Results keep their place in lanes that do not write.
    pub guarded: bool,
    /// A basic block ends with it.
    pub ends: bool,
    /// What it does with memory.
    pub memory: Touch,
    /// Adds 64-bit numbers: addresses.
    pub moves_address: bool,
    pub stay: Stay,
    pub cycles: u32,
    pub kind: Class,
    pub folded: Folded,
}

/// What becomes of an instruction all of whose operands are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folded {
    /// It is executed all the same.
    Never,
    /// Its result is known, too.
    Value,
    /// It vanishes.
    Away,
    /// It vanishes in any case: it was done before the launch, or is no instruction of its own.
    Settled,
}

/// What an instruction does with memory: loads stay behind stores of the same space, which they might read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    Nothing,
    Load(Spaces),
    /// Also an atomic operation.
    Store(Spaces),
}

/// Spaces that may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spaces {
    Global,
    Shared,
    Either,
    /// One that no kernel writes, or a load that says so.
    Constant,
}

/// Each instruction of a program, and the registers that they speak of.
pub(super) fn links(program: &Program) -> (Vec<Links>, Vec<u32>) {
    let numbering = Numbering::new(program);
    let mut registers = Vec::new();
    let mut links = Vec::with_capacity(program.code.len());
    for (pc, inst) in program.code.iter().enumerate() {
        let (sources, results) = operands(program, inst, pc);
        let first = registers.len() as u32;
        let guarded = inst.guard != 0;
        if guarded {
            registers.push(numbering.of(program, Slot::Pred, inst.guard));
        }
        let number = |&(slot, register): &(Slot, u16)| numbering.of(program, slot, register);
        registers.extend(sources.iter().chain(&results).map(number));
        let (stay, cycles) = latency(inst.action, inst.class);
        links.push(Links {
            first,
            sources: sources.len() as u8 + u8::from(guarded),
            results: results.len() as u8,
            guarded,
            ends: matches!(inst.class, Class::Control | Class::Barrier),
            memory: touch(inst),
            moves_address: inst.class == Class::Int
                && sources.len() == 2
                && matches!(results[..], [(Slot::R64, _)]),
            stay,
            cycles,
            kind: inst.class,
            folded: folded(inst),
        });
    }
    (links, registers)
}

/// Lanes in which each register's value is known from the start: all where it holds an immediate, else none.
pub(super) fn immediates(program: &Program) -> Vec<u32> {
    let numbering = Numbering::new(program);
    let mut immediates = vec![0; numbering.count];
    let words = program.constants32.iter().map(|&(register, _)| (Slot::R32, register));
    let wide = program.constants64.iter().map(|&(register, _)| (Slot::R64, register));
    let predicates = program.constant_preds.iter().map(|&(register, _)| (Slot::Pred, register));
    for (slot, register) in words.chain(wide).chain(predicates) {
        immediates[numbering.of(program, slot, register) as usize] = FULL;
    }
    immediates
}

/// Cycles from an instruction's start to that of one which needs its result, on an H200, as `book/data/micro-h200.json` has
/// them.
fn latency(action: Action, class: Class) -> (Stay, u32) {
    match action {
        Action::Load(access) if access.space == Where::In(Space::Global) => (Stay::Near, 38),
        Action::Load(_) | Action::Atomic { .. } => (Stay::Near, 31),
        // By whole numbers: `tex1Dfetch`.
        Action::Texture(fetch) if fetch.whole => (Stay::Near, 94),
        Action::Texture(_) => (Stay::Near, 122),
        Action::Surface(_) => (Stay::Near, 96),
        Action::Store(_) => (Stay::Near, 1),
        _ => match class {
            Class::Move => (Stay::Compute, 2),
            Class::IntMul | Class::Fp32 | Class::Int | Class::Logic | Class::Shift => (Stay::Compute, 5),
            Class::IntDiv => (Stay::Compute, 125),
            Class::Fp32Div => (Stay::Compute, 60),
            Class::Fp64 => (Stay::Compute, 8),
            Class::Sfu => (Stay::Compute, 17),
            // A loop that only counts takes 27 cycles a round, most of them for its branch.
            Class::Convert | Class::Control => (Stay::Compute, 12),
            Class::Warp => (Stay::Near, 26),
            // Of one value; the others follow when they are known.
            Class::Match => (Stay::Near, 28),
            Class::Barrier => (Stay::Barrier, 20),
            Class::Memory => (Stay::Compute, 1),
            Class::Part => (Stay::Compute, 0),
        },
    }
}

fn folded(inst: &Inst) -> Folded {
    if inst.class == Class::Part {
        return Folded::Settled;
    }
    match inst.action {
        Action::Nothing => Folded::Settled,
        Action::Compute(_) => Folded::Value,
        Action::Branch { .. } if inst.guard != 0 => Folded::Away,
        // An operand in constant memory.
        Action::Load(access) if access.space == Where::In(Space::Const) => Folded::Away,
        _ => Folded::Never,
    }
}

fn touch(inst: &Inst) -> Touch {
    let spaces = |access: Access| match access.space {
        Where::In(Space::Global) => Spaces::Global,
        Where::In(Space::Shared) => Spaces::Shared,
        Where::In(Space::Local) | Where::Generic => Spaces::Either,
        Where::In(_) => Spaces::Constant,
    };
    match inst.action {
        Action::Load(_) if inst.e & READ_ONLY != 0 => Touch::Load(Spaces::Constant),
        Action::Load(access) => Touch::Load(spaces(access)),
        Action::Store(access) | Action::Atomic { access, .. } => Touch::Store(spaces(access)),
        _ => Touch::Nothing,
    }
}
