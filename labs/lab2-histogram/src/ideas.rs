//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part, Signs};

/// Bytes of shared memory of a block that hold a histogram for each lane.
const PER_LANE: f64 = 32.0 * 1024.0;
/// Passes of an atomic from which on its lanes wait for each other.
const MEET: f64 = 1.15;
/// Updates of `bins` per pixel from which on they cost more than reading the pixels.
const MANY_FLUSHES: f64 = 0.01;

/// Whether each pixel is counted in global memory.
fn counts_in_global(signs: &Signs) -> bool {
    signs.global_atomics > 0.9 && signs.shared_atomics < 0.1
}

/// Whether a kernel counts in a histogram for each lane, in which no lanes meet.
fn has_histogram_per_lane(signs: &Signs) -> bool {
    signs.shared_bytes >= PER_LANE && signs.shared_atomics > 0.5 && signs.atomic_passes <= MEET
}

/// Bytes read per pixel from which on each pixel is read many times: 1 or 3 are enough.
const READ_AGAIN: f64 = 16.0;

/// Of both tasks.
pub const IDEAS: &[Idea] = &[
    Idea {
        rung: 7,
        name: "each pixel read once",
        lacks: |signs| signs.loads * signs.access_bytes > READ_AGAIN,
        eases: &[Part::Waiting, Part::Instructions, Part::Requests, Part::Bytes],
        idea: "read each pixel once: give each block a part of the image, and let it count all 256 levels of that part, in shared memory. Now \
               {read_bytes} bytes are read per pixel, because many blocks or threads read the same ones",
        sketch: "A block per level has to look at the whole image. With a part of the image per block, a pixel is read by one thread only, which adds 1 to one of \
                 the block's 256 counters. At the end each block adds its counters to `bins`.",
        code: "
__shared__ uint32_t counts[256];
for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
__syncthreads();  // all counters are zero
const int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
__syncthreads();  // all pixels are counted
for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
",
    },
    Idea {
        rung: 7,
        name: "counting in the block's counters",
        lacks: |signs| counts_in_global(signs) && signs.shared_accesses >= 0.5,
        eases: &[Part::Atomics, Part::Bytes],
        idea: "count in shared memory: the block has counters there already, but each pixel is still added to `bins` itself, in global memory",
        sketch: "Let the atomic of each pixel update the block's counters. Only the last phase adds to `bins`, one sum for each counter.",
        code: "
// for each pixel: atomicAdd(&counts[level], 1u);
__syncthreads();  // all pixels are counted
for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
",
    },
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
        rung: 10,
        name: "many pixels per block",
        lacks: |signs| signs.pixels_per_thread < 8.0 || signs.global_atomics > MANY_FLUSHES,
        eases: &[Part::Atomics, Part::Launches],
        idea: "launch fewer blocks, and give each of them many pixels, in a loop (now {block_pixels}): the 256 additions to `bins` at its end \
               then cost little",
        sketch: "At its end, each block adds its 256 counters to `bins` with global atomics, however few pixels it has counted. Launch one to eight blocks \
                 per multiprocessor for any size of image (`checker device` says how many there are; a program asks for \
                 `cudaDevAttrMultiProcessorCount`), and let each thread go on by as many pixels as the whole grid has threads (a \
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
            let meet = signs.shared_bytes < PER_LANE && signs.atomic_passes > MEET;
            (signs.shared_accesses > 1.5 || meet) && !has_histogram_per_lane(signs)
        },
        eases: &[Part::Atomics, Part::Instructions, Part::SharedMemory],
        idea: "let fewer threads share a counter: 32 histograms per block, one for each lane number, interleaved so that each lane works in \
               its own bank. They take 32 KiB: launch blocks of 1,024 threads, one per multiprocessor",
        sketch: "counts[level][lane] lies in bank `lane`, whatever the level: the lanes of a warp never meet, on any image. That is 32 KiB per \
                 block, so use large blocks (1,024 threads), one per multiprocessor, and stop there. At the end each of 256 threads adds up the \
                 32 counters of one level, and adds the sum to `bins`. The 32 counters of a level lie in 32 banks, and so do the \
                 counters of 32 levels only if each thread begins at another one: thread t reads counter (k + t) % 32 in round k.",
        code: "
__shared__ uint32_t counts[256][32];
const int t = threadIdx.x, lane = t % 32;  // 1,024 threads
// count: atomicAdd(&counts[level][lane], 1u);
// at the end, behind a barrier, thread t adds up the counters of level t
if (t < 256) {
    uint32_t sum = 0;
    for (int k = 0; k < 32; ++k) sum += counts[t][(k + t) % 32];
    atomicAdd(&bins[t], sum);
}
",
    },
    Idea {
        rung: 14,
        name: "a bank for each lane",
        lacks: |signs| signs.shared_bytes >= PER_LANE && signs.atomic_passes > MEET,
        eases: &[Part::Atomics, Part::SharedMemory],
        idea: "lay the copies of the histogram out so that the atomics of a warp hit 32 banks: `counts[256][32]`, lane number last and \
               without padding, `counts[level][threadIdx.x % 32]`",
        sketch: "Word n of shared memory lies in bank n % 32. `counts[level][lane]` of a `counts[256][32]` is word 32 * level + lane, in bank \
                 `lane` for every level. With rows of 33 words, or with the level last, the bank depends on the level, and lanes meet. If \
                 only the sum at the end has bank conflicts, let each thread begin at another bank there, and keep the layout.",
        code: "
__shared__ uint32_t counts[256][32];
// count: atomicAdd(&counts[level][threadIdx.x % 32], 1u);
",
    },
    Idea {
        rung: 14,
        name: "large blocks",
        lacks: |signs| has_histogram_per_lane(signs) && signs.threads_per_block < 1024.0,
        eases: &[Part::Atomics, Part::SharedMemory, Part::Instructions],
        idea: "launch blocks of 1,024 threads, one per multiprocessor: each block zeroes 8,192 counters, adds them up, and adds 256 sums to \
               `bins`, however few threads and pixels it has",
        sketch: "A multiprocessor holds 2,048 threads. With blocks of 256 threads it takes eight histograms of 32 KiB for them, with blocks of 1,024 \
                 threads two; and one block per multiprocessor is enough if each thread has several loads in flight.",
        code: "
constexpr int block_size = 1024;
histogram_kernel<<<multiprocessors, block_size>>>(gray, bins, pixels);
",
    },
];
