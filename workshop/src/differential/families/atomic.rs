//! Atomics whose outcome does not depend on the order: each cell sees one commutative operation, results are
//! unused or only summed up over all threads.

use super::super::types::Type;
use super::{Shape, Writer};

/// The kernel's body: shared cells first, then the cells behind the results. The cells of `out` hold random
/// words before the launch.
pub fn body(writer: &mut Writer<'_>, shape: Shape) {
    writer.declare_inputs(5);
    writer.line("__shared__ u64 local_cells[32];");
    writer.line("for (u32 i = l; i < 32; i += size) local_cells[i] = in[i];");
    writer.line("__syncthreads();  // the cells have their first values");
    for cell in 0..4 + writer.random.below(6) {
        let shared = writer.random.once_in(2);
        let at = if shared { format!("local_cells + {}", cell * 3) } else { format!("cells + {}", cell * 4) };
        update(writer, &at, shape);
        writer.statements(1, 2);
    }
    writer.line("__syncthreads();  // the block's updates are done");
    writer.declare(Type::U64, "local_cells[l & 31u]");
    writer.results();
}

/// One operation on one cell or three neighbours, by all threads or by some.
fn update(writer: &mut Writer<'_>, at: &str, shape: Shape) {
    let head = if writer.random.once_in(2) { format!("if ({})", writer.condition()) } else { String::new() };
    let word = writer.expression(Type::U32, 2);
    let long = writer.expression(Type::U64, 2);
    let spread = writer.expression(Type::U32, 1);
    let text = match writer.random.below(12) {
        0 => format!("atomicAdd((u32*)({at}) + (({spread}) & 3u), {word});"),
        1 => format!("atomicAdd(({at}) + (({spread}) & 1u), {long});"),
        2 => format!("atomicSub((u32*)({at}), {word});"),
        3 => format!("atomic{}((u32*)({at}), {word});", writer.random.pick(&["Min", "Max"])),
        4 => format!("atomic{}((s32*)({at}), (s32)({word}));", writer.random.pick(&["Min", "Max"])),
        5 => {
            let operation = *writer.random.pick(&["And", "Or", "Xor"]);
            format!("atomic{operation}((u32*)({at}) + (({spread}) & 3u), {word});")
        }
        6 => {
            let operation = *writer.random.pick(&["And", "Or", "Xor", "Min", "Max"]);
            format!("atomic{operation}({at}, {long});")
        }
        7 => format!("atomicMax((s64*)({at}), (s64)({long}));"),
        // Each thread sets what all set.
        8 => format!("atomicExch((u32*)({at}), {}u);", writer.random.below(1 << 30)),
        // Counts modulo the limit, from wherever: all that are above start again at 0.
        9 => format!("atomicInc((u32*)({at}), {}u);", 3 + writer.random.below(90)),
        // A sum by compare-and-swap; the first guess is wrong, and corrected.
        10 => {
            let old = writer.name("old");
            format!(
                "{{ u32 {old} = 0u, seen; while ((seen = atomicCAS((u32*)({at}), {old}, \
                 {old} + ({word}))) != {old}) {old} = seen; }}"
            )
        }
        // Small whole numbers add up exactly in any order; the cell starts at 0.
        _ => {
            let cell = writer.name("sum");
            writer.line(format!("__shared__ f32 {cell};"));
            writer.line(format!("if (l == 0) {cell} = 0.0f;"));
            writer.line("__syncthreads();  // the sum is 0");
            writer.line(format!("atomicAdd(&{cell}, (f32)(({word}) & 1023u));"));
            writer.line("__syncthreads();  // all have added");
            writer.declare(Type::U32, &format!("(u32){cell}"));
            // Tickets differ from run to run, their sum does not.
            let tickets = writer.name("tickets");
            writer.line(format!("__shared__ u32 {tickets}[2];"));
            writer.line(format!("if (l < 2) {tickets}[l] = 0;"));
            writer.line("__syncthreads();  // no ticket taken");
            writer.line(format!("atomicAdd({tickets} + 1, atomicAdd({tickets}, {}u));", shape.grid[0]));
            writer.line("__syncthreads();  // all taken");
            writer.declare(Type::U32, &format!("{tickets}[1]"));
            return;
        }
    };
    if head.is_empty() { writer.line(text) } else { writer.nest(head, |writer| writer.line(text)) }
}
