// Hashes ranges of memory after a timed run, so that every output, input and guard band is checked
// without a copy to the host. `digest` in digest.rs computes the same on the host.

struct Range {
    const unsigned char* begin;
    unsigned long long bytes;
};

// The mixing step of SplitMix64.
__device__ unsigned long long mixed(unsigned long long z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// The range of `blockIdx.y`, in words of 8 bytes. Each word is mixed with a pad that follows from its
// place and from the key, which no kernel has known before; the sum of all does not depend on the
// order of the threads. `digests` holds zeros before the launch.
extern "C" __global__ void workbook_digest(const Range* ranges, unsigned long long* digests,
                                           unsigned long long key) {
    const Range range = ranges[blockIdx.y];
    const unsigned long long words = (range.bytes + 7) / 8;
    const bool aligned = reinterpret_cast<unsigned long long>(range.begin) % 8 == 0;
    const unsigned long long threads = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long sum = 0;
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i < words; i += threads) {
        unsigned long long word = 0;
        if (aligned && 8 * i + 8 <= range.bytes) {
            word = reinterpret_cast<const unsigned long long*>(range.begin)[i];
        } else {
            for (int k = 0; k < 8 && 8 * i + k < range.bytes; ++k)
                word |= static_cast<unsigned long long>(range.begin[8 * i + k]) << 8 * k;
        }
        sum += mixed(word ^ mixed(key + (i + 1) * 0x9E3779B97F4A7C15ull));
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(digests + blockIdx.y, sum);
}
