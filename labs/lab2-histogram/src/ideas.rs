//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part};

/// Of both tasks.
pub const IDEAS: &[Idea] = &[
    Idea {
        rung: 7,
        name: "a histogram per block",
        lacks: |signs| signs.shared_atomics + signs.shared_accesses < 0.5 || signs.local_accesses > 0.5,
        eases: &[Part::Atomics, Part::Bytes],
        idea: "count in shared memory: each block has 256 counters of its own there, and adds them to `bins` once, at its end",
        sketch: "Three phases with `__syncthreads()` between them: zero the 256 counters, count the block's pixels with atomics on shared \
                 memory, add the counters to `bins`. No thread may return before the last phase. The updates of one block meet only \
                 each other, and shared memory is inside the multiprocessor.",
        code: "
__shared__ uint32_t counts[256];
for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
__syncthreads();  // all counters are zero
// count: atomicAdd(&counts[level], 1u);
__syncthreads();  // all pixels are counted
for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
",
    },
    Idea {
        rung: 9,
        name: "many pixels per block",
        lacks: |signs| signs.pixels_per_thread < 8.0,
        eases: &[Part::Atomics, Part::Launches],
        idea: "give each block many pixels, in a loop: the 256 additions to `bins` at its end then cost little",
        sketch: "With a thousand pixels per block, adding up 256 counters costs as much as counting. Launch a few hundred blocks for any \
                 size of image, and let each thread go on by as many pixels as the whole grid has threads (a grid-stride loop), so \
                 that the loads of a warp stay side by side.",
        code: "
const int step = gridDim.x * blockDim.x;
for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += step) {
    // count the four pixels of word i
}
// host: const int blocks = min(ceil_div(quads, block_size), 8 * multiprocessors);
",
    },
    Idea {
        rung: 11,
        name: "sixteen pixels per load",
        lacks: |signs| signs.access_bytes < 10.0,
        eases: &[Part::Instructions, Part::Requests, Part::Waiting],
        idea: "load sixteen pixels at once, as a uint4: more bytes in flight from fewer instructions",
        sketch: "A uint4 has four words of four pixels each. The last pixels, fewer than sixteen, are counted one by one. For the colour \
                 image, three uint4 are sixteen pixels, and their gray levels one uint4 to store.",
        code: "
const uint4 pixels = reinterpret_cast<const uint4*>(gray)[i];
count_quad(counts, pixels.x);
count_quad(counts, pixels.y);
count_quad(counts, pixels.z);
count_quad(counts, pixels.w);
",
    },
    Idea {
        rung: 14,
        name: "a histogram per lane",
        lacks: |signs| signs.atomic_passes > 1.15 || signs.shared_accesses > 1.5,
        eases: &[Part::Atomics, Part::Instructions, Part::SharedMemory],
        idea: "let fewer threads share a counter: 32 histograms per block, one for each lane number, interleaved so that each lane works in \
               its own bank",
        sketch: "counts[level][lane] lies in bank `lane`, whatever the level: the lanes of a warp never meet, on any image. That is 32 KiB per \
                 block, so use large blocks (1,024 threads), one per multiprocessor. At the end four threads add up the 32 counters of a \
                 level, so that eight lanes of a warp add to `bins` at once: one level per warp costs one atomic for each, one \
                 after the other. Load the next vectors before this one is counted.",
        code: "
__shared__ uint32_t counts[256][32];
atomicAdd(&counts[level][threadIdx.x % 32], 1u);
// at the end: thread t takes a quarter of the counters of level t / 4
sum += __shfl_xor_sync(0xffffffff, sum, 1);
sum += __shfl_xor_sync(0xffffffff, sum, 2);  // of the four quarters
if (t % 4 == 0) atomicAdd(&bins[t / 4], sum);
",
    },
];
