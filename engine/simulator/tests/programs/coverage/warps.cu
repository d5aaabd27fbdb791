// Lanes that look at each other, and lanes and warps that wait for each other.
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void exchanges(const u32* in, u32* out) {
    const u32 t = threadIdx.x, v = in[t];
    u32* o = out + 24 * t;
    o[0] = __shfl_sync(0xffffffff, v, 3);
    o[1] = __shfl_sync(0xffffffff, v, t + 5, 8);
    o[2] = __shfl_up_sync(0xffffffff, v, 2);
    o[3] = __shfl_up_sync(0xffffffff, v, 3, 16);
    o[4] = __shfl_down_sync(0xffffffff, v, 7);
    o[5] = __shfl_down_sync(0xffffffff, v, 1, 4);
    o[6] = __shfl_xor_sync(0xffffffff, v, 9);
    o[7] = __shfl_xor_sync(0xffffffff, v, 20, 16);
    const u64 wide = __shfl_xor_sync(0xffffffff, (u64)v << 20 | t, 1);
    o[8] = (u32)wide;
    o[9] = (u32)(wide >> 32);
    o[10] = (u32)__shfl_sync(0xffffffff, (double)v, 31 - (int)t % 32);
    o[11] = __float_as_uint(__shfl_down_sync(0xffffffff, (float)v, 4));
    o[12] = __ballot_sync(0xffffffff, v & 4);
    o[13] = __all_sync(0xffffffff, v & 1 | t & 0x20) | __any_sync(0xffffffff, v == 77) << 1;
    o[14] = (t & 1) ? __ballot_sync(0xaaaaaaaa, v & 2) : __ballot_sync(0x55555555, v & 8);
#if __CUDA_ARCH__ >= 700
    o[15] = __match_any_sync(0xffffffff, v % 7);
    int all;
    o[16] = __match_all_sync(0xffffffff, v >> 31 | 1, &all) + all;
    o[17] = __match_any_sync(0xffffffff, (u64)(v & 3) << 40);
#endif
#if __CUDA_ARCH__ >= 800
    o[18] = __reduce_add_sync(0xffffffff, v);
    o[19] = (u32)__reduce_min_sync(0xffffffff, (int)v);
    o[20] = __reduce_max_sync(0xffffffff, v);
    o[21] = __reduce_xor_sync(0xffffffff, v) ^ __reduce_and_sync(0xffffffff, v) ^ __reduce_or_sync(0xffffffff, v);
#endif
    u32 before, eq;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(eq));
    o[22] = before ^ eq;
    o[23] = __popc(__activemask());
}

// Barriers with a verdict, and named ones.
extern "C" __global__ void verdicts(const u32* in, u32* out) {
    const u32 t = threadIdx.x, v = in[t];
    out[4 * t] = __syncthreads_count(v & 1);
    out[4 * t + 1] = __syncthreads_and(v != 12345) | __syncthreads_or(v == in[5]) << 1;
    __shared__ u32 handed[64];
    if (t < 32) {
        handed[t] = v;
        __threadfence_block();
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[4 * t + 2] = handed[t - 32] + 1;
    }
    asm volatile("barrier.sync 2;" ::: "memory");
    out[4 * t + 3] = handed[t & 31];
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void elected(u32* out) {
    u32 leader, am;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync %0|p, 0xffffffff;\n\tselp.u32 %1, 1, 0, p;\n\t}" : "=r"(leader), "=r"(am));
    out[threadIdx.x] = am << 8 | leader;
}
#endif

#if __CUDA_ARCH__ >= 700
// A lock for each lane, taken in turn by all of a block: nobody may wait for ever.
extern "C" __global__ void lane_locks(u32* locks, volatile u32* values, int rounds) {
    for (int r = 0; r < rounds; r++) {
        const int which = (threadIdx.x + r) % 4;
        while (atomicCAS(&locks[which], 0, 1) != 0) {
        }
        values[which] = values[which] + 1;
        __threadfence();
        atomicExch(&locks[which], 0);
    }
}

// Warp 0 makes, the others use; flags in shared memory are all that connects them.
extern "C" __global__ void hand_over(u32* out, int rounds) {
    __shared__ volatile u32 full[4];
    __shared__ volatile u32 item[4];
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 4) full[threadIdx.x] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        if (warp == 0) {
            if (lane >= 1 && lane < 4) {
                while (full[lane] != 0) {
                }
                item[lane] = r * 10 + lane;
                __threadfence_block();
                full[lane] = 1;
            }
        } else {
            if (lane == 0) {
                while (full[warp] == 0) {
                }
                __threadfence_block();
                out[warp * rounds + r] = item[warp];
                full[warp] = 0;
            }
            __syncwarp();
        }
    }
}

// Inside one warp: three lanes in a ring, each waits for the one before. Any may stand furthest ahead.
extern "C" __global__ void ring(volatile u32* turn, u32* out, int rounds) {
    const u32 lane = threadIdx.x;
    if (lane == 2) {
        for (int r = 0; r < rounds; r++) {
            while (*turn % 3 != 2) {
            }
            out[2 * rounds + r] = *turn;
            *turn = *turn + 1;
        }
    } else if (lane == 0) {
        for (int r = 0; r < rounds; r++) {
            while (*turn % 3 != 0) {
            }
            out[r] = *turn;
            *turn = *turn + 1;
        }
    } else if (lane == 1) {
        for (int r = 0; r < rounds; r++) {
            while (*turn % 3 != 1) {
            }
            out[rounds + r] = *turn;
            *turn = *turn + 1;
        }
    }
}

// `__syncwarp` and shuffles of one warp from different places of the code.
extern "C" __global__ void meetings(const u32* in, u32* out) {
    __shared__ u32 cells[32];
    const u32 lane = threadIdx.x;
    u32 got;
    if (lane & 1) {
        cells[lane] = in[lane];
        __syncwarp();
        got = cells[lane ^ 1] * 3;
        got += __shfl_xor_sync(0xffffffff, got, 1);
    } else {
        cells[lane] = in[lane] + 1;
        __syncwarp();
        got = cells[lane ^ 1] * 5 + 1;
        if (lane & 2) {
            got ^= 0x10;
            got += __shfl_xor_sync(0xffffffff, got, 1) << 1;
        } else {
            got += __shfl_xor_sync(0xffffffff, got, 1) << 2;
        }
    }
    __syncwarp();
    u32 votes;
    if (lane < 10) {
        votes = __ballot_sync(0xffffffff, got & 1);
    } else {
        votes = __ballot_sync(0xffffffff, !(got & 2)) + 1;
    }
    out[2 * lane] = got;
    out[2 * lane + 1] = votes;
}

// Lanes leave while others still meet.
extern "C" __global__ void leaving(u32* out) {
    const u32 lane = threadIdx.x;
    out[lane] = 0;
    for (u32 k = 0; k < 32; k++) {
        if (lane == k) return;
        __syncwarp();
        out[lane] += 1;
    }
}
#endif
