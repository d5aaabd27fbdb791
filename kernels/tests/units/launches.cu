// Every kind of launch.
#include "workbook.cuh"

struct Weights {
    float value[3];
    short offset;
};

__global__ void plain(const uint8_t* in, uint8_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 255 - in[i];
}
static __global__ void by_value(uint8_t* out, Weights w, double factor, bool flip) {
    if (threadIdx.x == 0) out[0] = flip ? 0 : static_cast<uint8_t>(w.value[2] * factor) + w.offset;
}
template <int STEP, class T>
__global__ void templated(T* out, int n) {
    for (int i = threadIdx.x; i < n; i += STEP) out[i] += STEP;
}
namespace tools {
__global__ void nothing() {}
template <class T>
__global__ void one(T* out) {
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = 1;
    *out = scratch[0];
}
}  // namespace tools
extern "C" __global__ void unmangled(uint8_t* out) { out[1] = 7; }
namespace {
__global__ void hidden(uint8_t* out) { out[2] = 8; }
}  // namespace

#define RUN(kernel, count, ...) kernel<<<ceil_div(count, 256), 256>>>(__VA_ARGS__)
#define SHAPE 1, 32

static int launch_first(uint8_t* out) {
    unmangled<<<1, 1>>>(out);
    return 3;
}

void launches(const uint8_t* in, uint8_t* out, int width, int height) {
    const int n = width * height;
    plain<<<(n + 255) / 256, 256>>>(in, out, n);
    plain<<<ceil_div(n, 1 << 8), dim3(16, 16)>>>(in, out, n);  // a dim3, a shift
    RUN(plain, n, in, out, n);
    cudaLaunchConfig_t config = {};
    config.gridDim = ceil_div(n, 64);
    config.blockDim = 64;
    cudaMemset(out, 0, n);
    cudaLaunchKernelEx(&config, plain, in, out, n);
    by_value<<<SHAPE>>>(out, Weights{{1, 2, 3}, 4}, 2, n >> 2 > 3);  // int to double, a comparison
    templated<4, uint8_t><<<1, 4>>>(out, n),
        templated<(3 > 2) ? 8 : 4, uint8_t><<<1, 8, 16 * sizeof(int)>>>(out, n);
    tools::nothing<<<1, 1>>>();
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    ::tools::one<uint8_t><<<1, 32, 32 * sizeof(int), stream>>>(
        // a comment among the arguments
        out);
    hidden<<<dim3(2, 3, 4), {8, 8, 1}>>>(out);
    plain<<<1, 256>>>(in, out,
                      launch_first(out));  // a launch while another's arguments are evaluated
    void (*const chosen)(const uint8_t*, uint8_t*, int) = n > 4 ? plain : nullptr;
    if (chosen != nullptr) chosen<<<1, 4>>>(in, out, n);
    for (int i = 0; i < 3; ++i) [&] { plain<<<1, 1>>>(in, out, i); }();
    cudaStreamDestroy(stream);
}
