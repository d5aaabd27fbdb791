//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part};

/// Dot products per pixel from which on a kernel uses them: two per pixel and row loaded.
const DOT_PRODUCTS: f64 = 1.0;

/// Of its task.
pub const IDEAS: &[Idea] = &[
    Idea {
        rung: 2,
        name: "a tile in shared memory",
        // Without a division per pixel, the loads from the cache cost less than the copy.
        lacks: |signs| signs.loads > 7.0 && signs.divisions > 0.5,
        eases: &[Part::Instructions, Part::Requests, Part::Waiting],
        idea: "copy 32 x 32 pixels and a halo of one pixel to shared memory once per block, and let each thread compute four pixels of a column from there",
        sketch: "A tile of 32 x 32 pixels needs 34 x 34: the 32 x 8 threads of the block copy them in a loop, and clamp rows and columns only there. After a \
                 barrier, all neighbours of a pixel are at fixed distances in the tile. With one pixel per thread, the copy would cost more than it saves.",
        code: "
__shared__ uint8_t tile[34][34];
for (int i = thread; i < 34 * 34; i += 256) tile[i / 34][i % 34] = /* clamped */;
__syncthreads();  // tile and halo are there
for (int y = threadIdx.y; y < 32; y += 8) { /* column x, row y of the tile */ }
",
    },
    Idea {
        rung: 3,
        name: "a window that slides down",
        lacks: |signs| signs.loads + signs.shared_accesses > 4.0,
        eases: &[Part::Instructions, Part::SharedMemory, Part::Waiting],
        idea: "let each thread go down a column and keep two numbers of each of the last three rows in registers: right - left, and left + 2 middle + right",
        sketch: "gx is a sum of three differences, gy the difference of two sums: a new row is loaded and combined once and serves three results. Unroll by three, so \
                 that the numbers stay in registers. Give a thread some tens of rows; clamp the columns before the loop.",
        code: "
d0 = d1, d1 = d2, d2 = line[right] - line[left];
s0 = s1, s1 = s2, s2 = line[left] + 2 * line[x] + line[right];
const int gx = d0 + 2 * d1 + d2, gy = s2 - s0;
",
    },
    Idea {
        rung: 4,
        name: "four pixels per thread",
        lacks: |signs| signs.loads > 1.2,
        eases: &[Part::Instructions, Part::Requests, Part::Waiting],
        idea: "let each thread go down four neighbouring columns, and load their six bytes of a row as words",
        sketch: "Rows can begin at any byte: load the aligned words around the six bytes and extract them with `__funnelshift_r`. Store a word where the results make \
                 one. Leave the columns at the sides of the image to other blocks of the same grid, so that no load leaves its row.",
        code: "
const uint32_t word = __funnelshift_r(source[0], source[1], 8 * (offset % 4));
",
    },
    Idea {
        rung: 5,
        name: "dot products",
        // The shuffles of whole words take more instructions than the dot products save.
        lacks: |signs| {
            signs.instructions > 24.0 && signs.shuffles < 0.05 && signs.dot_products < DOT_PRODUCTS
        },
        eases: &[Part::Instructions],
        idea: "let one `__dp4a` make the difference of a row and another one its sum; both operands are signed, so use pixel ^ 128, which is the pixel minus 128",
        sketch: "The weights are -1 0 1 0 and 1 2 1 0, as the bytes of a word. The 128 cancels, because the weights of gx, and those of gy, add up to 0. `__sad(a, b, \
                 sum)` adds |a - b| to a sum.",
        code: "
const int window = __funnelshift_r(words[0], words[1], 8 * pixel) ^ 0x80808080;
const int difference = __dp4a(window, 0x000100ff, 0);
",
    },
    Idea {
        rung: 6,
        name: "whole words stored",
        lacks: |signs| signs.shuffles < 0.05,
        eases: &[Part::Bytes],
        idea: "store whole words in every row: get the results of the next lane by a shuffle, and shift both to the next aligned word",
        sketch: "All lanes of a warp are equally far from an aligned word. The last lane has no next one, so let the next warp begin with its columns again.",
        code: "
const uint32_t next = __shfl_down_sync(~0u, own, 1);
const uint32_t word = __funnelshift_r(own, next, 8 * skipped);
",
    },
];

#[cfg(test)]
mod tests {
    use lab::{Signs, next_idea};

    use super::*;

    fn told(signs: &Signs, shares: &[(Part, f64)]) -> Option<u32> {
        let mut signs = *signs;
        for (part, share) in shares {
            signs.time[*part as usize] = *share;
        }
        next_idea(IDEAS, &signs).map(|idea| idea.rung)
    }

    #[test]
    fn a_tile_is_for_kernels_that_divide_and_dot_products_are_told_once() {
        let plain = Signs { loads: 8.0, instructions: 50.0, ..Signs::default() };
        let waits = [(Part::Waiting, 0.57), (Part::Instructions, 0.34)];
        assert_eq!(told(&plain, &waits), Some(3));
        assert_eq!(told(&Signs { divisions: 1.0, ..plain }, &waits), Some(2));
        let words = Signs { loads: 0.8, instructions: 28.0, ..Signs::default() };
        let issues = [(Part::Instructions, 0.62), (Part::Bytes, 0.24)];
        assert_eq!(told(&words, &issues), Some(5));
        assert_eq!(told(&Signs { dot_products: 2.25, ..words }, &issues), None);
        assert_eq!(told(&Signs { dot_products: 2.25, ..words }, &[(Part::Bytes, 0.5)]), Some(6));
    }
}
