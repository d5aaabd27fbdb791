// family: agents
// style: CUB: a policy, an agent with temporary storage, a striped load that is exchanged to blocked order, a functor, a blocked store
// expected bottleneck: shared memory traffic of the exchange, in bytes, beside the memory's bandwidth
#include "workbook.cuh"

template <int BlockThreads, int ItemsPerThread>
struct Policy {
    static constexpr int block_threads = BlockThreads;
    static constexpr int items_per_thread = ItemsPerThread;
    static constexpr int tile_items = BlockThreads * ItemsPerThread;
};

struct Luminance {
    __device__ uint8_t operator()(int r, int g, int b) const {
        return (299 * r + 590 * g + 111 * b + 500) / 1000;
    }
};

struct Darkened {
    __device__ uint8_t operator()(int r, int g, int b) const {
        return (180 * r + 354 * g + 66 * b + 500) / 1000;
    }
};

template <class P, class Op>
struct AgentTransform {
    struct TempStorage {
        uint8_t bytes[3 * P::tile_items];
    };
    TempStorage& temp;
    const uint8_t* in;
    uint8_t* out;
    int pixels;
    Op op;

    __device__ void load_interleaved(int tile_first, int valid) {
        for (int i = threadIdx.x; i < 3 * valid; i += P::block_threads)
            temp.bytes[i] = in[3 * tile_first + i];
    }

    __device__ void load_planes(int tile_first, int valid) {
#pragma unroll
        for (int c = 0; c < 3; c++)
            for (int i = threadIdx.x; i < valid; i += P::block_threads)
                temp.bytes[3 * i + c] = in[c * pixels + tile_first + i];
    }

    __device__ void consume(int tile_first, bool planar) {
        const int valid = min(P::tile_items, pixels - tile_first);
        if (planar)
            load_planes(tile_first, valid);
        else
            load_interleaved(tile_first, valid);
        __syncthreads();
        uint8_t items[P::items_per_thread];
        const int mine = threadIdx.x * P::items_per_thread;
#pragma unroll
        for (int k = 0; k < P::items_per_thread; k++)
            if (mine + k < valid)
                items[k] = op(temp.bytes[3 * (mine + k)], temp.bytes[3 * (mine + k) + 1],
                              temp.bytes[3 * (mine + k) + 2]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < P::items_per_thread; k++)
            if (mine + k < valid) temp.bytes[mine + k] = items[k];
        __syncthreads();
        for (int i = threadIdx.x; i < valid; i += P::block_threads)
            out[tile_first + i] = temp.bytes[i];
    }
};

template <class P, class Op>
__launch_bounds__(P::block_threads) __global__
    void DeviceTransformKernel(const uint8_t* in, uint8_t* out, int pixels, bool planar, Op op) {
    using Agent = AgentTransform<P, Op>;
    __shared__ typename Agent::TempStorage storage;
    Agent{storage, in, out, pixels, op}.consume(blockIdx.x * P::tile_items, planar);
}

using Tuned = Policy<128, 11>;

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    DeviceTransformKernel<Tuned><<<ceil_div(n, Tuned::tile_items),
                                   Tuned::block_threads>>>(rgb, gray, n, false, Luminance());
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    DeviceTransformKernel<Tuned><<<ceil_div(n, Tuned::tile_items),
                                   Tuned::block_threads>>>(planar_rgb, gray, n, true, Darkened());
}
