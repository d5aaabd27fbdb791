//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part};

/// Bytes of shared memory of a block that hold a histogram for each lane.
const PER_LANE: f64 = 32.0 * 1024.0;

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
        sketch: "With a thousand pixels per block, adding up 256 counters costs as much as counting. Launch one to eight blocks per \
                 multiprocessor for any size of image, and let each thread go on by as many pixels as the whole grid has threads (a \
                 grid-stride loop), so that the loads of a warp stay side by side. Stop there: with fewer blocks than \
                 multiprocessors, some of them do nothing.",
        code: "
const int step = gridDim.x * blockDim.x;
for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += step) {
    // count pixel i
}
// in the host function:
int device = 0, multiprocessors = 0;
cudaGetDevice(&device);
cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
const int blocks = min(ceil_div(pixels, block_size), 8 * multiprocessors);
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
// task 1; in task 2 three uint4 of `rgb` are sixteen pixels, and `gray` is the output
const uint4 sixteen = reinterpret_cast<const uint4*>(gray)[i];  // i counts groups of sixteen
const uint32_t words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
#pragma unroll
for (int w = 0; w < 4; ++w)
    for (int s = 0; s < 32; s += 8) atomicAdd(&counts[words[w] >> s & 0xff], 1u);
",
    },
    Idea {
        rung: 14,
        name: "a histogram per lane",
        lacks: |signs| {
            signs.shared_accesses > 1.5 || (signs.shared_bytes < PER_LANE && signs.atomic_passes > 1.15)
        },
        eases: &[Part::Atomics, Part::Instructions, Part::SharedMemory],
        idea: "let fewer threads share a counter: 32 histograms per block, one for each lane number, interleaved so that each lane works in \
               its own bank",
        sketch: "counts[level][lane] lies in bank `lane`, whatever the level: the lanes of a warp never meet, on any image. That is 32 KiB per \
                 block, so use large blocks (1,024 threads), one per multiprocessor, and stop there. At the end four threads add up the 32 \
                 counters of a level, so that eight lanes of a warp add to `bins` at once: one level per warp costs one atomic for \
                 each, one after the other. Each of them begins at another bank. Issue the loads of two vectors before the first of \
                 them is counted: two loads in flight per thread.",
        code: "
__shared__ uint32_t counts[256][32];
const int t = threadIdx.x, lane = t % 32;  // 1,024 threads
// count: atomicAdd(&counts[level][lane], 1u);
// at the end, thread t adds up a quarter of the counters of level t / 4
uint32_t sum = 0;
for (int k = 0; k < 8; ++k) sum += counts[t / 4][t % 4 * 8 + (k + t / 4) % 8];
sum += __shfl_xor_sync(0xffffffff, sum, 1);
sum += __shfl_xor_sync(0xffffffff, sum, 2);  // of the four quarters
if (t % 4 == 0) atomicAdd(&bins[t / 4], sum);
",
    },
    Idea {
        rung: 14,
        name: "a bank for each lane",
        lacks: |signs| signs.shared_bytes >= PER_LANE && signs.atomic_passes > 1.15,
        eases: &[Part::Atomics, Part::SharedMemory],
        idea: "lay the copies of the histogram out so that the atomics of a warp hit 32 banks: `counts[256][32]`, lane number last and \
               without padding",
        sketch: "Word n of shared memory lies in bank n % 32. `counts[level][lane]` of a `counts[256][32]` is word 32 * level + lane, in bank \
                 `lane` for every level. With rows of 33 words, or with the level last, the bank depends on the level, and lanes meet. If \
                 only the sum at the end has bank conflicts, let each thread begin at another bank there, and keep the layout.",
        code: "
__shared__ uint32_t counts[256][32];
// count: atomicAdd(&counts[level][threadIdx.x % 32], 1u);
",
    },
];
