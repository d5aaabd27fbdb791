// why: in the style of CUB: a policy, and an agent with a union in shared memory; full tiles apart.
// tasks: histogram
#include "workbook.cuh"

template <int THREADS, int ITEMS>
struct Policy {
    enum { threads = THREADS, items = ITEMS, tile = THREADS * ITEMS };
};

template <typename P, typename Counter>
struct Agent {
    union TempStorage {
        Counter counts[256];
        uint4 alignment;
    };

    TempStorage& temp;
    const uint8_t* in;
    Counter* out;
    int n;

    __device__ Agent(TempStorage& temp, const uint8_t* in, Counter* out, int n)
        : temp(temp), in(in), out(out), n(n) {}

    template <bool full>
    __device__ void consume(int first) {
        uint8_t item[P::items];
        int valid = 0;
#pragma unroll
        for (int j = 0; j < P::items; ++j) {
            const int i = first + j * P::threads + threadIdx.x;
            if (full || i < n) item[j] = in[i], valid = j + 1;
        }
#pragma unroll
        for (int j = 0; j < P::items; ++j)
            if (full || j < valid) atomicAdd(&temp.counts[item[j]], Counter(1));
    }

    __device__ void run() {
        for (int i = threadIdx.x; i < 256; i += P::threads) temp.counts[i] = Counter();
        __syncthreads();
        for (int first = blockIdx.x * P::tile; first < n; first += gridDim.x * P::tile) {
            if (first + P::tile <= n) consume<true>(first);
            else consume<false>(first);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < 256; i += P::threads)
            if (temp.counts[i]) atomicAdd(&out[i], temp.counts[i]);
    }
};

template <typename P>
__global__ void __launch_bounds__(P::threads) kernel(const uint8_t* in, uint32_t* out, int n) {
    using A = Agent<P, uint32_t>;
    __shared__ typename A::TempStorage temp;
    A(temp, in, out, n).run();
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    using P = Policy<192, 11>;
    const int n = width * height;
    kernel<P><<<min(ceil_div(n, (int)P::tile), 1320), P::threads>>>(gray, bins, n);
}
