// about: The compiler fuses a product into a difference, which then keeps the product's low bits, unless it has other uses.
// input a: f32[1] = 1.000244140625
// output minus: f32[3] = {a[0] * a[0] - 1.00048828125; 1.00048828125 - a[0] * a[0]; 0}
// output used: f32[2] = {0; 1.00048828125}
// output wide: f64[1] = from_f32_bits(0x24800000)
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* a, float* minus, float* used, double* wide) {
    const float x = a[0];
    minus[0] = x * x - 1.00048828125f;
    const float y = minus[0] == 12345.0f ? 2.0f : x;
    minus[1] = 1.00048828125f - y * y;
    minus[2] = __fsub_rn(__fmul_rn(x, x), 1.00048828125f);
    const float z = minus[1] == 12345.0f ? 2.0f : x;
    const float product = z * z;
    used[0] = product - 1.00048828125f;
    used[1] = product;
    // (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54
    const double d = 1.0 + (double)(x - 1.0f) / 32768.0;
    const double e = 1.0 + (double)(x - 1.0f) / 16384.0;
    *wide = d * d - e;
}

void run(const float* a, float* minus, float* used, double* wide) {
    kernel<<<1, 1>>>(a, minus, used, wide);
}
