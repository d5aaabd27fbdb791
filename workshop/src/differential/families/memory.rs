//! Loads and stores of all widths, vectors, constant memory, tables, and addresses of unknown space.

use super::super::types::Type;
use super::Writer;

/// Vector types: name, elements, the element's type, its members.
const VECTORS: [(&str, Type, u64); 11] = [
    ("uchar2", Type::U8, 2),
    ("uchar4", Type::U8, 4),
    ("char4", Type::S8, 4),
    ("ushort2", Type::U16, 2),
    ("short4", Type::S16, 4),
    ("uint2", Type::U32, 2),
    ("int4", Type::S32, 4),
    ("uint4", Type::U32, 4),
    ("float4", Type::F32, 4),
    ("ulonglong2", Type::U64, 2),
    ("double2", Type::F64, 2),
];
const MEMBERS: [&str; 4] = ["x", "y", "z", "w"];
const SCALARS: [Type; 10] = [
    Type::U8,
    Type::S8,
    Type::U16,
    Type::S16,
    Type::U32,
    Type::S32,
    Type::U64,
    Type::S64,
    Type::F32,
    Type::F64,
];

/// The kernel's body. Stores go to a thread's own two last result words.
pub fn body(writer: &mut Writer<'_>) {
    writer.declare_inputs(4);
    writer.line("const u32 words = gridDim.x * size * 8;");
    writer.line("u64* own = out + t * 4 + 2;");
    writer.line("own[0] = 0;");
    writer.line("own[1] = 0;");
    for _ in 0..4 + writer.random.below(5) {
        match writer.random.below(7) {
            0 => scalar_load(writer),
            1 => vector_load(writer),
            2 => {
                let at = writer.expression(Type::U32, 2);
                writer.declare(Type::U32, &format!("constants[({at}) & 63u] + bytes_of[({at}) >> 3 & 255u]"));
            }
            3 => generic_load(writer),
            4 => scalar_store(writer),
            5 => vector_store(writer),
            _ => writer.statements(2, 2),
        }
    }
    // Results 2 and 3 are the stored values.
    let names: Vec<String> =
        writer.variables.iter().filter(|known| known.mutable).map(|known| known.name.clone()).collect();
    for word in 0..2 {
        let terms: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(at, name)| format!("bits({name}) * {}ull", 2 * at + 3 + word))
            .collect();
        writer.line(format!("out[t * 4 + {word}] = {};", terms.join(" + ")));
    }
}

/// A load of this type from anywhere in the input, through one of the ways to spell it.
fn scalar_load(writer: &mut Writer<'_>) {
    let ty = *writer.random.pick(&SCALARS);
    let (name, per_word) = (ty.name(), 64 / ty.bits());
    let at = writer.expression(Type::U32, 2);
    let index = format!("({at}) % (words * {per_word}u)");
    let load = match writer.random.below(4) {
        0 => format!("__ldg((const {name}*)in + {index})"),
        1 => format!("((const volatile {name}*)in)[{index}]"),
        2 => format!("__ldcs((const {name}*)in + {index})"),
        _ => format!("((const {name}*)in)[{index}]"),
    };
    // `signed char` has no separate overload.
    let load = if ty == Type::S8 { format!("((const {name}*)in)[{index}]") } else { load };
    writer.declare(ty, &load);
}

fn vector_load(writer: &mut Writer<'_>) {
    let (name, ty, count) = *writer.random.pick(&VECTORS);
    let bytes = count * u64::from(ty.bits()) / 8;
    let vector = writer.name("v");
    let at = writer.expression(Type::U32, 2);
    writer.line(format!("const {name} {vector} = ((const {name}*)in)[({at}) % (words * 8u / {bytes}u)];"));
    for member in MEMBERS.iter().take(count as usize) {
        if writer.random.once_in(2) {
            writer.declare(ty, &format!("{vector}.{member}"));
        }
    }
}

/// A pointer that is to shared, local, constant or global memory, as the lane has it.
fn generic_load(writer: &mut Writer<'_>) {
    let (local, pointer) = (writer.name("local"), writer.name("p"));
    let (a, b) = (writer.expression(Type::U32, 1), writer.expression(Type::U32, 1));
    let (condition, at) = (writer.condition(), writer.expression(Type::U32, 1));
    writer.line(format!("u32 {local}[4] = {{{a}, {b}, t, 7u}};"));
    let other = *writer.random.pick(&["constants", "(const u32*)in", "(const u32*)mine"]);
    writer.line(format!("const u32* {pointer} = ({condition}) ? {local} : {other};"));
    writer.declare(Type::U32, &format!("{pointer}[({at}) & 3u]"));
}

fn scalar_store(writer: &mut Writer<'_>) {
    let ty = *writer.random.pick(&SCALARS);
    let value = writer.expression(ty, 2);
    let at = writer.expression(Type::U32, 1);
    // A number's NaN has more than one pattern: its bits go through `bits`.
    let (name, value) = match ty {
        Type::F32 => ("u32", format!("(u32)bits({value})")),
        Type::F64 => ("u64", format!("bits({value})")),
        _ => (ty.name(), value),
    };
    writer.line(format!("(({name}*)own)[({at}) & {}u] = {value};", 128 / ty.bits() - 1));
}

fn vector_store(writer: &mut Writer<'_>) {
    let (name, ty, count) = *writer.random.pick(&VECTORS);
    if !ty.is_integer() {
        return;
    }
    let elements: Vec<String> = (0..count).map(|_| writer.expression(ty, 1)).collect();
    let places = 128 / (ty.bits() * count as u32);
    let at = writer.expression(Type::U32, 1);
    let value = format!("make_{name}({})", elements.join(", "));
    writer.line(format!("(({name}*)own)[({at}) & {}u] = {value};", places - 1));
}
