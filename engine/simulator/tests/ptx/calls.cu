// Sample for `ptx_samples.rs`: functions that stay functions, structures by value, calls through pointers.
// calls.ptx: NVRTC 13.5.37, -arch=compute_100 -lineinfo (this compiler writes a call on one line)

struct Five {
    int values[5];
};

__device__ __noinline__ Five bump(Five five, double by) {
    five.values[1] += (int)by;
    return five;
}

__device__ __noinline__ int triple(int x) {
    return x * 3;
}

__device__ __noinline__ int flip(int x) {
    return x ^ 5;
}

__device__ int (*const table[2])(int) = {triple, flip};

extern "C" __global__ void __launch_bounds__(256, 2) calls(Five five, int* out, int n) {
    Five bumped = bump(five, 2.0);
    out[0] = table[n & 1](bumped.values[1]);
    out[1] = flip(n);
}
