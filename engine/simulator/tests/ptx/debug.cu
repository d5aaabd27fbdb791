// Sample for `ptx_samples.rs`: a debug build, whose DWARF sections are skipped.
// debug.ptx: NVRTC 12.9.86, -arch=compute_90 -G

extern "C" __global__ void debug(int* out) {
    out[1] = 3;
}
