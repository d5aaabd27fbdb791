// family: float arithmetic
// style: MATLAB ported: a kernel matrix of doubles in global memory, conv2 with double sums, normalised by a second convolution of ones
// expected bottleneck: double arithmetic and conversions, 25 or 50 multiply-adds per result
#include "workbook.cuh"

__global__ void conv2(const uint8_t* A, uint8_t* C, const double* K, int rows, int cols) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= cols) return;
    double s = 0.0, ones = 0.0;
    for (int p = 0; p < 5; p++)
        for (int q = 0; q < 5; q++) {
            int r = i + p - 2, c = j + q - 2;
            double a = 0.0, one = 0.0;
            if (r >= 0 && r < rows && c >= 0 && c < cols) {
                a = A[r * cols + c];
                one = 1.0;
            }
            s += K[p * 5 + q] * a;
            ones += K[p * 5 + q] * one;
        }
    C[i * cols + j] = (uint8_t)floor((s + floor(ones / 2.0)) / ones);
}

__global__ void conv2_rgb(const uint8_t* A, uint8_t* C, const double* K, double divisor, int rows,
                          int cols) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= cols) return;
    for (int ch = 0; ch < 3; ch++) {
        int at = (i * cols + j) * 3 + ch;
        double s = A[at];
        if (i >= 2 && j >= 2 && i < rows - 2 && j < cols - 2) {
            s = 0.0;
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++)
                    s += K[p * 5 + q] * A[at + ((p - 2) * cols + q - 2) * 3];
            s = fmin(fmax(trunc(s / divisor), 0.0), 255.0);
        }
        C[at] = (uint8_t)s;
    }
}

static double* matrix(const double* host) {
    double* K;
    cudaMalloc(&K, 25 * sizeof(double));
    cudaMemcpy(K, host, 25 * sizeof(double), cudaMemcpyHostToDevice);
    return K;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    double ones[25];
    for (int k = 0; k < 25; k++) ones[k] = 1.0;
    double* K = matrix(ones);
    conv2<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(gray, out, K, height,
                                                                           width);
    cudaFree(K);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const double v[5] = {1.0, 2.0, 3.0, 2.0, 1.0};
    double outer[25];
    for (int k = 0; k < 25; k++) outer[k] = v[k / 5] * v[k % 5];
    double* K = matrix(outer);
    conv2<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(gray, out, K, height,
                                                                           width);
    cudaFree(K);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    double f[25];
    for (int k = 0; k < 25; k++) f[k] = filter25[k];
    double* K = matrix(f);
    conv2_rgb<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(rgb, out, K, divisor,
                                                                               height, width);
    cudaFree(K);
}
