// No include at all: what nvcc's own forced include gives is there.
__global__ void invert(const unsigned char* in, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 255 - in[i];
}
void bare(const unsigned char* in, unsigned char* out, int width, int height) {
    invert<<<(width * height + 255) / 256, 256>>>(in, out, width * height);
    if (cudaGetLastError() != cudaSuccess) printf("failed\n");
}
int main() { return 0; }
