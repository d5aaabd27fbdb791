// family: host memory
// style: unified memory: the host writes the weights, the kernel reads them and counts its pixels there, the host reads the count
// expected bottleneck: the page that moves between host and GPU, then one atomic per warp
#include "workbook.cuh"

struct Job {
    float r, g, b, scale, bias;
    unsigned int done;
};

__global__ void run_job(Job* job, const uint8_t* in, uint8_t* out, int n, int pixel_step,
                        int channel_step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool mine = i < n;
    if (mine) {
        const uint8_t* p = in + i * pixel_step;
        const float sum = job->r * p[0] + job->g * p[channel_step] + job->b * p[2 * channel_step];
        out[i] = static_cast<uint8_t>(sum * job->scale + job->bias);
    }
    const unsigned int together = __ballot_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0 && together) atomicAdd(&job->done, __popc(together));
}

static void with_job(const uint8_t* in, uint8_t* out, int n, int pixel_step, int channel_step,
                     float scale) {
    Job* job;
    WORKBOOK_CHECK(cudaMallocManaged(&job, sizeof(Job)));
    *job = Job{0.3f, 0.59f, 0.11f, scale, 0.5f, 0u};
    run_job<<<ceil_div(n, 256), 256>>>(job, in, out, n, pixel_step, channel_step);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
    if (job->done != static_cast<unsigned int>(n)) printf("%u of %d pixels\n", job->done, n);
    WORKBOOK_CHECK(cudaFree(job));
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    with_job(rgb, gray, width * height, 3, 1, 1.0f);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    with_job(planar_rgb, gray, width * height, 1, width * height, 0.6f);
}
