//! Types, state spaces and their sizes.

use super::super::ast::{Space, Type};

/// The type that `.word` names.
pub(super) fn scalar_type(word: &str) -> Option<Type> {
    Some(match word {
        "b8" => Type::B8,
        "b16" => Type::B16,
        "b32" => Type::B32,
        "b64" => Type::B64,
        "b128" => Type::B128,
        "u8" => Type::U8,
        "u16" => Type::U16,
        "u32" => Type::U32,
        "u64" => Type::U64,
        "s8" => Type::S8,
        "s16" => Type::S16,
        "s32" => Type::S32,
        "s64" => Type::S64,
        "f16" => Type::F16,
        "f16x2" => Type::F16x2,
        "bf16" => Type::BF16,
        "bf16x2" => Type::BF16x2,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "pred" => Type::Pred,
        "texref" => Type::TexRef,
        "samplerref" => Type::SamplerRef,
        "surfref" => Type::SurfRef,
        _ => return None,
    })
}

/// Bytes of one element in memory; nothing for a predicate, which lives in registers only.
pub(super) fn bytes_of(ty: Type) -> Option<u32> {
    Some(match ty {
        Type::B8 | Type::U8 | Type::S8 => 1,
        Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::BF16 => 2,
        Type::B32 | Type::U32 | Type::S32 | Type::F16x2 | Type::BF16x2 | Type::F32 => 4,
        // Opaque references are 64-bit handles.
        Type::B64 | Type::U64 | Type::S64 | Type::F64 | Type::TexRef | Type::SamplerRef | Type::SurfRef => 8,
        Type::B128 => 16,
        Type::Pred => return None,
    })
}

/// The state space that `.word` names.
pub(super) fn space(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "const" => Space::Const,
        "shared" => Space::Shared,
        "local" => Space::Local,
        "param" => Space::Param,
        _ => return None,
    })
}
