//! What instructions are to a path, found once for a program: which registers they read and write, what they take, and
//! whether the assembler would leave them in.

use super::operands::operands;
use crate::decode::{Access, Action, Class, Inst, Program, READ_ONLY, Where};
use crate::exec::{FULL, Slot};
use crate::isa::actions;
use crate::model::counters::StallReason;
use crate::observe::Numbering;
use crate::ptx::ast::Space;

/// Every instruction of a program.
#[derive(Debug)]
pub(super) struct Instructions {
    entries: Vec<Entry>,
    /// Registers of all of them.
    registers: Vec<u32>,
    /// Lanes in which each register holds an immediate.
    pub immediates: Vec<u32>,
}

/// An instruction, and where its registers stand: so many sources from `first` on, then so many results.
#[derive(Debug, Clone, Copy)]
struct Entry {
    first: u32,
    sources: u8,
    results: u8,
    operation: Operation,
}

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instruction<'a> {
    /// Registers that it reads, its guard first.
    pub sources: &'a [u32],
    /// Registers that it writes.
    pub results: &'a [u32],
    pub operation: Operation,
}

/// What an instruction does, and how long it takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub class: Class,
    /// Results keep their value in lanes that do not write.
    pub guarded: bool,
    /// A basic block ends with it.
    pub ends_block: bool,
    /// What it does with memory.
    pub memory: Touch,
    /// Adds 64-bit numbers: addresses.
    moves_address: bool,
    folded: Folded,
    /// Cycles until its result is ready, and what a warp that waits for it waits for.
    pub cycles: u32,
    pub reason: StallReason,
}

impl Instruction<'_> {
    /// Whether its results are known if its operands are.
    #[inline]
    pub fn keeps_values_known(&self) -> bool {
        !self.sources.is_empty() && self.operation.folded == Folded::Value
    }

    /// Whether the assembler leaves it out, if the compiler knows so many of its operands. A loop whose count is known is unrolled,
    /// and what is known of its rounds is worked out by the compiler; what is known of an address becomes an offset.
    #[inline]
    pub fn vanishes(&self, known: usize) -> bool {
        let all_known = !self.sources.is_empty() && known == self.sources.len();
        self.operation.folded == Folded::Settled
            || all_known && self.operation.folded != Folded::Never
            || self.operation.moves_address && known == 1
    }
}

/// What becomes of an instruction all of whose operands are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Folded {
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

impl Instructions {
    /// Those of a program.
    pub fn of(program: &Program) -> Self {
        let numbering = Numbering::new(program);
        let number = |&(slot, register): &(Slot, u16)| numbering.of(program, slot, register);
        let mut registers = Vec::new();
        let mut entries = Vec::with_capacity(program.code.len());
        for (pc, inst) in program.code.iter().enumerate() {
            let (sources, results) = operands(program, inst, pc);
            let first = registers.len() as u32;
            let guard = (inst.guard != 0).then(|| numbering.of(program, Slot::Pred, inst.guard));
            registers.extend(guard);
            registers.extend(sources.iter().chain(&results).map(number));
            entries.push(Entry {
                first,
                sources: (sources.len() + guard.iter().len()) as u8,
                results: results.len() as u8,
                operation: Operation::of(inst, &sources, &results),
            });
        }
        Self { entries, registers, immediates: immediates(program) }
    }

    /// The instruction at this place of the program.
    #[inline]
    pub fn at(&self, pc: u32) -> Instruction<'_> {
        let Entry { first, sources, results, operation } = self.entries[pc as usize];
        let (first, sources) = (first as usize, usize::from(sources));
        let registers = &self.registers[first..first + sources + usize::from(results)];
        let (sources, results) = registers.split_at(sources);
        Instruction { sources, results, operation }
    }
}

impl Operation {
    fn of(inst: &Inst, sources: &[(Slot, u16)], results: &[(Slot, u16)]) -> Self {
        let (reason, cycles) = latency(inst.action, inst.class);
        Self {
            class: inst.class,
            guarded: inst.guard != 0,
            ends_block: matches!(inst.class, Class::Control | Class::Barrier),
            memory: touch(inst),
            moves_address: inst.class == Class::Int
                && sources.len() == 2
                && matches!(results, [(Slot::R64, _)]),
            folded: folded(inst),
            cycles,
            reason,
        }
    }
}

/// Lanes in which each register's value is known from the start: all where it holds an immediate, else none.
fn immediates(program: &Program) -> Vec<u32> {
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
fn latency(action: Action, class: Class) -> (StallReason, u32) {
    match action {
        Action::Load(access) if access.space == Where::In(Space::Global) => (StallReason::Near, 38),
        Action::Load(_) | Action::Atomic { .. } => (StallReason::Near, 31),
        // By whole numbers: `tex1Dfetch`.
        Action::Texture(fetch) if fetch.whole => (StallReason::Near, 94),
        Action::Texture(_) => (StallReason::Near, 122),
        Action::Surface(_) => (StallReason::Near, 96),
        Action::Store(_) => (StallReason::Near, 1),
        actions!(registers | warps | barriers | jumps | ends | waits) => latency_of_class(class),
    }
}

fn latency_of_class(class: Class) -> (StallReason, u32) {
    match class {
        Class::Move => (StallReason::Compute, 2),
        Class::IntMul | Class::Fp32 | Class::Int | Class::Logic | Class::Shift => (StallReason::Compute, 5),
        Class::IntDiv => (StallReason::Compute, 125),
        Class::Fp32Div => (StallReason::Compute, 60),
        Class::Fp64 => (StallReason::Compute, 8),
        Class::Sfu => (StallReason::Compute, 17),
        // A loop that only counts takes 27 cycles per round, most of them for its branch.
        Class::Convert | Class::Control => (StallReason::Compute, 12),
        Class::Warp => (StallReason::Near, 26),
        // Of one value; the others follow when they are known.
        Class::Match => (StallReason::Near, 28),
        Class::Barrier => (StallReason::Barrier, 20),
        Class::Memory => (StallReason::Compute, 1),
        Class::Part => (StallReason::Compute, 0),
    }
}

fn folded(inst: &Inst) -> Folded {
    if inst.class == Class::Part {
        return Folded::Settled;
    }
    match inst.action {
        Action::Nothing | Action::Asynchronous(_) => Folded::Settled,
        Action::Compute(_) | Action::Checked(..) => Folded::Value,
        Action::Branch { .. } if inst.guard != 0 => Folded::Away,
        // An operand in constant memory.
        Action::Load(access) if access.space == Where::In(Space::Const) => Folded::Away,
        Action::Fence
        | Action::Clock { .. }
        | Action::IsSpace(_)
        | Action::ToGeneric { .. }
        | Action::FromGeneric { .. }
        | actions!(accesses | warps | barriers | jumps | ends) => Folded::Never,
    }
}

fn touch(inst: &Inst) -> Touch {
    let spaces = |access: Access| match access.space {
        Where::In(Space::Global) => Spaces::Global,
        Where::In(Space::Shared) => Spaces::Shared,
        Where::In(Space::Local) | Where::Generic => Spaces::Either,
        Where::In(Space::Const | Space::Param) => Spaces::Constant,
    };
    match inst.action {
        Action::Load(_) if inst.e & READ_ONLY != 0 => Touch::Load(Spaces::Constant),
        Action::Load(access) => Touch::Load(spaces(access)),
        Action::Store(access) | Action::Atomic { access, .. } => Touch::Store(spaces(access)),
        // Textures and surfaces have paths of their own.
        Action::Texture(_)
        | Action::Surface(_)
        | actions!(registers | warps | barriers | jumps | ends | waits) => Touch::Nothing,
    }
}
