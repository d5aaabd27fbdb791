// Sample for `ptx_samples.rs`: inline assembly with scopes, registers and labels of its own, twice.
// assembly.ptx: NVRTC 12.9.86, -arch=compute_90 -lineinfo

__device__ __forceinline__ int count(int value, int n) {
    asm volatile("{\n"
                 "  .reg .pred p;\n"
                 "  .reg .b32 step<3>;\n"
                 "  mov.u32 step1, 0x1F;\n"
                 "again:\n"
                 "  setp.gt.and.s32 p|_, %0, step1, %%is_explicit_cluster;\n"
                 "  @!p bra done;\n"
                 "  { .reg .b32 step1; mov.u32 step1, WARP_SZ; sub.s32 %0, %0, step1; }\n"
                 "  bra.uni again;\n"
                 "done: add.s32 %0, %0, %1; /* a comment\n"
                 "  of two lines */ }"
                 : "+r"(value)
                 : "r"(n));
    return value;
}

extern "C" __global__ void assembly(int* out, int n) {
    out[0] = count(out[0], n);
    out[1] = count(out[1], 7);
    out[2] = clock64() + threadIdx.y;
}
