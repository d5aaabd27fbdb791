// Moves bytes as fast as the GPU can: `reads` words of 16 bytes are read and `writes` are written, whatever
// their ratio. One word a thread: on a GPU full of threads that is more in flight than several loads a thread
// on a small grid, and blocks that end make room for others at once. Loads and stores are marked as used once,
// so that neither keeps the other out of the L2 cache. A smaller grid than one word a thread is right too.

extern "C" __global__ void yardstick(const uint4* in, uint4* out, size_t reads, size_t writes) {
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

    // True for no data that is not made for it, and unknown to the compiler: the loads must happen.
    if (sum.x == 0x9e3779b9u && sum.y == 0x7f4a7c15u && sum.z == 0xf39cc060u &&
        sum.w == 0x5ced7e63u)
        out[0] = sum;
}
