//! Faults of textures and surfaces put into words.

use super::{Words, count_bytes, verb};
use crate::exec::AccessKind;
use crate::finding::Kind;
use crate::image::Problem;

/// A handle that stands for nothing of its kind.
pub(super) fn bad_object(surface: bool, problem: Problem) -> Words {
    let (what, other, create, destroy) = if surface {
        ("surface", "texture", "cudaCreateSurfaceObject", "cudaDestroySurfaceObject")
    } else {
        ("texture", "surface", "cudaCreateTextureObject", "cudaDestroyTextureObject")
    };
    let (message, hint) = match problem {
        Problem::Unknown => (
            format!("uses a {what} object that was never created"),
            format!("create it with `{create}`, check what that returns, and pass the object to the kernel"),
        ),
        Problem::Destroyed => (
            format!("uses a {what} object that has been destroyed"),
            format!("call `{destroy}` only after the last kernel that uses it"),
        ),
        Problem::OtherKind => (
            format!("uses a {other} object as a {what}"),
            format!("a {what} object comes from `{create}`: were two arguments swapped?"),
        ),
    };
    Words::new("W0109", Kind::Memory, message, hint)
}

/// A texture read as another type than it has; `float`: it gives floating-point numbers.
pub(super) fn texture_type(float: bool) -> Words {
    let (message, hint) = if float {
        (
            "reads whole numbers from a texture that gives floating-point ones",
            "read it with `tex2D<float>` (or `float2`, `float4`); for the whole numbers of an integer texture set \
             `readMode` to `cudaReadModeElementType`",
        )
    } else {
        (
            "reads floating-point numbers from a texture that holds whole ones",
            "read it with `tex2D<unsigned char>` or whatever type its pixels have; or set `readMode` to \
             `cudaReadModeNormalizedFloat`, which makes fractions from 0 to 1 of 8- and 16-bit numbers",
        )
    };
    Words::new("W0110", Kind::Memory, message, hint)
}

/// A surface access outside: place, bytes, and the surface's bytes a row and rows.
pub(super) fn surface_outside(
    [x, y]: [i64; 2],
    bytes: u64,
    [row, rows]: [u64; 2],
    kind: AccessKind,
) -> Words {
    let verb = verb(kind);
    let message = if (0..rows as i64).contains(&y) {
        format!("{verb} {} at byte {x} of a row of a surface whose rows have {row}", count_bytes(bytes))
    } else {
        format!("{verb} row {y} of a surface of {rows} row{}", if rows == 1 { "" } else { "s" })
    };
    Words::new(
        "W0111",
        Kind::Memory,
        message,
        "x counts bytes and not pixels (`x * sizeof(pixel)`), y counts rows; guard the access with \
         `if (x < width && y < height)`",
    )
}
