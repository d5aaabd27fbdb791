// The kernels of tests/programs/basics.cu that the comparison runs, in OpenCL C: same algorithm, same shapes.
__constant float weights[3] = {0.3f, 0.59f, 0.11f};

__kernel void gray(__global const uchar* restrict rgb, __global uchar* restrict out, int n) {
    const int i = get_global_id(0);
    if (i < n) {
        out[i] = (uchar)(weights[0] * rgb[3 * i] + weights[1] * rgb[3 * i + 1] + weights[2] * rgb[3 * i + 2] + 0.5f);
    }
}

__kernel void histogram(__global const uchar* restrict in, __global uint* bins, int n) {
    __local uint mine[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) mine[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // all counters are zero
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);  // all pixels of this group are counted
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&bins[i], mine[i]);
}

__kernel void box(__global const uchar* restrict in, __global uchar* restrict out, int width, int height) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            const int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < width && yy >= 0 && yy < height) {
                sum += in[yy * width + xx];
                count++;
            }
        }
    }
    out[y * width + x] = (uchar)((sum + count / 2) / count);
}
