// Races that must be found, and correct patterns that must stay silent. What each leads to is in races.rs.
// races.ptx is this file compiled by NVRTC 12.9.86 with
//   --gpu-architecture=compute_90 -default-device -lineinfo
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;

__device__ uint32_t finished;
__device__ volatile int flag;
__device__ int turn;

// ---- what must be found ----

extern "C" __global__ void zeroing_without_barrier(const uint8_t* in, uint32_t* out) {
    __shared__ uint32_t bins[256];
    bins[threadIdx.x] = 0;
    atomicAdd(&bins[in[threadIdx.x]], 1u);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void reading_counts_without_barrier(const uint8_t* in, uint32_t* out) {
    __shared__ uint32_t bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], 1u);
    out[threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void no_second_barrier(const int* in, int* out) {
    __shared__ int tile[128];
    int sum = 0;
    for (int part = 0; part < 4; part++) {
        tile[threadIdx.x] = in[part * 128 + threadIdx.x];
        __syncthreads();
        sum += tile[(threadIdx.x + 33) % 128];
    }
    out[threadIdx.x] = sum;
}

// A prefix sum in place, one barrier a step: what one thread reads, another overwrites.
extern "C" __global__ void scan_in_place(const int* in, int* out) {
    __shared__ int sums[256];
    const int i = threadIdx.x;
    sums[i] = in[i];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (i + d < 256) sums[i + d] += sums[i];
    }
    __syncthreads();
    out[i] = sums[i];
}

extern "C" __global__ void halo_without_barrier(const int* in, int* out) {
    __shared__ int row[130];
    row[threadIdx.x + 1] = in[threadIdx.x];
    if (threadIdx.x == 0) row[0] = in[0];
    if (threadIdx.x == 127) row[129] = in[127];
    out[threadIdx.x] = row[threadIdx.x] + row[threadIdx.x + 2];
}

extern "C" __global__ void tree_without_barrier(const int* in, int* out) {
    __shared__ int sums[128];
    sums[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sums[0];
}

extern "C" __global__ void blocks_share_a_sum(const int* in, int* out) {
    if (threadIdx.x == 0) out[0] = out[0] + in[blockIdx.x];
}

extern "C" __global__ void blocks_overlap(int* out) { out[blockIdx.x * 16 + threadIdx.x] = blockIdx.x; }

extern "C" __global__ void neighbours_in_global(int* data, int* out) {
    data[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = data[(threadIdx.x + 32) % 64];
}

extern "C" __global__ void warp_without_syncwarp(int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = values[31 - threadIdx.x];
}

extern "C" __global__ void volatile_tree(const int* in, int* out) {
    __shared__ volatile int sums[64];
    sums[threadIdx.x] = in[threadIdx.x];
    sums[threadIdx.x + 32] = in[threadIdx.x + 32];
    sums[threadIdx.x] += sums[threadIdx.x + 16];
    sums[threadIdx.x] += sums[threadIdx.x + 8];
    out[threadIdx.x] = sums[threadIdx.x];
}

extern "C" __global__ void shuffle_is_no_barrier(int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    const int other = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
    out[threadIdx.x] = values[other];
}

extern "C" __global__ void colliding_stores(int* out) { out[threadIdx.x / 2] = threadIdx.x; }

extern "C" __global__ void store_beside_atomic(int* out) {
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    atomicMax(&most, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = most;
}

extern "C" __global__ void last_block_without_fence(int* parts, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = parts[threadIdx.x];
}

extern "C" __global__ void last_block_with_block_fence(int* parts, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        __threadfence_block();
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = parts[threadIdx.x];
}

// All blocks add to the same sums: the last block's own atomics come after those that it must wait for.
extern "C" __global__ void last_block_of_sums_without_fence(int* sums, int* out) {
    __shared__ bool last;
    atomicAdd(&sums[threadIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[threadIdx.x] = sums[threadIdx.x];
}

extern "C" __global__ void last_block_of_sums_without_barrier(int* sums, int* out) {
    __shared__ bool last;
    atomicAdd(&sums[threadIdx.x], 1);
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[threadIdx.x] = sums[threadIdx.x];
}

extern "C" __global__ void lock_without_fence(int* lock, int* value) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        *value += 1;
        atomicExch(lock, 0);
    }
}

extern "C" __global__ void wrong_named_barrier(const int* in, int* out) {
    __shared__ int values[128];
    values[threadIdx.x] = in[threadIdx.x];
    // Warps 0 and 1 meet at one barrier, 2 and 3 at another: nothing orders the two halves.
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
    }
    out[threadIdx.x] = values[(threadIdx.x + 64) % 128];
}

extern "C" __global__ void bytes_of_a_word(uint8_t* out) {
    __shared__ uint32_t words[16];
    reinterpret_cast<uint8_t*>(words)[threadIdx.x] = 1;
    out[threadIdx.x] = static_cast<uint8_t>(words[threadIdx.x / 4] >> 8);
}

extern "C" __global__ void partial_syncwarp(int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 16) __syncwarp(0x0000ffffu);
    out[threadIdx.x] = threadIdx.x < 16 ? values[threadIdx.x + 16] : 0;
}

// ---- what must stay silent ----

extern "C" __global__ void right_histogram(const uint8_t* in, uint32_t* out) {
    __shared__ uint32_t bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x + 256 * blockIdx.x]], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void right_tree(const int* in, int* out) {
    __shared__ int sums[128];
    sums[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

extern "C" __global__ void double_buffer(const int* in, int* out) {
    __shared__ int tile[2][128];
    int sum = 0;
    for (int part = 0; part < 4; part++) {
        tile[part & 1][threadIdx.x] = in[part * 128 + threadIdx.x];
        __syncthreads();
        sum += tile[part & 1][(threadIdx.x + 33) % 128];
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void warp_with_syncwarp(const int* in, int* out) {
    __shared__ int sums[64];
    sums[threadIdx.x] = in[threadIdx.x];
    sums[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncwarp();
    for (int step = 32; step > 0; step /= 2) {
        const int mine = sums[threadIdx.x], other = sums[threadIdx.x + step];
        __syncwarp();
        sums[threadIdx.x] = mine + other;
        __syncwarp();
    }
    out[threadIdx.x] = sums[0];
}

extern "C" __global__ void same_value_flag(const int* in, int* out) {
    __shared__ bool any;
    if (threadIdx.x == 0) any = false;
    __syncthreads();
    if (in[threadIdx.x] > 3) any = true;
    __syncthreads();
    if (threadIdx.x == 0) *out = any;
}

extern "C" __global__ void right_lock(int* lock, int* value) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *value += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

extern "C" __global__ void lock_of_every_thread(int* lock, int* value) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *value += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

extern "C" __global__ void right_last_block(int* parts, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = parts[threadIdx.x];
}

// Every thread stores, one thread's fence and atomic behind the barrier speak for all.
extern "C" __global__ void last_block_of_many(int* parts, int* out) {
    __shared__ bool last;
    parts[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += parts[i];
        atomicAdd(out, sum);
    }
}

extern "C" __global__ void last_block_of_sums(int* sums, int* out) {
    __shared__ bool last;
    atomicAdd(&sums[threadIdx.x], 1);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last) out[threadIdx.x] = sums[threadIdx.x];
}

// Blocks in a chain: each waits for the one before, by a flag.
extern "C" __global__ void chained_blocks(int* sums) {
    if (threadIdx.x == 0) {
        while (atomicAdd(&turn, 0) != blockIdx.x) {
        }
        __threadfence();
        sums[0] += blockIdx.x;
        __threadfence();
        atomicExch(&turn, blockIdx.x + 1);
    }
}

extern "C" __global__ void volatile_flag(int* data, int* out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            data[0] = 42;
            __threadfence();
            flag = 1;
        } else {
            while (flag == 0) {
            }
            __threadfence();
            out[0] = data[0];
        }
    }
}

// Two warps produce, two consume, through two named barriers of a buffer each.
extern "C" __global__ void producer_and_consumer(const int* in, int* out) {
    __shared__ int buffer[2][64];
    if (threadIdx.x < 64) {
        for (int k = 0; k < 4; k++) {
            if (k >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + (k & 1)) : "memory");
            buffer[k & 1][threadIdx.x] = in[k * 64 + threadIdx.x];
            asm volatile("bar.arrive %0, 128;" ::"r"(1 + (k & 1)) : "memory");
        }
    } else {
        const int t = threadIdx.x - 64;
        for (int k = 0; k < 4; k++) {
            asm volatile("bar.sync %0, 128;" ::"r"(1 + (k & 1)) : "memory");
            out[k * 64 + t] = buffer[k & 1][63 - t];
            if (k < 2) asm volatile("bar.arrive %0, 128;" ::"r"(3 + (k & 1)) : "memory");
        }
    }
}

extern "C" __global__ void right_named_barrier(const int* in, int* out) {
    __shared__ int values[128];
    values[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
    }
    out[threadIdx.x] = values[threadIdx.x ^ 32];
}

extern "C" __global__ void bytes_beside_each_other(const uint8_t* in, uint8_t* out) {
    __shared__ uint8_t bytes[256];
    bytes[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = bytes[threadIdx.x];
}

extern "C" __global__ void atomics_of_many_kinds(int* out) {
    atomicAdd(&out[0], 1);
    atomicMax(&out[0], 2);
    atomicExch(&out[1], threadIdx.x);
    atomicCAS(&out[1], 3, 4);
}

extern "C" __global__ void volatile_with_fence(int* lock, volatile int* value) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *value = *value + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

extern "C" __global__ void groups_of_a_warp(int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    const uint32_t group = threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u;
    __syncwarp(group);
    out[threadIdx.x] = values[threadIdx.x ^ 5];
}

extern "C" __global__ void in_shared_and_out(const int* in, int* out) {
    __shared__ int tile[32][33];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int row = y; row < 32; row += 8) tile[row][x] = in[row * 32 + x];
    __syncthreads();
    for (int row = y; row < 32; row += 8) out[row * 32 + x] = tile[x][row];
}
