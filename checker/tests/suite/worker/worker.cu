// The source of host.ptx (compiled with -DHOST) and device.ptx (without), by NVRTC 12.9 for compute_90. The host
// part calls the workbook's runtime by hand, so that the test of the worker needs neither shim nor compiler.
typedef unsigned char uint8_t;
typedef unsigned long long word;
extern "C" __device__ int host_call(int, void*);

extern "C" __global__ void invert(const uint8_t* in, uint8_t* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 255 - in[i];
}

#ifdef HOST
extern "C" __global__ void workbook_entry_invert(const uint8_t* in, uint8_t* out, int n) {
    void* addresses[3] = {(void*)&in, (void*)&out, (void*)&n};
    word sizes[3] = {8, 8, 4};
    word words[12] = {(word)(void*)invert, (word)((n + 31) / 32), 1, 1, 32, 1, 1, 0, 0, 3,
                      (word)(void*)addresses, (word)(void*)sizes};
    host_call(1, words);
}
// Long, but within the interpreter's limit of instructions: called often enough it takes minutes.
extern "C" __global__ void workbook_entry_slow(const uint8_t* in, uint8_t* out, int n) {
    volatile int x = 0;
    while (x < 100000 * n) x = x + 1;
}
#endif
