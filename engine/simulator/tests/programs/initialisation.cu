// Uses of values that nothing wrote, and moves of such values that must stay silent. What each leads to is
// in initialisation.rs. initialisation.ptx is this file compiled by NVRTC 12.9.86 with
//   --gpu-architecture=compute_90 -default-device -lineinfo
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;

struct Padded {
    char tag;
    int value;
    double weight;
    char last;
};

struct Pixel {
    uint8_t r, g, b, unused;
};

__device__ int zeroed[32];

// ---- what must be found ----

extern "C" __global__ void scratch_is_read(const int* scratch, int* out) { out[threadIdx.x] = scratch[threadIdx.x]; }

extern "C" __global__ void scratch_is_added_to(float* scratch, float* out) {
    scratch[threadIdx.x] += 1.0f;
    out[threadIdx.x] = 0;
}

extern "C" __global__ void branch_on_scratch(const int* scratch, int* out) {
    out[threadIdx.x] = 0;
    if (scratch[threadIdx.x] > 3) out[threadIdx.x + 32] = 1;
}

extern "C" __global__ void index_from_scratch(const int* scratch, const int* in, int* out) {
    out[threadIdx.x] = in[scratch[threadIdx.x] & 31];
}

extern "C" __global__ void counters_not_zeroed(uint32_t* bins) { atomicAdd(&bins[threadIdx.x % 4], 1u); }

extern "C" __global__ void shared_bins_not_zeroed(const uint8_t* in, uint32_t* out) {
    __shared__ uint32_t bins[64];
    atomicAdd(&bins[in[threadIdx.x] % 64], 1u);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void operand_of_an_atomic(const uint32_t* scratch, uint32_t* sum) {
    atomicAdd(sum, scratch[threadIdx.x]);
}

extern "C" __global__ void half_a_tile(const int* in, int* out) {
    __shared__ int tile[64];
    if (threadIdx.x < 32) tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

extern "C" __global__ void halo_forgotten(const int* in, int* out) {
    __shared__ int row[66];
    row[threadIdx.x + 1] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x] + row[threadIdx.x + 1] + row[threadIdx.x + 2];
}

extern "C" __global__ void dynamic_shared(float* out) {
    extern __shared__ float values[];
    out[threadIdx.x] = values[threadIdx.x] * 2.0f;
}

extern "C" __global__ void local_array(int* out, int n) {
    int values[8];
    for (int k = 0; k < n; k++) values[k] = k;
    out[threadIdx.x] = values[(threadIdx.x + n) & 7];
}

extern "C" __global__ void through_a_shuffle(const int* scratch, int* out) {
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, scratch[threadIdx.x], 1) + 1;
}

extern "C" __global__ void through_a_vote(const int* scratch, int* out) {
    out[threadIdx.x] = __ballot_sync(0xffffffffu, scratch[threadIdx.x] > 0);
}

extern "C" __global__ void through_shared(const int* scratch, int* out) {
    __shared__ int values[32];
    values[threadIdx.x] = scratch[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = values[31 - threadIdx.x] * 3;
}

extern "C" __global__ void lane_from_scratch(const int* scratch, int* out) {
    out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, scratch[threadIdx.x]);
}

extern "C" __global__ void last_byte_is_used(const Pixel* in, uint8_t* out) {
    const Pixel pixel = in[threadIdx.x];
    out[threadIdx.x] = pixel.unused + pixel.r;
}

extern "C" __global__ void sum_of_bytes(const uint8_t* scratch, uint32_t* out) {
    out[threadIdx.x] = scratch[threadIdx.x] / 2u;
}

extern "C" __global__ void one_of_many(const uint8_t* in, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

extern "C" __global__ void exchanged(int* cell, int* out) { out[threadIdx.x] = atomicExch(&cell[threadIdx.x], 1) + 1; }

extern "C" __global__ void endless_perhaps(const int* scratch, int* out) {
    int sum = 0;
    for (int k = 0; k < (scratch[0] & 7); k++) sum += k;
    out[threadIdx.x] = sum;
}

// ---- what must stay silent ----

extern "C" __global__ void writes_scratch_first(int* scratch, int* out) {
    scratch[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = scratch[threadIdx.x];
}

extern "C" __global__ void module_variable(int* out) {
    zeroed[threadIdx.x] += 1;
    out[threadIdx.x] = zeroed[threadIdx.x];
}

extern "C" __global__ void copies_a_padded_struct(const Padded* in, Padded* out) { out[threadIdx.x] = in[threadIdx.x]; }

extern "C" __global__ void sorts_padded_structs(const Padded* in, Padded* out) {
    __shared__ Padded all[32];
    all[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (all[threadIdx.x].value > all[threadIdx.x ^ 1].value) {
        out[threadIdx.x] = all[threadIdx.x ^ 1];
    } else {
        out[threadIdx.x] = all[threadIdx.x];
    }
}

extern "C" __global__ void unused_lane(const uchar4* in, uint8_t* out) {
    const uchar4 pixel = in[threadIdx.x];
    out[threadIdx.x] = (pixel.x * 77 + pixel.y * 150 + pixel.z * 29) >> 8;
}

extern "C" __global__ void unused_lane_of_floats(const float4* in, float* out) {
    const float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z;
}

extern "C" __global__ void packed_pixel(const uint32_t* in, uint32_t* out) {
    const uint32_t word = in[threadIdx.x];
    const uint32_t r = word & 0xff, g = word >> 8 & 0xff, b = __byte_perm(word, 0, 0x4442);
    out[threadIdx.x] = r + g + b;
}

extern "C" __global__ void dot_of_three(const uint32_t* in, uint32_t* out) {
    out[threadIdx.x] = __dp4a(in[threadIdx.x], 0x001d964du, 0u) >> 8;
}

extern "C" __global__ void makes_a_pixel(const uint8_t* in, uchar4* out) {
    uchar4 pixel;
    pixel.x = in[3 * threadIdx.x];
    pixel.y = in[3 * threadIdx.x + 1];
    pixel.z = in[3 * threadIdx.x + 2];
    out[threadIdx.x] = pixel;
}

extern "C" __global__ void moves_through_shared(const Pixel* in, uint8_t* out) {
    __shared__ Pixel tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x].g;
}

extern "C" __global__ void shared_written_in_part(const int* in, int* out, int n) {
    __shared__ int tile[64];
    if (threadIdx.x < n) tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < n ? tile[threadIdx.x] : 0;
}

extern "C" __global__ void reads_but_does_not_use(const int* scratch, int* out, int use) {
    const int value = scratch[threadIdx.x];
    out[threadIdx.x] = use ? value : 7;
}

extern "C" __global__ void shuffles_past_the_end(const int* in, int* out, int n) {
    int value;
    if (threadIdx.x < n) value = in[threadIdx.x];
    const int next = __shfl_down_sync(0xffffffffu, value, 1);
    out[threadIdx.x] = threadIdx.x + 1 < n ? next : 0;
}

__device__ __noinline__ Padded made(int value) {
    Padded out;
    out.tag = 1;
    out.value = value;
    out.weight = 2.0;
    out.last = 3;
    return out;
}

extern "C" __global__ void structs_through_calls(int* out) {
    const Padded made_here = made(threadIdx.x);
    out[threadIdx.x] = made_here.value + made_here.tag + made_here.last;
}

extern "C" __global__ void local_array_filled(int* out, int n) {
    int values[8];
    for (int k = 0; k < 8; k++) values[k] = k * n;
    out[threadIdx.x] = values[(threadIdx.x + n) & 7];
}

extern "C" __global__ void zeroed_counters(uint32_t* bins) { atomicAdd(&bins[threadIdx.x % 4], 1u); }

extern "C" __global__ void a_lock_word(int* cell, int* out) {
    out[threadIdx.x] = 0;
    atomicExch(&cell[threadIdx.x], 1);
}

extern "C" __global__ void last_of_a_loop(const int* in, int* out, int n) {
    int before;
    for (int k = 0; k < n; k++) {
        const int now = in[k];
        if (k > 0 && before != now) out[threadIdx.x] = k;
        before = now;
    }
}

extern "C" __global__ void masked_out(const int* scratch, const int* in, int* out) {
    out[threadIdx.x] = scratch[threadIdx.x] * 0 + (scratch[threadIdx.x] & 0) + in[threadIdx.x];
}

extern "C" __global__ void reads_constants_of_printf(int* out) {
    if (threadIdx.x == 0) printf("%d %s\n", 3, "three");
    out[threadIdx.x] = 1;
}
