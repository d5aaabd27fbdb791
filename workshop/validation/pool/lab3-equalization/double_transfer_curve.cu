// family: float arithmetic
// style: a statistician: an empirical distribution function as doubles, applied as a curve with a division per pixel
// expected bottleneck: double divisions, one per pixel, after a global atomic per four pixels
#include "workbook.cuh"

// params: 256 ordinates, then subtract, divide, identity.
constexpr int subtract = 256, divide = 257, identity = 258;

__global__ void tally(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int i = (blockIdx.x * 4 + k) * 256 + threadIdx.x;
        if (i < n) atomicAdd(mine + gray[i], 1u);
    }
    __syncthreads();
    if (mine[threadIdx.x]) atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}

__global__ void curve(const uint8_t* gray, uint8_t* out, const double* params, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int v = gray[i];
    const double u = (params[v] - params[subtract]) / params[divide];
    out[i] = params[identity] != 0.0 ? v : (uint8_t)floor(255.0 * fmin(fmax(u, 0.0), 1.0) + 0.5);
}

template <bool stretch>
void distribution(const uint8_t* gray, uint8_t* out, int n) {
    uint32_t* bins;
    double* params;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMalloc(&params, 259 * sizeof(double)));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    tally<<<ceil_div(n, 1024), 256>>>(gray, bins, n);
    uint32_t counts[256];
    WORKBOOK_CHECK(cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost));
    double host[259];
    double sum = 0, least = 0;
    int low = -1, high = 0;
    for (int v = 0; v < 256; v++) {
        sum += counts[v];
        if (least == 0) least = sum;
        if (1024.0 * counts[v] >= n) {
            if (low < 0) low = v;
            high = v;
        }
        host[v] = stretch ? v : sum;
    }
    host[subtract] = stretch ? low : least;
    host[divide] = stretch ? high - low : n - least;
    host[identity] = host[divide] == 0.0;
    if (host[identity] != 0.0) host[divide] = 1.0;
    WORKBOOK_CHECK(cudaMemcpy(params, host, sizeof(host), cudaMemcpyHostToDevice));
    curve<<<ceil_div(n, 256), 256>>>(gray, out, params, n);
    WORKBOOK_CHECK(cudaFree(params));
    WORKBOOK_CHECK(cudaFree(bins));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    distribution<true>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    distribution<false>(gray, out, width * height);
}
