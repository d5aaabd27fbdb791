//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part, Signs};

const COUNT: Idea = Idea {
    rung: 1,
    name: "the histogram of lab 2",
    lacks: |signs| signs.global_atomics > 0.1,
    eases: &[Part::Atomics],
    idea: "count in shared memory, with many pixels per block: use a good histogram of lab 2",
    sketch: "Each pixel that takes an atomic on global memory waits for all others of its level. The kernel of lab 2 with counters per block \
             and a grid-stride loop makes the first pass a small part of the time.",
    code: "
__shared__ uint32_t counts[256];
// zero, __syncthreads(), count in a grid-stride loop, __syncthreads(), add to the bins
",
};

/// For a kernel that counts in shared memory, in blocks of few pixels.
const MANY: Idea = Idea {
    name: "many pixels per block",
    lacks: |signs| signs.global_atomics > 0.1 && signs.shared_atomics > 0.5,
    idea: "give each block of the histogram many pixels, in a grid-stride loop: it counts in shared memory already, but then adds 256 counters for as few \
           pixels as a block has threads",
    sketch: "At its end, each block adds its 256 counters to the bins with global atomics, however few pixels it has counted. Launch one to eight blocks per multiprocessor \
             for any size of image (`checker device` says how many there are; a program asks for `cudaDevAttrMultiProcessorCount`), and \
             let each thread go on by as many pixels as the whole grid has threads.",
    code: "
const int step = gridDim.x * blockDim.x;
for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += step) {
    // count pixel i
}
",
    ..COUNT
};

const FOUR: Idea = Idea {
    rung: 3,
    name: "four pixels per thread",
    lacks: |signs| signs.access_bytes < 2.0,
    eases: &[Part::Instructions, Part::Requests, Part::Waiting],
    idea: "let each thread load and store four pixels at once, as a uint32_t, in each kernel that still goes byte by byte",
    sketch: "One word in, one word out: take the four bytes apart with shifts, look up or compute each, put them together again. The last one to \
             three pixels go one by one.",
    code: "
const uint32_t four = reinterpret_cast<const uint32_t*>(in)[i];
uint32_t result = 0;
for (int k = 0; k < 4; ++k) result |= new_level(four >> 8 * k & 0xff) << 8 * k;
reinterpret_cast<uint32_t*>(out)[i] = result;
",
};

const GRID: Idea = Idea {
    name: "a grid for four pixels per thread",
    lacks: |signs| signs.access_bytes > 2.5 && signs.pixels_per_thread < 1.5,
    eases: &[Part::Launches, Part::Waiting],
    idea: "launch a quarter of the blocks: each thread takes four pixels, and the grid still has a thread for each pixel",
    sketch: "Of four threads, three have nothing to do, and starting their blocks takes time. Divide the pixels by four before you divide by the block.",
    code: "
const int blocks = ceil_div(ceil_div(pixels, 4), block_size);
",
    ..FOUR
};

const MIN_MAX: Idea = Idea {
    rung: 4,
    name: "minimum and maximum in place of branches",
    lacks: |signs| signs.divisions > 0.5,
    eases: &[Part::Instructions, Part::Waiting],
    idea: "compute the factor once instead of dividing for every pixel, and clamp with min and max instead of branches",
    sketch: "All pixels are divided by the same number. Divide once, and multiply each pixel; then clamp: `min(max(x, 0), 255)` takes two instructions, and \
             no lane waits for another's branch. Or make a table of the 256 results first.",
    code: "
const float factor = 255.0f / (high - low);  // once; if both are equal, copy instead
const int stretched = min(max(static_cast<int>((level - low) * factor + 0.5f), 0), 255);
",
};

const SCAN: Idea = Idea {
    rung: 5,
    name: "the table made on the GPU",
    lacks: |signs| signs.downloads > 0.5,
    eases: &[Part::Copies, Part::Launches],
    idea: "make the table of 256 new levels on the GPU, in one block, so that nothing waits for the host between the two passes",
    sketch: "A third kernel of one block, with a thread for each level, stands between the passes. For the CDF use a scan in shared memory: in step s each \
             thread adds the sum of the thread 2^s places before it; a barrier after the reads, and one after the writes. The lowest level that occurs is \
             the one whose sum is its own count and not 0: its thread stores min for all.",
    code: "
const uint32_t count = sums[level];
for (int distance = 1; distance < 256; distance *= 2) {
    const uint32_t before = level >= distance ? sums[level - distance] : 0;
    __syncthreads();  // all have read
    sums[level] += before;
    __syncthreads();  // all have written
}
// one thread: `lowest` is in shared memory
if (count > 0 && sums[level] == count) lowest = count;
__syncthreads();  // all can read it
",
};

const RANGE: Idea = Idea {
    name: "the range found on the GPU",
    idea: "find the lowest and the highest level on the GPU, so that nothing waits for the host between the two passes",
    sketch: "The kernel that maps needs two numbers, and no CDF: each of its blocks looks through the 256 counts, or a kernel of one block between the passes does, \
             with a thread for each level. `atomicMin` and `atomicMax` on shared memory join what the threads find.",
    code: "
__shared__ int low, high;
if (threadIdx.x == 0) low = 255, high = 0;
__syncthreads();
for (int v = threadIdx.x; v < 256; v += blockDim.x)
    if (counts[v] >= threshold) atomicMin(&low, v), atomicMax(&high, v);
__syncthreads();
",
    ..SCAN
};

const SHARED: Idea = Idea {
    rung: 8,
    name: "the table in shared memory",
    lacks: |signs: &Signs| signs.shared_accesses < 0.5 || signs.constant_words > 2.0,
    eases: &[Part::Instructions, Part::Requests, Part::Waiting],
    idea: "keep a table of the 256 new levels in shared memory, filled at the start of each block, look up there, and let a block do many pixels",
    sketch: "Constant memory serves one address at a time, and the cache a few; 32 banks of shared memory serve 32 addresses at once. The copy pays off if a \
             block has many pixels: a grid-stride loop, as for counting.",
    code: "
__shared__ uint8_t of_block[256];
// new_level(v): the table's entry in global memory, or computed here
for (int v = threadIdx.x; v < 256; v += blockDim.x) of_block[v] = new_level(v);
__syncthreads();  // of_block is complete
",
};

const SIXTEEN: Idea = Idea {
    rung: 9,
    name: "sixteen pixels per load",
    // Below 8 if one of two kernels still takes four; ends of rows and tables are single bytes.
    lacks: |signs| signs.access_bytes < 8.5,
    eases: &[Part::Instructions, Part::Requests, Part::Waiting],
    idea: "load and store sixteen pixels at once, as a uint4, in each kernel that does not yet",
    sketch: "The four words of a uint4 go through the code for four pixels. Launch as many blocks as the GPU holds at once.",
    code: "
uint4 sixteen = reinterpret_cast<const uint4*>(in)[i];
sixteen.x = mapped(sixteen.x);  // y, z, w: `mapped` maps the four bytes of a word
reinterpret_cast<uint4*>(out)[i] = sixteen;
",
};

const LANE: Idea = Idea {
    rung: 10,
    name: "counters and a table per lane",
    // Below that, the larger counters cost more than they save.
    lacks: |signs| signs.atomic_passes > 1.5,
    eases: &[Part::Atomics, Part::SharedMemory],
    idea: "give each lane its own counters and its own copy of the table, interleaved so that it always works in its own bank",
    sketch: "counts[level][lane] and table[level][lane] lie in bank `lane`: no two lanes meet, on any image. 32 KiB per block: large blocks, filled once.",
    code: "
__shared__ uint32_t counts[256][32];
atomicAdd(&counts[level][threadIdx.x % 32], 1u);
",
};

const LAST: Idea = Idea {
    rung: 11,
    name: "fewer operations",
    lacks: |signs| signs.operations > 2.5,
    eases: &[Part::Copies, Part::Launches],
    idea: "let the last block that finishes counting make the table and clear the bins: two launches in place of four operations",
    sketch: "Each block adds its counts, then `__threadfence()`, then one thread adds 1 to a counter of finished blocks. Whoever gets the last number knows \
             that all counts are there.",
    code: "
__device__ uint32_t bins[256], finished;  // outside all functions; 0 before the first call

__shared__ bool last;  // in the kernel, after the counts
__threadfence();
__syncthreads();
if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
__syncthreads();
if (last) { /* make the table, reset the bins and finished */ }
",
};

const ONE: Idea = Idea {
    rung: 14,
    name: "one cooperative launch",
    // A large step, after all others.
    lacks: |signs| signs.launches > 1.5 && signs.operations < 2.5,
    eases: &[Part::Bytes, Part::Launches],
    idea: "keep pixels on the chip between the passes, in one cooperative launch whose blocks wait for each other",
    sketch: "`cudaLaunchCooperativeKernel` with one block per multiprocessor, and `grid.sync()` between counting and mapping. A block maps the pixels that it \
             counted from registers and shared memory; only the rest is read again, the last first.",
    code: "
#include <cooperative_groups.h>
cooperative_groups::this_grid().sync();  // all blocks have counted
",
};

/// Of the contrast stretch.
pub const STRETCH: &[Idea] = &[MANY, COUNT, FOUR, GRID, MIN_MAX, RANGE, SHARED, SIXTEEN, LANE, LAST, ONE];

/// Of the equalization, whose pixels need no division.
pub const EQUALIZE: &[Idea] = &[MANY, COUNT, FOUR, GRID, SCAN, SHARED, SIXTEEN, LANE, LAST, ONE];
