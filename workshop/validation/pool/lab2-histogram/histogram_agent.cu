// family: agents
// style: CUB's AgentHistogram: privatized bins, 16 items per thread in blocked order, runs of equal samples compressed, tiles from a queue
// expected bottleneck: shared atomics after run-length compression; byte loads of a blocked arrangement
#include "workbook.cuh"

struct AgentHistogramPolicy {
    static constexpr int BLOCK_THREADS = 384;
    static constexpr int PIXELS_PER_THREAD = 16;
    static constexpr int TILE_PIXELS = BLOCK_THREADS * PIXELS_PER_THREAD;
};

__device__ int tile_queue;

__global__ void init_queue(int first_free) { tile_queue = first_free; }

struct GraySamples {
    const uint8_t* d_samples;
    __device__ __forceinline__ int load(int offset) const { return d_samples[offset]; }
};

struct ColorSamples {
    const uint8_t* d_samples;
    uint8_t* d_gray;
    __device__ __forceinline__ int load(int offset) const {
        const uint8_t* s = d_samples + 3 * offset;
        const int v = (30 * s[0] + 59 * s[1] + 11 * s[2] + 50) / 100;
        d_gray[offset] = v;
        return v;
    }
};

template <class Policy, class Iterator>
struct AgentHistogram {
    struct TempStorage {
        uint32_t privatized[256];
        int tile;
    };
    TempStorage& temp;
    Iterator samples;
    uint32_t* output;
    int num_pixels;

    __device__ __forceinline__ void Init() {
        for (int bin = threadIdx.x; bin < 256; bin += Policy::BLOCK_THREADS)
            temp.privatized[bin] = 0;
        __syncthreads();
    }

    __device__ __forceinline__ void Accumulate(const int (&levels)[Policy::PIXELS_PER_THREAD]) {
        int run = 1;
#pragma unroll
        for (int p = 0; p < Policy::PIXELS_PER_THREAD - 1; p++) {
            if (levels[p] != levels[p + 1]) {
                if (levels[p] >= 0) atomicAdd(&temp.privatized[levels[p]], run);
                run = 0;
            }
            run++;
        }
        if (levels[Policy::PIXELS_PER_THREAD - 1] >= 0)
            atomicAdd(&temp.privatized[levels[Policy::PIXELS_PER_THREAD - 1]], run);
    }

    __device__ __forceinline__ void ConsumeTile(int tile) {
        const int first = tile * Policy::TILE_PIXELS + threadIdx.x * Policy::PIXELS_PER_THREAD;
        int levels[Policy::PIXELS_PER_THREAD];
#pragma unroll
        for (int p = 0; p < Policy::PIXELS_PER_THREAD; p++)
            levels[p] = first + p < num_pixels ? samples.load(first + p) : -1;
        Accumulate(levels);
    }

    __device__ __forceinline__ void ConsumeTiles() {
        const int tiles = (num_pixels + Policy::TILE_PIXELS - 1) / Policy::TILE_PIXELS;
        int tile = blockIdx.x;
        while (tile < tiles) {
            ConsumeTile(tile);
            __syncthreads();
            if (threadIdx.x == 0) temp.tile = atomicAdd(&tile_queue, 1);
            __syncthreads();
            tile = temp.tile;
        }
    }

    __device__ __forceinline__ void StoreOutput() {
        __syncthreads();
        for (int bin = threadIdx.x; bin < 256; bin += Policy::BLOCK_THREADS)
            if (temp.privatized[bin] > 0) atomicAdd(&output[bin], temp.privatized[bin]);
    }
};

template <class Policy, class Iterator>
__launch_bounds__(Policy::BLOCK_THREADS) __global__
    void DeviceHistogramSweepKernel(Iterator samples, uint32_t* output, int num_pixels) {
    using Agent = AgentHistogram<Policy, Iterator>;
    __shared__ typename Agent::TempStorage temp;
    Agent agent{temp, samples, output, num_pixels};
    agent.Init();
    agent.ConsumeTiles();
    agent.StoreOutput();
}

template <class Iterator>
void Dispatch(Iterator samples, uint32_t* bins, int pixels) {
    int sm_count = 0;
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0));
    const int grid = sm_count * 4;
    init_queue<<<1, 1>>>(grid);
    DeviceHistogramSweepKernel<AgentHistogramPolicy, Iterator>
        <<<grid, AgentHistogramPolicy::BLOCK_THREADS>>>(samples, bins, pixels);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    Dispatch(GraySamples{gray}, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    Dispatch(ColorSamples{rgb, gray}, bins, width * height);
}
