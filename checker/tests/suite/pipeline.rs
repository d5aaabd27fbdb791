//! Causes in files of several steps: what is named first is the step that is wrong, and nothing that is right.

use crate::mistakes::check;

const FILE: &str = r#"#include "workbook.cuh"
__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}
__global__ void histogram_kernel(const uint8_t* gray, int* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1);
}
__global__ void stretch_kernel(uint8_t* gray, int pixels, int low, int high) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels || low == high) return;
    const int v = min(max(int(gray[i]), low), high);
    gray[i] = (255 * (v - low) + (high - low) / 2) / (high - low);
}
__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int j = max(y - 2, 0); j <= min(y + 2, height - 1); j++)
        for (int i = max(x - 2, 0); i <= min(x + 2, width - 1); i++, count++) sum += gray[j * width + i];
    out[y * width + x] = (sum + count / 2) / count;
}
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height, blocks = ceil_div(pixels, 256);
    uint8_t *rgb, *gray, *out;
    int* bins;
    cudaMalloc(&rgb, 3 * pixels);
    cudaMalloc(&gray, pixels);
    cudaMalloc(&out, pixels);
    cudaMalloc(&bins, 256 * sizeof(int));
    cudaMemcpy(rgb, host_rgb, 3 * pixels, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, 256 * sizeof(int));
    gray_kernel<<<blocks, 256>>>(rgb, gray, pixels);
    histogram_kernel<<<blocks, 256>>>(gray, bins, pixels);
    int counts[256];
    cudaMemcpy(counts, bins, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    const int need = ceil_div(pixels, 1024);
    int low = 0, high = 255;
    while (low < 255 && counts[low] < need) low++;
    while (high > 0 && counts[high] < need) high--;
    stretch_kernel<<<blocks, 256>>>(gray, pixels, low, high);
    smooth_kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(gray, out, width, height);
    cudaMemcpy(host_out, out, pixels, cudaMemcpyDeviceToHost);
    for (void* memory : {(void*)rgb, (void*)gray, (void*)out, (void*)bins}) cudaFree(memory);
}
"#;

/// The file with one change.
fn changed(from: &str, to: &str) -> String {
    assert!(FILE.contains(from), "{from}");
    FILE.replacen(from, to, 1)
}

#[test]
fn a_copy_of_a_part_is_the_cause_of_what_is_computed_from_the_rest() {
    let bytes = changed("cudaMemcpy(counts, bins, 256 * sizeof(int)", "cudaMemcpy(counts, bins, 256");
    let said =
        ["error[W0201]", "`counts`, of which line 37 fills only 256 of 1024 bytes", "Solve W0201 first"];
    check("pipeline", &bytes, &said, &["error[W0207]"]);
    let small = changed("int counts[256]", "int counts[64]");
    check("pipeline", &small, &["error[W0602]", "but `counts` has 256 bytes (line 36)"], &["host_out"]);
}

#[test]
fn a_range_is_right_only_where_its_parts_are() {
    let equal = changed("counts[high] < need", "counts[high] <= need");
    let said =
        ["the first wrong result is the range, given to `stretch_kernel`: `high` is 0, and should", "be 187"];
    check("pipeline", &equal, &said, &["and the range, given to", "`smooth_kernel`"]);
    let turned = changed("pixels, low, high);\n    smooth", "pixels, high, low);\n    smooth");
    check("pipeline", &turned, &["passes `high` as `low`"], &["and the range, given to"]);
}

#[test]
fn a_comparison_is_not_quoted_in_part() {
    let wide = changed("min(x + 2, width - 1)", "min(x + 2, width)");
    check("pipeline", &wide, &["error[W0101]"], &["`i <= min`", "`i < min`"]);
}

#[test]
fn what_an_earlier_kernel_or_another_argument_leaves_unwritten() {
    let few = changed("gray_kernel<<<blocks", "gray_kernel<<<ceil_div(width, 256)");
    let said = ["error[W0202]", "line 34 launches `gray_kernel`, which gets `gray`, before"];
    check("pipeline", &few, &said, &["launch it first"]);
    let other = changed("histogram_kernel<<<blocks, 256>>>(gray", "histogram_kernel<<<blocks, 256>>>(out");
    check(
        "pipeline",
        &other,
        &["line 35 passes `out` as `gray` of `histogram_kernel`"],
        &["launch it first", "set `out`"],
    );
}
