//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part};

/// Of both tasks.
pub const IDEAS: &[Idea] = &[
    Idea {
        rung: 1,
        name: "neighbouring threads take neighbouring pixels",
        lacks: |signs| signs.scattered > 8.0,
        eases: &[Part::Bytes, Part::Requests, Part::Waiting],
        idea: "let neighbouring threads (threadIdx.x) take neighbouring pixels, so that a warp's bytes lie side by side",
        sketch: "A warp's 32 loads are fetched as sectors of 32 bytes. If thread t + 1 takes the pixel to the right of thread t's, one \
                 sector serves many threads; if it takes the pixel below, each thread needs a sector of its own.",
        code: "
const int i = blockIdx.x * blockDim.x + threadIdx.x;  // x, not y, is the fastest index
if (i < pixels) { /* bytes 3 * i, 3 * i + 1, 3 * i + 2 */ }
",
    },
    Idea {
        rung: 4,
        name: "four pixels per thread",
        lacks: |signs| signs.access_bytes < 3.0,
        eases: &[Part::Launches, Part::Requests, Part::Waiting],
        idea: "let a thread take four pixels, so that it loads and stores whole words (uint32_t) instead of bytes",
        sketch: "Four interleaved pixels are 12 bytes: three words, R G B R | G B R G | B R G B. Take the bytes out with shifts, and put \
                 the four gray bytes into one word. A quarter of the threads is enough; the last one to three pixels of the image \
                 need the old way, pixel by pixel. (Planar: one word of each plane; a plane may begin inside a word.)",
        code: "
const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * quad;
const uint32_t a = words[0], b = words[1], c = words[2];
const uint32_t first = gray_of(a & 0xff, a >> 8 & 0xff, a >> 16 & 0xff);
// ... second: a >> 24, b & 0xff, b >> 8 & 0xff ...
reinterpret_cast<uint32_t*>(gray)[quad] = first | second << 8 | third << 16 | fourth << 24;
",
    },
    Idea {
        rung: 6,
        name: "sixteen pixels per thread",
        lacks: |signs| signs.access_bytes < 10.0,
        eases: &[Part::Requests, Part::Waiting],
        idea: "load and store 16 bytes at a time (uint4), sixteen pixels per thread",
        sketch: "The widest access of a thread is 16 bytes. Three vectors in, one vector out: x, y, z and w of each are four words, \
                 to which the code for four pixels applies. Load all three vectors before the first is used. The pixels after the last \
                 whole group of sixteen are left to some threads, one by one.",
        code: "
const uint4* in = reinterpret_cast<const uint4*>(rgb) + 3 * group;
const uint4 a = in[0], b = in[1], c = in[2];
uint4 out;
out.x = gray_quad(a.x, a.y, a.z);
out.y = gray_quad(a.w, b.x, b.y);  // and so on
reinterpret_cast<uint4*>(gray)[group] = out;
",
    },
    Idea {
        rung: 7,
        name: "byte dot products",
        lacks: |signs| signs.conversions > 0.5,
        eases: &[Part::Instructions],
        idea: "compute with integers instead of float: weights in hundredths, and all three products of a pixel in one instruction (`__dp4a`)",
        sketch: "A conversion from byte to float takes as long as four additions, and each pixel needs three. `__dp4a(a, b, c)` adds the four \
                 products of the bytes of a and b to c: one word with R G B 0 and one with the weights 30 59 11 0 give the sum, and a \
                 multiplication in place of the division by 100 leaves the level in a high byte.",
        code: "
constexpr uint32_t weights = 30 | 59 << 8 | 11 << 16;
const uint32_t sum = __dp4a(pixel, weights, 50u);  // 30 R + 59 G + 11 B + 50
const uint32_t level = sum / 100;                  // by a constant: a multiplication
",
    },
    Idea {
        rung: 8,
        name: "each byte loaded once",
        lacks: |signs| signs.scattered > 1.3,
        eases: &[Part::Bytes, Part::Requests],
        idea: "let the lanes of a warp share their loads: consecutive lanes load consecutive vectors into shared memory, where each finds its own",
        sketch: "A thread's three vectors lie side by side, so each load of a warp skips two thirds of the bytes it touches. Load as if \
                 there were no pixels, lane by lane, vector by vector; then `__syncwarp()`, and each lane reads its three vectors from \
                 shared memory.",
        code: "
__shared__ uint4 staged[warps][3 * 32];
for (int k = 0; k < 3; ++k) staged[warp][32 * k + lane] = in[first + 32 * k + lane];
__syncwarp();
const uint4* own = &staged[warp][3 * lane];  // own[0], own[1], own[2]
",
    },
];
