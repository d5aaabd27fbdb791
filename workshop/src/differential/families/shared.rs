//! Shared memory, static and dynamic: permuted writes, barriers, reads of values that others wrote, trees, scans.
//!
//! Between two barriers every cell is written by one thread at most, and read by none but that one.

use super::super::types::Type;
use super::{Shape, Writer};

const ELEMENTS: [Type; 6] = [Type::U8, Type::U16, Type::U32, Type::S32, Type::U64, Type::S16];

/// The kernel's body.
pub fn body(writer: &mut Writer<'_>, shape: Shape) {
    let size = shape.of_block();
    writer.declare_inputs(5);
    for _ in 0..2 + writer.random.below(3) {
        let ty = *writer.random.pick(&ELEMENTS);
        let array = array(writer, ty, size);
        match writer.random.below(6) {
            0 => tree(writer, ty, &array, size),
            1 => scan(writer, ty, &array, size),
            2 => structures(writer, size),
            3 => votes(writer),
            _ => exchange(writer, ty, &array),
        }
        writer.statements(2, 2);
    }
    writer.results();
}

/// Static or dynamic shared memory for one element per thread.
fn array(writer: &mut Writer<'_>, ty: Type, size: u32) -> String {
    // Not `s`: `s16` is a type.
    let name = writer.name("array");
    let element = ty.name();
    if writer.random.once_in(2) {
        writer.line(format!("{element}* {name} = ({element}*)dynamic_shared;"));
        // Another array may have been in the same bytes.
        writer.line("__syncthreads();");
    } else {
        writer.line(format!("__shared__ {element} {name}[{size}];"));
    }
    name
}

/// The thread's place under a permutation of the block (whose size is a power of two).
fn permuted(writer: &mut Writer<'_>) -> String {
    let constant = writer.random.below(1 << 16);
    match writer.random.below(4) {
        0 => format!("((l * {}u + {constant}u) & (size - 1))", 2 * writer.random.below(64) + 1),
        1 => format!("((l ^ {constant}u) & (size - 1))"),
        2 => "(size - 1 - l)".to_owned(),
        _ => format!("((l + {constant}u) & (size - 1))"),
    }
}

fn exchange(writer: &mut Writer<'_>, ty: Type, array: &str) {
    for _ in 0..=writer.random.below(3) {
        let (to, value) = (permuted(writer), writer.expression(ty, 2));
        writer.line(format!("{array}[{to}] = {value};"));
        writer.line("__syncthreads();  // all cells written");
        let from = permuted(writer);
        writer.declare(ty, &format!("{array}[{from}]"));
        let anywhere = writer.expression(Type::U32, 1);
        writer.declare(ty, &format!("{array}[({anywhere}) & (size - 1)]"));
        if writer.random.once_in(3) {
            let condition = writer.condition();
            let from = permuted(writer);
            let target = writer.declare(ty, "0");
            writer.line(format!("if ({condition}) {target} = {array}[{from}];"));
        }
        writer.line("__syncthreads();  // all cells read");
    }
}

/// The sum, or another fold, of the block.
fn tree(writer: &mut Writer<'_>, ty: Type, array: &str, size: u32) {
    let value = writer.expression(ty, 2);
    let fold = *writer.random.pick(&["a + b", "a ^ b", "a > b ? a : b", "a & b"]);
    let (step, name) = (writer.name("step"), ty.name());
    writer.line(format!("{array}[l] = {value};"));
    writer.line("__syncthreads();  // all cells written");
    writer.nest(format!("for (u32 {step} = {}; {step} > 0; {step} >>= 1)", size / 2), |writer| {
        writer.nest(format!("if (l < {step})"), |writer| {
            writer.line(format!("const {0} a = ({0}){array}[l];", ty.wrapping()));
            writer.line(format!("const {0} b = ({0}){array}[l + {step}];", ty.wrapping()));
            writer.line(format!("{array}[l] = ({name})({fold});"));
        });
        writer.line("__syncthreads();  // this level done");
    });
    writer.declare(ty, &format!("{array}[0]"));
    writer.line("__syncthreads();  // the result read");
}

/// Prefix sums.
fn scan(writer: &mut Writer<'_>, ty: Type, array: &str, size: u32) {
    let value = writer.expression(ty, 2);
    let (step, wide, name) = (writer.name("step"), ty.wrapping(), ty.name());
    writer.line(format!("{array}[l] = {value};"));
    writer.line("__syncthreads();  // all cells written");
    writer.nest(format!("for (u32 {step} = 1; {step} < {size}; {step} <<= 1)"), |writer| {
        writer.line(format!("const {wide} before = l >= {step} ? ({wide}){array}[l - {step}] : 0;"));
        writer.line("__syncthreads();  // all neighbours read");
        writer.line(format!("{array}[l] = ({name})(({wide}){array}[l] + before);"));
        writer.line("__syncthreads();  // all sums written");
    });
    let from = permuted(writer);
    writer.declare(ty, &format!("{array}[{from}]"));
    writer.line("__syncthreads();  // the sums read");
}

/// Structures of several members, each written by its own thread.
fn structures(writer: &mut Writer<'_>, size: u32) {
    let name = writer.name("p");
    let (low, tag, high) =
        (writer.expression(Type::U32, 2), writer.expression(Type::U32, 1), writer.expression(Type::U64, 2));
    let (to, from) = (permuted(writer), permuted(writer));
    writer.line(format!("__shared__ Pair {name}[{size}];"));
    writer.line(format!("{name}[{to}] = Pair{{{low}, (u8)({tag}), {high}}};"));
    writer.line("__syncthreads();  // all structures written");
    writer.declare(Type::U32, &format!("{name}[{from}].low + {name}[l].tag"));
    writer.declare(Type::U64, &format!("{name}[(l + 1) & (size - 1)].high"));
    writer.line("__syncthreads();  // all structures read");
}

/// Barriers that count.
fn votes(writer: &mut Writer<'_>) {
    let condition = writer.condition();
    let vote = *writer.random.pick(&["__syncthreads_count", "__syncthreads_and", "__syncthreads_or"]);
    // All that is not 0 is true: only whether it is 0 is defined.
    let result = if vote == "__syncthreads_count" { "" } else { " != 0" };
    writer.declare(Type::U32, &format!("(u32)({vote}({condition}){result})"));
}
