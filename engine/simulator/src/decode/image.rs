//! Decoding of texture fetches and of surface loads and stores.

use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::isa::Slot;
use crate::isa::{Access, Action, Class, Fetch, Outside, SurfaceAccess, Where};
use crate::ptx::ast::{Instruction, Operand, Space};

fn unknown<T>(builder: &Builder<'_>, instruction: &Instruction) -> Result<T, Unsupported> {
    builder.error(format!(
        "the simulator does not know the instruction `{}` (of textures and surfaces it has those of one, two and \
         three dimensions and layers of two, without mipmaps and cubes)",
        spelling(instruction)
    ))
}

/// `[object, {x, y}]`.
fn parts(operand: &Operand) -> Option<(&Operand, &[Operand])> {
    match operand {
        Operand::TextureAddress { texture, sampler: None, coordinates } => Some((&**texture, coordinates)),
        _ => None,
    }
}

/// `tex.2d.v4.f32.f32 {…}, [texture, {x, y}];`, with a level that means nothing without mipmaps, and `tld4`.
pub(super) fn fetch(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let mut words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let gather = if instruction.opcode == "tld4" {
        let channel =
            words.first().and_then(|word| ["r", "g", "b", "a"].iter().position(|name| name == word));
        let Some(channel) = channel else { return unknown(builder, instruction) };
        words.remove(0);
        Some(channel as u8)
    } else {
        words.retain(|word| *word != "level" && *word != "base");
        None
    };
    // Where each coordinate stands: a layer's number comes first.
    let (places, result, coordinate): (&[usize], _, _) = match words[..] {
        ["1d", "v4", result, coordinate] if gather.is_none() => (&[0], result, coordinate),
        ["2d", "v4", result, coordinate] => (&[0, 1], result, coordinate),
        ["3d", "v4", result, coordinate] if gather.is_none() => (&[0, 1, 2], result, coordinate),
        ["a2d", "v4", result, coordinate] if gather.is_none() => (&[1, 2, 0], result, coordinate),
        _ => return unknown(builder, instruction),
    };
    let (axes, layered) = (places.len(), words[0] == "a2d");
    let whole = match coordinate {
        "s32" if gather.is_none() => true,
        "f32" => false,
        _ => return unknown(builder, instruction),
    };
    if !matches!(result, "u32" | "s32" | "f32") {
        return unknown(builder, instruction);
    }
    let [Operand::Vector(results), address, ..] = &instruction.operands[..] else {
        return unknown(builder, instruction);
    };
    let Some((texture, coordinates)) = parts(address) else { return unknown(builder, instruction) };
    if results.len() != 4 || coordinates.len() < axes {
        return unknown(builder, instruction);
    }
    let a = builder.source(texture, Slot::R64)?;
    let mut list = Vec::new();
    for operand in results {
        list.push(builder.destination(operand, Slot::R32)?.0);
    }
    for &place in places {
        list.push(builder.source(&coordinates[place], Slot::R32)?);
    }
    let first = builder.program.lists.len() as u32;
    builder.program.lists.extend(list);
    let fetch = Fetch { axes: axes as u8, layered, gather, float: result == "f32", whole, list: first };
    builder.emit(Action::Texture(fetch), Class::Memory, 0, [a, 0, 0, 0]);
    Ok(())
}

/// `suld.b.2d.v4.b8.trap {…}, [surface, {x, y}];` and `sust.b`, data last.
pub(super) fn surface(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let store = instruction.opcode == "sust";
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let (axes, vector, ty, outside) = match words[..] {
        ["b", axes, ty, outside] => (axes, 1, ty, outside),
        ["b", axes, "v2", ty, outside] => (axes, 2, ty, outside),
        ["b", axes, "v4", ty, outside] => (axes, 4, ty, outside),
        _ => return unknown(builder, instruction),
    };
    let width = match ty {
        "b8" => 1,
        "b16" => 2,
        "b32" => 4,
        "b64" => 8,
        _ => return unknown(builder, instruction),
    };
    let outside = match outside {
        "trap" => Outside::Trap,
        "clamp" => Outside::Clamp,
        "zero" => Outside::Zero,
        _ => return unknown(builder, instruction),
    };
    let (axes, column, slice): (usize, usize, Option<usize>) = match axes {
        "1d" => (1, 0, None),
        "2d" => (2, 0, None),
        "3d" => (2, 0, Some(2)),
        "a2d" => (2, 1, Some(0)),
        _ => return unknown(builder, instruction),
    };
    let [first, second] = &instruction.operands[..] else { return unknown(builder, instruction) };
    let (data, address) = if store { (second, first) } else { (first, second) };
    let data = match data {
        Operand::Vector(items) => &items[..],
        single => std::slice::from_ref(single),
    };
    let Some((object, coordinates)) = parts(address) else { return unknown(builder, instruction) };
    if data.len() != vector || coordinates.len() < axes + usize::from(slice.is_some()) {
        return unknown(builder, instruction);
    }
    let a = builder.source(object, Slot::R64)?;
    let c = builder.source(&coordinates[column], Slot::R32)?;
    let e = if axes == 2 { builder.source(&coordinates[column + 1], Slot::R32)? } else { 0 };
    let slice = slice.map(|place| builder.source(&coordinates[place], Slot::R32)).transpose()?;
    let slot = if width == 8 { Slot::R64 } else { Slot::R32 };
    let mut columns = Vec::new();
    for operand in data {
        columns.push(if store {
            builder.source(operand, slot)?
        } else {
            builder.destination(operand, slot)?.0
        });
    }
    let list = builder.program.lists.len() as u32;
    if vector > 1 {
        builder.program.lists.extend(&columns);
    }
    builder.program.lists.extend(slice);
    let access = Access {
        space: Where::In(Space::Global),
        width,
        vector: vector as u8,
        signed: false,
        wide: width == 8,
        wide_address: true,
        strong: false,
        offset: 0,
        list,
    };
    let action =
        Action::Surface(SurfaceAccess { access, axes: axes as u8, sliced: slice.is_some(), store, outside });
    let (d, b) = if store { (0, columns[0]) } else { (columns[0], 0) };
    builder.emit(action, Class::Memory, d, [a, b, c, e]);
    Ok(())
}
