// family: host memory
// style: unified memory throughout: bins and table are managed; the kernel counts, the host makes the table, the kernel reads it, twice in a row
// expected bottleneck: page migrations and synchronisation; global reads of the table come after them
#include "workbook.cuh"

struct Shared {
    uint32_t bins[256];
    uint8_t table[256];
};

__global__ void count_managed(const uint8_t* gray, Shared* shared, int n) {
    __shared__ uint32_t h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    const int first = blockIdx.x * 256 * 64;
    for (int k = 0; k < 64; k++) {
        const int i = first + k * 256 + threadIdx.x;
        if (i < n) atomicAdd(&h[gray[i]], 1u);
    }
    __syncthreads();
    if (h[threadIdx.x]) atomicAdd(&shared->bins[threadIdx.x], h[threadIdx.x]);
}

__global__ void map_managed(const uint8_t* gray, uint8_t* out, const Shared* shared, int from,
                            int to) {
    const int i = from + blockIdx.x * 256 + threadIdx.x;
    if (i < to) out[i] = shared->table[gray[i]];
}

template <class MakeTable>
void by_turns(const uint8_t* gray, uint8_t* out, int n, MakeTable make_table) {
    Shared* shared;
    WORKBOOK_CHECK(cudaMallocManaged(&shared, sizeof(Shared)));
    memset(shared, 0, sizeof(Shared));
    count_managed<<<ceil_div(n, 256 * 64), 256>>>(gray, shared, n);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    make_table(shared);
    const int half = n / 2;
    if (half > 0) map_managed<<<ceil_div(half, 256), 256>>>(gray, out, shared, 0, half);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    shared->bins[0] = 0;  // the host touches the page once more
    map_managed<<<ceil_div(n - half, 256), 256>>>(gray, out, shared, half, n);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    WORKBOOK_CHECK(cudaFree(shared));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    by_turns(gray, out, n, [n](Shared* s) {
        const uint32_t enough = (n + 1023) / 1024;
        int low = 0, high = 255;
        while (s->bins[low] < enough) low++;
        while (s->bins[high] < enough) high--;
        for (int v = 0; v < 256; v++)
            s->table[v] = low == high ? v : v <= low ? 0 : v >= high ? 255
                : (uint8_t)(255.0 * (v - low) / (high - low) + 0.5);
    });
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    by_turns(gray, out, n, [n](Shared* s) {
        int v0 = 0;
        while (s->bins[v0] == 0) v0++;
        const double least = s->bins[v0];
        double cdf = 0;
        for (int v = 0; v < 256; v++) {
            cdf += s->bins[v];
            s->table[v] = least == n || v < v0 ? v
                : (uint8_t)((cdf - least) * 255.0 / (n - least) + 0.5);
        }
    });
}
