// The shuffle-heavy kernel of the speed benchmark: each warp scans its 32 values, then smooths them with its
// neighbours' sums. scan.ptx is this file compiled by NVRTC 12.9.86 with
//   --gpu-architecture=compute_90 -default-device -lineinfo
typedef unsigned int uint32_t;

extern "C" __global__ void scan(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    uint32_t value = i < n ? in[i] : 0;
    for (int step = 1; step < 32; step <<= 1) {
        const uint32_t before = __shfl_up_sync(0xffffffff, value, step);
        if (lane >= step) value += before;
    }
    uint32_t sum = value;
    for (int step = 16; step; step >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, step);
    value += __shfl_sync(0xffffffff, sum, 31 - lane);
    if (i < n) out[i] = value;
}
