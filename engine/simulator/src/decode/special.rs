//! Decoding of instructions that do more than compute in a lane: control flow, memory, barriers, and
//! whatever looks at other lanes.

use super::lower::{Context, Unsupported, frame_of, spelling};
use super::operands::Builder;
use super::program::{Call, Callee};
use super::{memory_ops, warp_ops};
use crate::isa::Slot;
use crate::isa::{Action, Class, VoteMode};
use crate::ptx::ast::{Instruction, Operand, Space};

/// In [`super::Inst::e`] of [`Action::Nothing`]: the thread sleeps, and others run meanwhile.
pub(crate) const SLEEPS: u16 = 1;

/// The function that `grid.sync()` calls in the workbook's `cooperative_groups.h`. A GPU runs its body, which counts
/// the blocks that have come; here a call of it is one instruction.
const GRID_BARRIER: &str = "workbook_grid_barrier";

/// Decodes the instruction if it is one of these; `false` if the table has to know it.
pub(super) fn lower(
    builder: &mut Builder<'_>,
    context: &mut Context<'_>,
    instruction: &Instruction,
) -> Result<bool, Unsupported> {
    super::arity::check(builder, instruction)?;
    let has = |word: &str| instruction.modifiers.iter().any(|modifier| modifier == word);
    match instruction.opcode.as_str() {
        "ld" | "ldu" => memory_ops::load_store(builder, instruction, false)?,
        "st" => memory_ops::load_store(builder, instruction, true)?,
        "atom" => memory_ops::atomic(builder, context, instruction, true)?,
        "red" => memory_ops::atomic(builder, context, instruction, false)?,
        "bra" => branch(builder, context, instruction)?,
        "brx" => branch_table(builder, context, instruction)?,
        "call" => call(builder, context, instruction)?,
        "ret" => builder.emit(Action::Return, Class::Control, 0, [0; 4]),
        "exit" => builder.emit(Action::Exit, Class::Control, 0, [0; 4]),
        "trap" | "brkpt" => builder.emit(Action::Trap, Class::Control, 0, [0; 4]),
        "bar" | "barrier" => barrier(builder, instruction)?,
        // `a` is 1 unless the fence reaches only its own block.
        "membar" | "fence" => {
            builder.emit(Action::Fence, Class::Barrier, 0, [u16::from(!has("cta")), 0, 0, 0]);
        }
        // `e` of a sleep, during which other warps run.
        "nanosleep" => {
            builder.emit(Action::Nothing, Class::Memory, 0, [0, 0, 0, SLEEPS]);
        }
        "prefetch" | "prefetchu" | "discard" | "applypriority" | "griddepcontrol" | "pragma" | "pmevent" => {
            builder.emit(Action::Nothing, Class::Memory, 0, [0; 4]);
        }
        "shfl" => warp_ops::shuffle(builder, instruction)?,
        "vote" => warp_ops::vote(builder, instruction)?,
        "match" => warp_ops::lane_match(builder, instruction)?,
        "redux" => warp_ops::reduce(builder, instruction)?,
        "activemask" => {
            let d = builder.destination(&instruction.operands[0], Slot::R32)?.0;
            builder.emit(Action::ActiveMask, Class::Warp, d, [0; 4]);
        }
        "createpolicy" => {
            // A hint for the cache: the policy itself is of no consequence.
            let d = builder.destination(&instruction.operands[0], Slot::R64)?.0;
            let zero = builder.constant(Slot::R64, 0)?;
            builder.emit_row("mov.b64", d, &[zero]);
        }
        "cvta" => convert_address(builder, instruction)?,
        "isspacep" if has("shared::cluster") => {
            // The block is its own cluster.
            let a = builder.source(&instruction.operands[1], Slot::R64)?;
            let d = builder.destination(&instruction.operands[0], Slot::Pred)?.0;
            builder.emit(Action::IsSpace(Space::Shared), Class::Int, d, [a, 0, 0, 0]);
        }
        "isspacep" => {
            let Some(space) = space_word(instruction) else { return Ok(false) };
            let a = builder.source(&instruction.operands[1], Slot::R64)?;
            let d = builder.destination(&instruction.operands[0], Slot::Pred)?.0;
            builder.emit(Action::IsSpace(space), Class::Int, d, [a, 0, 0, 0]);
        }
        "tex" | "tld4" => super::image::fetch(builder, instruction)?,
        "suld" | "sust" => super::image::surface(builder, instruction)?,
        "mov" => return super::moves::mov(builder, instruction),
        "setp" | "set" => return super::compare::lower(builder, instruction),
        "lop3" if has("or") || has("and") => super::compare::logic_with_predicate(builder, instruction)?,
        "cp" if has("async") && !has("bulk") && !has("reduce") && !has("mbarrier") => {
            super::asynchronous::copy(builder, instruction)?;
        }
        "elect" => warp_ops::elect(builder, instruction)?,
        "mma"
        | "wmma"
        | "wgmma"
        | "ldmatrix"
        | "stmatrix"
        | "mbarrier"
        | "movmatrix"
        | "tcgen05"
        | "mapa"
        | "multimem"
        | "alloca"
        | "stacksave"
        | "stackrestore"
        | "getctarank"
        | "tensormap"
        | "clusterlaunchcontrol"
        | "setmaxnreg" => {
            return builder.error(format!(
                "`{}` is not simulated (tensor cores, clusters, asynchronous barriers and stack allocation need a \
                 real GPU)",
                spelling(instruction)
            ));
        }
        "cp" if has("bulk") => {
            return builder
                .error(format!("`{}` is not simulated (it needs a real GPU)", spelling(instruction)));
        }
        _ => {
            return Ok(super::carry::lower(builder, instruction)?
                || super::video::lower_video(builder, instruction)?);
        }
    }
    Ok(true)
}

fn space_word(instruction: &Instruction) -> Option<Space> {
    instruction.modifiers.iter().find_map(|modifier| match modifier.as_str() {
        "global" => Some(Space::Global),
        "const" => Some(Space::Const),
        "shared" | "shared::cta" => Some(Space::Shared),
        "local" => Some(Space::Local),
        "param" | "param::entry" => Some(Space::Param),
        _ => None,
    })
}

fn label(builder: &Builder<'_>, operand: &Operand) -> Result<String, Unsupported> {
    match operand {
        Operand::Symbol { name, .. } | Operand::Register(name) => Ok(name.clone()),
        _ => builder.error("a branch to something that is no label"),
    }
}

fn branch(
    builder: &mut Builder<'_>,
    context: &mut Context<'_>,
    instruction: &Instruction,
) -> Result<(), Unsupported> {
    let target = label(builder, &instruction.operands[0])?;
    context.branches.push((builder.program.code.len(), target, instruction.line));
    builder.emit(Action::Branch { target: 0 }, Class::Control, 0, [0; 4]);
    Ok(())
}

fn branch_table(
    builder: &mut Builder<'_>,
    context: &mut Context<'_>,
    instruction: &Instruction,
) -> Result<(), Unsupported> {
    let [index, table] = &instruction.operands[..] else {
        return builder.error("`brx.idx` needs an index and a table");
    };
    let name = label(builder, table)?;
    let Some((_, labels)) = context.body.branch_targets.iter().find(|(table, _)| *table == name) else {
        return builder.error(format!("the branch table `{name}` is missing"));
    };
    let first = builder.program.branch_tables.len();
    for (offset, target) in labels.iter().enumerate() {
        context.tables.push((first + offset, target.clone(), instruction.line));
        builder.program.branch_tables.push(0);
    }
    let a = builder.source(index, Slot::R32)?;
    let action = Action::BranchTable { first: first as u32, count: labels.len() as u32 };
    builder.emit(action, Class::Control, 0, [a, 0, 0, 0]);
    Ok(())
}

/// `call (results), function, (arguments);` in all its optional shapes.
fn call(
    builder: &mut Builder<'_>,
    context: &mut Context<'_>,
    instruction: &Instruction,
) -> Result<(), Unsupported> {
    let mut results: &[Operand] = &[];
    let mut arguments: &[Operand] = &[];
    let (mut callee, mut pointer) = (None, None);
    for operand in &instruction.operands {
        match operand {
            Operand::List(items) if callee.is_none() && pointer.is_none() => results = items,
            Operand::List(items) => arguments = items,
            Operand::Symbol { name, .. } if callee.is_none() && pointer.is_none() => {
                callee = Some(name.clone());
            }
            Operand::Register(_) if callee.is_none() => pointer = Some(operand),
            _ => {}
        }
    }
    let place = |builder: &Builder<'_>, operand: &Operand| -> Result<u32, Unsupported> {
        let (Operand::Symbol { name, .. } | Operand::Register(name)) = operand else {
            return builder.error("an argument of this shape is not supported");
        };
        match builder.scope.variables.get(name) {
            Some(&(Space::Local, offset)) => Ok(offset as u32),
            _ => builder.error(format!("the call argument `{name}` is not a parameter variable")),
        }
    };
    let arguments: Vec<u32> =
        arguments.iter().map(|operand| place(builder, operand)).collect::<Result<_, _>>()?;
    let results: Vec<u32> =
        results.iter().map(|operand| place(builder, operand)).collect::<Result<_, _>>()?;
    let callee = match (callee, pointer) {
        (Some(name), _) if name == GRID_BARRIER => {
            builder.emit(Action::GridBarrier, Class::Barrier, 0, [0; 4]);
            return Ok(());
        }
        (Some(name), _) => {
            let Some(function) = context.functions.get(name.as_str()) else {
                return builder.error(format!("the function `{name}` is not declared"));
            };
            let frame = frame_of(builder, context.frames, function);
            if frame.defined {
                Callee::Function { number: frame.number as u32 }
            } else {
                let result = frame.returns.first().copied();
                Callee::External { name, arguments: frame.parameters, result }
            }
        }
        (None, Some(pointer)) => {
            // Any function whose address is taken may be meant.
            for name in context.frames.graph.pointed_to.clone() {
                if let Some(function) = context.functions.get(name.as_str()) {
                    frame_of(builder, context.frames, function);
                }
            }
            Callee::Pointer { register: builder.source(pointer, Slot::R64)? }
        }
        (None, None) => return builder.error("a call of nothing"),
    };
    let number = builder.program.calls.len() as u32;
    let framed = builder.scope.framed;
    builder.program.calls.push(Call { callee, arguments, results, framed });
    builder.emit(Action::Call(number), Class::Control, 0, [0; 4]);
    Ok(())
}

fn barrier(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let words: Vec<&str> =
        instruction.modifiers.iter().map(String::as_str).filter(|word| *word != "cta").collect();
    let operands = &instruction.operands;
    // `bar` is `barrier.aligned`.
    let aligned = instruction.opcode == "bar" || words.contains(&"aligned");
    match words.first() {
        Some(&"warp") => {
            let a = builder.source(&operands[0], Slot::R32)?;
            builder.emit(Action::WarpBarrier, Class::Warp, 0, [a, 0, 0, 0]);
        }
        Some(&"sync" | &"arrive") => {
            let a = match operands.first() {
                Some(id) => builder.source(id, Slot::R32)?,
                None => builder.constant(Slot::R32, 0)?,
            };
            let counted = operands.len() > 1;
            let b = if counted { builder.source(&operands[1], Slot::R32)? } else { 0 };
            let arrive = words[0] == "arrive";
            builder.emit(Action::Barrier { counted, aligned, arrive }, Class::Barrier, 0, [a, b, 0, 0]);
        }
        Some(&"red") => {
            let popc = words.contains(&"popc");
            let mode = if words.contains(&"and") { VoteMode::All } else { VoteMode::Any };
            let d = builder.destination(&operands[0], if popc { Slot::R32 } else { Slot::Pred })?.0;
            let a = builder.source(&operands[1], Slot::R32)?;
            let counted = operands.len() > 3;
            let b = if counted { builder.source(&operands[2], Slot::R32)? } else { 0 };
            let last = operands.last().expect("a reduction has a predicate");
            let (name, negated) = match last {
                Operand::Negated(name) => (name, true),
                Operand::Register(name) => (name, false),
                _ => return builder.error("`bar.red` without a predicate"),
            };
            let c = builder.register(name)?.index;
            let action = Action::BarrierReduce { mode, popc, counted, negated };
            builder.emit(action, Class::Barrier, d, [a, b, c, 0]);
        }
        _ => {
            return builder
                .error(format!("the simulator does not know the instruction `{}`", spelling(instruction)));
        }
    }
    Ok(())
}

fn convert_address(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let Some(space) = space_word(instruction) else {
        return builder.error(format!("`{}` without a state space", spelling(instruction)));
    };
    // A function's parameters are local here.
    let space = if space == Space::Param && !builder.scope.kernel { Space::Local } else { space };
    let wide = instruction.modifiers.iter().any(|modifier| modifier == "u64");
    let slot = if wide { Slot::R64 } else { Slot::R32 };
    let a = builder.source(&instruction.operands[1], slot)?;
    let d = builder.destination(&instruction.operands[0], slot)?.0;
    let to = instruction.modifiers.iter().any(|modifier| modifier == "to");
    let action = if to { Action::FromGeneric { space, wide } } else { Action::ToGeneric { space, wide } };
    builder.emit(action, Class::Int, d, [a, 0, 0, 0]);
    Ok(())
}
