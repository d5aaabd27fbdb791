//! A wrong output of several steps: the report names the first step whose result is wrong, and what is right before it.

use crate::mistakes::check;

/// A file of lab 3 with these changes: kernels for the histogram, the range and the mapping.
fn stretch(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(STRETCH.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

const STRETCH: &str = r#"#include "workbook.cuh"
struct Range { int low, high; };
__global__ void count(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&local[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
__global__ void find(const uint32_t* bins, Range* range, int pixels) {
    __shared__ int low, high;
    int v = threadIdx.x;
    if (v == 0) { low = 255; high = 0; }
    __syncthreads();
    if (bins[v] >= ceil_div(pixels, 1024)) { atomicMin(&low, v); atomicMax(&high, v); }
    __syncthreads();
    if (v == 0) { range->low = low; range->high = high; }
}
__global__ void map(const uint8_t* gray, uint8_t* out, const Range* range, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    int low = range->low, high = range->high, v = min(max((int)gray[i], low), high);
    out[i] = low == high ? gray[i] : (255 * (v - low) + (high - low) / 2) / (high - low);
}
void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    Range* range;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMalloc(&range, sizeof(Range));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    find<<<1, 256>>>(bins, range, pixels);
    map<<<ceil_div(pixels, 256), 256>>>(gray, out, range, pixels);
    cudaFree(bins);
    cudaFree(range);
}
"#;

#[test]
fn the_first_wrong_step_is_named() {
    let starts = stretch(&[("low = 255; high = 0;", "low = 0; high = 0;")]);
    let said =
        ["the first wrong result is the range: `low` in `range` is 0, and should be", "`find`, line 19"];
    check("contrast_stretch", &starts, &said, &["no known mistake"]);
    let mapped =
        stretch(&[("(255 * (v - low) + (high - low) / 2)", "(255 * (high - v) + (high - low) / 2)")]);
    let said = [
        "what comes after the range is wrong: `out` (`map`, line 25)",
        "right before it: the histogram, `bins` (`count`, line 10) and the range, `range`",
        "the results before it are right",
    ];
    check("contrast_stretch", &mapped, &said, &["no known mistake", "the first wrong result"]);
    let tail = stretch(&[
        ("if (i < pixels) atomicAdd", "if (i < pixels - 1) atomicAdd"),
        ("    if (bins[v]", "    if (v == 7 || bins[v]"),
    ]);
    let said = ["the first wrong result is the histogram: `bins[", "in all and should count"];
    check("contrast_stretch", &tail, &said, &["no known mistake"]);
}

#[test]
fn counters_that_no_thread_adds_come_before_the_steps() {
    let half = stretch(&[(
        "    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);",
        "    if (threadIdx.x < 128) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);",
    )]);
    let said = ["line 10 reads only `local[0]` to `local[127]` of the 256 counters"];
    check("contrast_stretch", &half, &said, &[]);
}

#[test]
fn a_search_without_an_end_is_told_with_the_wrong_counts_that_it_searches() {
    let search = [
        ("    __shared__ int low, high;\n", "    __shared__ uint32_t own[256];\n"),
        ("    if (v == 0) { low = 255; high = 0; }\n", "    own[v] = bins[v];\n"),
        (
            "    if (bins[v] >= ceil_div(pixels, 1024)) { atomicMin(&low, v); atomicMax(&high, v); }\n",
            "    int low = 0, high = 255;\n    const uint32_t most = ceil_div(pixels, 1024);\n    if (v > 0) return;\n\
             \x20   while (own[low] < most) ++low;\n    while (own[high] < most) --high;\n",
        ),
        ("    __syncthreads();\n    if (v == 0) { range", "    if (v == 0) { range"),
    ];
    check("contrast_stretch", &stretch(&search), &["PASS"], &[]);
    let none = [("if (i < pixels) atomicAdd", "if (i < pixels - 1) atomicAdd")];
    let said = [
        "error[W0106]: reads `own[256]`",
        "seen: in case \"1x1\", the histogram is wrong: `bins[",
        "Look at this step first",
    ];
    check("contrast_stretch", &stretch(&[&search[..], &none].concat()), &said, &["Solve W0106"]);
    let past = [("own[low] < most", "own[low] <= most + pixels")];
    let unsaid = ["the histogram is wrong", "Look at this step"];
    check("contrast_stretch", &stretch(&[&search[..], &past].concat()), &["error[W0106]"], &unsaid);
}
