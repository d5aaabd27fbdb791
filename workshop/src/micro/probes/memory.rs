//! Loads: the pipe from the L1, constant memory, textures and surfaces.

use super::super::picture::Picture;
use super::{ALONE, Figure, MEBI, Probe, shared};

/// Loads in turn of constant memory: the number of words that lanes ask for, and of which tables.
pub(super) fn constants() -> Vec<Probe> {
    let scattered = |name, distinct: u32, bits: u32, three: u32| Probe {
        rounds: [50, 250],
        ..shared(name, "constant_scattered", distinct | bits << 8 | three << 16)
    };
    let chase = |name, kernel, words| Probe {
        name,
        kernel,
        parameter: words,
        rounds: [200, 1000],
        figure: Figure::Latency(16.0),
        ..ALONE
    };
    vec![
        shared("constant load of 1 word", "constant_loads", 1),
        shared("constant load of 2 words", "constant_loads", 2),
        shared("constant load of 8 words", "constant_loads", 8),
        shared("constant load of 32 words", "constant_loads", 32),
        scattered("constant load of 1 word of 1 KiB", 1, 8, 0),
        scattered("constant load of 2 words of 1 KiB", 2, 8, 0),
        scattered("constant load of 4 words of 1 KiB", 4, 8, 0),
        scattered("constant load of 8 words of 1 KiB", 8, 8, 0),
        scattered("constant load of 16 words of 1 KiB", 16, 8, 0),
        scattered("constant load of 32 words of 1 KiB", 32, 8, 0),
        scattered("constant load of 32 words of 2 KiB", 32, 9, 0),
        scattered("constant load of 1 word of three tables of 1 KiB", 1, 8, 1),
        scattered("constant load of 8 words of three tables of 1 KiB", 8, 8, 1),
        scattered("constant load of 32 words of three tables of 1 KiB", 32, 8, 1),
        scattered("constant load of 1 word of 4 KiB", 1, 10, 0),
        scattered("constant load of 8 words of 4 KiB", 8, 10, 0),
        scattered("constant load of 32 words of 4 KiB", 32, 10, 0),
        scattered("constant load of 1 word of 8 KiB", 1, 11, 0),
        scattered("constant load of 8 words of 8 KiB", 8, 11, 0),
        scattered("constant load of 32 words of 8 KiB", 32, 11, 0),
        scattered("constant load of 1 word of 32 KiB", 1, 13, 0),
        scattered("constant load of 8 words of 32 KiB", 8, 13, 0),
        scattered("constant load of 32 words of 32 KiB", 32, 13, 0),
        chase("latency of constant memory", "constant_chase", 3),
        chase("latency of constant memory, addition and mask, 1 KiB", "constant_walk", 17 << 16 | 256),
        chase("latency of constant memory, addition and mask, 4 KiB", "constant_walk", 17 << 16 | 1024),
        chase("latency of constant memory, addition and mask, 32 KiB", "constant_walk", 17 << 16 | 8192),
        chase("the same, each word in turn", "constant_walk", 1 << 16 | 8192),
    ]
}

pub(super) fn textures() -> Vec<Probe> {
    let of = |name, kernel, picture, row| Probe { picture: Some(picture), ..shared(name, kernel, row) };
    let line = |name, quarters| Probe { words: 4096, ..of(name, "texture_line", Picture::Line, quarters) };
    let chase = |name, words, step: u32| Probe {
        name,
        kernel: "texture_chase",
        words,
        parameter: step,
        linked: Some(step),
        picture: Some(Picture::Line),
        ..ALONE
    };
    let alone = |name, kernel, picture| Probe {
        name,
        kernel,
        rounds: [200, 1000],
        figure: Figure::Latency(16.0),
        picture: Some(picture),
        ..ALONE
    };
    vec![
        of("tex2D of bytes, lanes in a row", "texture_bytes", Picture::Bytes, 32),
        of("tex2D of bytes, lanes in 2 rows", "texture_bytes", Picture::Bytes, 16),
        of("tex2D of bytes, lanes in 4 rows", "texture_bytes", Picture::Bytes, 8),
        of("tex2D of bytes, lanes scattered", "texture_bytes", Picture::Bytes, 0),
        of("tex2D of words, lanes in a row", "texture_words", Picture::Words, 32),
        of("tex2D of words, lanes in 4 rows", "texture_words", Picture::Words, 8),
        of("tex2D of words, lanes scattered", "texture_words", Picture::Words, 0),
        of("tex2D of uchar4, lanes in a row", "texture_fours", Picture::Fours, 32),
        of("tex2D of uchar4, lanes scattered", "texture_fours", Picture::Fours, 0),
        of("tex2D of bytes as fractions, filtered", "texture_floats", Picture::Filtered, 32),
        line("tex1Dfetch of 8 words, 4 lanes each", 1),
        line("tex1Dfetch of 24 words by 32 lanes", 3),
        line("tex1Dfetch of 32 words side by side", 4),
        line("tex1Dfetch of 32 words 2 apart", 8),
        line("tex1Dfetch of 32 words 4 apart", 16),
        line("tex1Dfetch of 32 words 8 apart", 32),
        line("tex1Dfetch of 32 words 9 apart", 36),
        line("tex1Dfetch of 32 words 16 apart", 64),
        line("tex1Dfetch of 32 words 32 apart", 128),
        line("tex1Dfetch of 32 words 33 apart", 132),
        line("tex1Dfetch of 32 words 68 apart", 272),
        line("tex1Dfetch of 32 words scattered", 0),
        of("surf2Dread of bytes, lanes in a row", "surface_bytes", Picture::SurfaceOfBytes, 32),
        of("surf2Dread of bytes, lanes scattered", "surface_bytes", Picture::SurfaceOfBytes, 0),
        of("surf2Dread of words, lanes in a row", "surface_words", Picture::SurfaceOfWords, 32),
        of("surf2Dread of words, lanes scattered", "surface_words", Picture::SurfaceOfWords, 0),
        chase("latency of tex1Dfetch from the L1", 2048, 33),
        chase("latency of tex1Dfetch from the L2, 1 MiB", MEBI / 4, 1031),
        alone("latency of tex2D from the L1", "picture_texture_chase", Picture::Floats),
        alone("latency of surf2Dread from the L1", "picture_surface_chase", Picture::SurfaceOfWords),
    ]
}

pub(super) fn memory_pipe() -> Vec<Probe> {
    let near = |name, stride| Probe { words: 4096, ..shared(name, "near_loads", stride) };
    // By 32 threads on the whole GPU.
    let alone = |name, stride| Probe {
        name,
        kernel: "near_loads",
        words: 4096,
        parameter: stride,
        rounds: [200, 1000],
        figure: Figure::Latency(16.0),
        ..ALONE
    };
    let own = |name, kernel| Probe {
        name,
        kernel,
        parameter: 512,
        rounds: [200, 1000],
        figure: Figure::Latency(16.0),
        ..ALONE
    };
    let behind = |name, kernel, apart| Probe { words: MEBI, parameter: apart, ..own(name, kernel) };
    vec![
        near("load of 32 words side by side, in the L1", 1),
        near("load of 32 words 2 apart, in the L1", 2),
        near("load of 32 words 8 apart, in the L1", 8),
        near("load of 32 words 32 apart, in the L1", 32),
        alone("load of 32 words side by side by a warp alone, in the L1", 1),
        alone("load of 32 words 32 apart by a warp alone, in the L1", 32),
        alone("load of 32 words 33 apart by a warp alone, in the L1", 33),
        near("load of 32 words 33 apart, in the L1", 33),
        Probe {
            figure: Figure::CyclesPerWarp(1.0),
            ..shared("read, add, write in an array of one's own", "own_array", 3)
        },
        own("latency of an array of one's own", "own_chase"),
        own("latency of a byte in the L1", "byte_chase"),
        own("latency of a byte in the L1, row * width + column", "picture_chase"),
        behind("latency of 32 bytes 4 apart in the L1", "chase_rows", 1),
        behind("latency of 32 bytes 4 apart behind a store of as many", "chase_rows_behind_stores", 1),
        behind("latency of 32 bytes 2 KiB apart in the L1", "chase_rows", 512),
        behind("latency of 32 bytes 2 KiB apart behind a store of as many", "chase_rows_behind_stores", 512),
        behind("fence of the GPU", "fences", 0),
        behind("fence of the GPU behind a store of 32 words side by side", "fences", 1),
        behind("fence of the GPU behind a store of 32 words 32 apart", "fences", 32),
    ]
}
