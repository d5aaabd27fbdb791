//! Functions that are not inlined, recursion, structures by value, local arrays indexed at run time.

use super::super::types::Type;
use super::Writer;

/// The kernel's body; the result is the text of its functions.
pub fn body(writer: &mut Writer<'_>, kernel: &str) -> String {
    writer.declare_inputs(6);
    writer.line("u32 array[16];");
    writer.nest("for (u32 i = 0; i < 16; ++i)", |writer| {
        writer.know("i", Type::U32, false);
        let value = writer.expression(Type::U32, 2);
        writer.line(format!("array[i] = {value};"));
    });
    writer.line("Small small[3] = {{1, -2, 3, -4}, {5, -6, 7, -8}, {9, -10, 11, -12}};");
    for _ in 0..3 + writer.random.below(4) {
        let (a, b) = (writer.expression(Type::U32, 2), writer.expression(Type::U32, 2));
        match writer.random.below(7) {
            0 => writer.line(format!("array[({a}) & 15u] ^= {b};")),
            1 => writer.line(format!("array[({a}) & 15u] += array[({b}) & 15u];")),
            2 => drop(writer.declare(Type::U32, &format!("{kernel}_mix({a}, {b}, array)"))),
            3 => {
                let wide = writer.expression(Type::S64, 2);
                let pair = writer.name("pair");
                writer.line(format!(
                    "const Pair {pair} = {kernel}_pair(Pair{{{a}, (u8)({b}), (u64)({wide})}});"
                ));
                writer.declare(Type::U32, &format!("{pair}.low + {pair}.tag"));
                writer.declare(Type::S64, &format!("(s64){pair}.high"));
            }
            4 => drop(writer.declare(Type::U32, &format!("{kernel}_deep({a}, ({b}) & 7u)"))),
            5 => {
                writer.line(format!("small[({a}) % 3u].b = (s8)({b});"));
                writer.line(format!("small[({b}) % 3u].d = (s32)({a});"));
            }
            _ => {
                let number = writer.expression(Type::F32, 2);
                writer.declare(Type::F32, &format!("{kernel}_number({number}, {a})"));
            }
        }
        writer.statements(1, 2);
    }
    writer.line("u32 all = 0;");
    writer.line("for (u32 i = 0; i < 16; ++i) all = all * 31u + array[i];");
    writer.line("for (u32 i = 0; i < 3; ++i)");
    writer.line("    all = all * 33u + small[i].a + (u32)small[i].b + small[i].c + (u32)small[i].d;");
    writer.know("all", Type::U32, true);
    writer.results();
    functions(writer, kernel)
}

fn functions(writer: &mut Writer<'_>, kernel: &str) -> String {
    // In a function only its parameters are in scope.
    writer.variables.clear();
    writer.know("a", Type::U32, false);
    writer.know("b", Type::U32, false);
    let mixed = writer.expression(Type::U32, 3);
    let low = writer.expression(Type::U32, 2);
    let step = writer.expression(Type::U32, 2);
    let condition = writer.expression(Type::U32, 1);
    writer.variables.clear();
    writer.know("x", Type::F32, false);
    writer.know("b", Type::U32, false);
    let number = writer.expression(Type::F32, 3);
    format!(
        "__device__ __noinline__ u32 {kernel}_mix(u32 a, u32 b, u32* array) {{
    array[b & 15u] += a;
    if (({condition}) & 1u) return {mixed};
    array[a & 15u] ^= b;
    return array[(a ^ b) & 15u] + a;
}}
__device__ __noinline__ Pair {kernel}_pair(Pair p) {{
    const u32 a = p.low, b = p.tag;
    Pair q = p;
    q.low = {low};
    q.tag = (u8)(b + 1u);
    q.high = p.high * 3ull + a;
    return q;
}}
__device__ __noinline__ u32 {kernel}_deep(u32 a, u32 b) {{
    if (b == 0) return a;
    const u32 below = {kernel}_deep({step}, b - 1u);
    return below * 5u + a;
}}
__device__ __noinline__ f32 {kernel}_number(f32 x, u32 b) {{ return {number}; }}
"
    )
}
