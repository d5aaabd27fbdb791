// Sample for `ptx_samples.rs`: variables with initial values of every kind.
// initializers.ptx: NVRTC 12.9.86, -arch=compute_90 -lineinfo

struct Plain {
    int a;
    const int* p;
    char c;
};

struct __attribute__((packed)) Packed {
    char c;
    int* p;
};

__device__ int numbers[4] = {1, 2, 3, 4};
__device__ Plain plain = {7, &numbers[2], 'x'};
__device__ Packed packed = {1, &numbers[1]};
__constant__ float weights[2][3] = {{0.25f, -1.0f}, {3.5f}};
__constant__ double pi = 3.25;
__device__ float single = -0.5f;
__managed__ int managed = 3;
__device__ const char* message = "hi\n";
__device__ long long negative = -5;
__device__ short small = -2;

extern "C" __global__ void initializers(double* out, int n) {
    out[0] = *plain.p + *packed.p + weights[n & 1][n % 3] + pi + single + managed + message[n] + negative + small;
}
