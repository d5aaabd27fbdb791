// Moves bytes as fast as the GPU can: reads `reads` words of 16 bytes and writes `writes` words,
// whatever their ratio. There are several kernels because none is the fastest for all ratios and
// sizes, and because a kernel for all of them would need more registers and so have fewer loads in
// flight. `yardstick_shape` chooses.

// One word per thread; loads and stores are marked as used once. The fastest kernel for few stores,
// for more stores than loads, and for few bytes. A smaller grid is correct too.
extern "C" __global__ void yardstick_streaming(const uint4* in, uint4* out, size_t reads,
                                               size_t writes, unsigned int, unsigned int) {
    const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
    const size_t both = reads < writes ? reads : writes;
    uint4 sum = make_uint4(0, 0, 0, 0);

    size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i < both; i += threads) __stcs(out + i, __ldcs(in + i));
    for (; i < reads; i += threads) {
        const uint4 word = __ldcs(in + i);
        sum.x ^= word.x, sum.y ^= word.y, sum.z ^= word.z, sum.w ^= word.w;
    }
    for (; i < writes; i += threads) __stcs(out + i, sum);

    // Practically never true, but the compiler cannot know that: the loads must happen.
    if (sum.x == 0x9e3779b9u && sum.y == 0x7f4a7c15u && sum.z == 0xf39cc060u &&
        sum.w == 0x5ced7e63u)
        out[0] = sum;
}

// Each block has its share of loads and stores, and stores the words that it has read, the first
// word to the first place: both are mixed from beginning to end, and the accesses in flight at any
// time lie close together. All loads of a thread are issued before its first store. Loads are not
// marked: with many stores, that is faster.
template <int words>
__device__ void mix(const uint4* in, uint4* out, size_t reads, size_t writes,
                    unsigned int reads_per_block, unsigned int writes_per_block) {
    const size_t first_read = static_cast<size_t>(blockIdx.x) * reads_per_block;
    const size_t first_write = static_cast<size_t>(blockIdx.x) * writes_per_block;
    uint4 word[words], sum = make_uint4(0, 0, 0, 0);
#pragma unroll
    for (int k = 0; k < words; ++k) {
        const unsigned int i = threadIdx.x + k * blockDim.x;
        word[k] = make_uint4(0, 0, 0, 0);
        if (i < reads_per_block && first_read + i < reads) word[k] = in[first_read + i];
    }
#pragma unroll
    for (int k = 0; k < words; ++k) {
        const unsigned int i = threadIdx.x + k * blockDim.x;
        if (i < writes_per_block && first_write + i < writes) {
            __stcs(out + first_write + i, word[k]);
        } else {
            sum.x ^= word[k].x, sum.y ^= word[k].y, sum.z ^= word[k].z, sum.w ^= word[k].w;
        }
    }
    // As above.
    if (sum.x == 0x9e3779b9u && sum.y == 0x7f4a7c15u && sum.z == 0xf39cc060u &&
        sum.w == 0x5ced7e63u)
        out[0] = sum;
}

#define YARDSTICK(words)                                                                    \
    extern "C" __global__ void yardstick_##words(const uint4* in, uint4* out, size_t reads, \
                                                 size_t writes, unsigned int reads_per_block, \
                                                 unsigned int writes_per_block) {             \
        mix<words>(in, out, reads, writes, reads_per_block, writes_per_block);                  \
    }
YARDSTICK(1)
YARDSTICK(2)
YARDSTICK(3)
