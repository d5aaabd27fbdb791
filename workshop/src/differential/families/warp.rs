//! Lanes that look at each other: shuffles of all modes and widths, votes, matches, reductions; within the
//! whole warp, or within the lanes that a vote has found to take a branch.

use super::super::types::Type;
use super::Writer;

/// The kernel's body. Blocks are whole warps.
pub fn body(writer: &mut Writer<'_>) {
    writer.declare_inputs(5);
    writer.line("const u32 lane = l & 31u;");
    writer.know("lane", Type::U32, false);
    for _ in 0..3 + writer.random.below(4) {
        if writer.random.once_in(3) {
            partial(writer);
        } else {
            whole(writer);
        }
        writer.statements(1, 2);
    }
    writer.results();
}

const WHOLE: &str = "0xffffffffu";

fn whole(writer: &mut Writer<'_>) {
    match writer.random.below(4) {
        0 | 1 => shuffle(writer),
        2 => exchange(writer),
        _ => collective(writer, WHOLE),
    }
}

/// Every lane reads a lane of the whole warp.
fn shuffle(writer: &mut Writer<'_>) {
    let ty = *writer.random.pick(&[Type::U32, Type::S32, Type::U64, Type::S64, Type::F32, Type::F64]);
    let value = writer.expression(ty, 2);
    let width = 1 << (1 + writer.random.below(5));
    let amount = writer.expression(Type::U32, 1);
    let shuffled = match writer.random.below(4) {
        0 => format!("__shfl_sync({WHOLE}, {value}, (int)(({amount}) & 63u), {width})"),
        1 => format!("__shfl_up_sync({WHOLE}, {value}, ({amount}) & 31u, {width})"),
        2 => format!("__shfl_down_sync({WHOLE}, {value}, ({amount}) & 31u, {width})"),
        _ => format!("__shfl_xor_sync({WHOLE}, {value}, {}, {width})", writer.random.below(32)),
    };
    writer.declare(ty, &shuffled);
}

/// A round through shared memory that only the warp waits for.
fn exchange(writer: &mut Writer<'_>) {
    let name = writer.name("w");
    let value = writer.expression(Type::U32, 2);
    writer.line(format!("__shared__ u32 {name}[128];"));
    writer.line(format!("{name}[l] = {value};"));
    writer.line("__syncwarp();");
    let constant = writer.random.below(32);
    writer.declare(Type::U32, &format!("{name}[l ^ {constant}u]"));
    writer.line("__syncwarp();");
}

/// Something all lanes of `mask` do together.
fn collective(writer: &mut Writer<'_>, mask: &str) {
    let (condition, word) = (writer.condition(), writer.expression(Type::U32, 2));
    let few = 1 + writer.random.below(7);
    let value = match writer.random.below(9) {
        0 => format!("__ballot_sync({mask}, {condition})"),
        1 => format!("(u32)(__any_sync({mask}, {condition}) != 0)"),
        2 => format!("(u32)(__all_sync({mask}, {condition}) != 0)"),
        3 => format!("__match_any_sync({mask}, ({word}) & {few}u)"),
        4 => format!("__match_any_sync({mask}, (u64)(({word}) & {few}u) << 32)"),
        5 => {
            let (all, agree) = (writer.name("all"), writer.name("agree"));
            writer.line(format!("int {agree} = 0;"));
            writer.line(format!("const u32 {all} = __match_all_sync({mask}, ({word}) & 1u, &{agree});"));
            format!("{all} + (u32)({agree} != 0)")
        }
        6 => {
            let operation = *writer.random.pick(&["add", "min", "max"]);
            let signed = writer.random.once_in(2);
            let ty = if signed { "s32" } else { "u32" };
            format!("(u32)__reduce_{operation}_sync({mask}, ({ty})({word}))")
        }
        7 => format!("__reduce_{}_sync({mask}, {word})", writer.random.pick(&["and", "or", "xor"])),
        // A lane that is surely there: the first or the last.
        _ => {
            let from = *writer.random.pick(&["__ffs((int)MASK) - 1", "31 - __clz((int)MASK)"]);
            format!("__shfl_sync({mask}, {word}, {})", from.replace("MASK", mask))
        }
    };
    writer.declare(Type::U32, &value);
}

/// The same among the lanes of one side of a branch.
fn partial(writer: &mut Writer<'_>) {
    let (taken, mask) = (writer.name("taken"), writer.name("mask"));
    let condition = writer.condition();
    let target = writer.declare(Type::U32, "0");
    writer.line(format!("const bool {taken} = {condition};"));
    writer.line(format!("const u32 {mask} = __ballot_sync({WHOLE}, {taken});"));
    let mut side = |head: &str, mask: String| {
        writer.nest(head, |writer| {
            for _ in 0..=writer.random.below(2) {
                collective(writer, &mask);
                if let Some(last) = writer.variables.last().map(|known| known.name.clone()) {
                    writer.line(format!("{target} = {target} * 3u + {last};"));
                }
            }
        });
    };
    side(&format!("if ({taken})"), mask.clone());
    side("else", format!("(~{mask})"));
    // The lanes meet again before anything else is asked of the whole warp.
    writer.line("__syncwarp();");
}
