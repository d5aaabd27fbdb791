//! Lab 3 with a scan on the GPU: mistakes in the scan, before it and around it are named, not what follows from them.

use crate::mistakes::{check, histogram};

/// A right file of `equalize`.
const SCAN: &str = r#"#include "workbook.cuh"
constexpr int levels = 256;
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
__global__ void scan_kernel(const uint32_t* bins, uint8_t* table, int pixels) {
    __shared__ uint32_t cdf[levels];
    __shared__ uint32_t cdf_min;
    const int t = threadIdx.x;
    cdf[t] = bins[t];
    __syncthreads();
    for (int d = 1; d < levels; d *= 2) {
        uint32_t left = 0;
        if (t >= d) left = cdf[t - d];
        __syncthreads();
        cdf[t] += left;
        __syncthreads();
    }
    if (bins[t] > 0 && cdf[t] == bins[t]) cdf_min = cdf[t];
    __syncthreads();
    if (pixels == cdf_min) {
        table[t] = t;
    } else if (cdf[t] < cdf_min) {
        table[t] = 0;
    } else {
        table[t] = (uint8_t)(255.0f * (cdf[t] - cdf_min) / (pixels - cdf_min) + 0.5f);
    }
}
__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, const uint8_t* __restrict__ table, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}
void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMalloc(&table, levels * sizeof(uint8_t));
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    scan_kernel<<<1, levels>>>(bins, table, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(bins);
    cudaFree(table);
}
"#;

#[test]
fn what_is_wrong_around_a_scan_is_told() {
    let launches = "    scan_kernel<<<1, levels>>>(bins, table, pixels);\n";
    let count = "    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);\n";
    for (right, wrong, said) in [
        (
            "t >= d",
            "t > d",
            "error[W0305]: after the loop of line 13, `cdf[1]` is not the sum of the elements 0 to 1: element 0 is missing. So line",
        ),
        (
            "cdf[t] += left",
            "cdf[t] = left",
            "next: Solve W0201 first: line 20 sets `cdf_min` only where `bins[t] > 0 && cdf[t] == bins[t]`",
        ),
        (
            "d *= 2",
            "d += 2",
            "seen: after the loop of line 13, `cdf[2]` is not the sum of the elements 0 to 2",
        ),
        (
            "if (t >= d) left",
            "left",
            "but `t - d` goes from -128 to 254 here (in this thread, `t` is 0 and `d` is 1)",
        ),
        (
            &format!("{count}{launches}"),
            &format!("{launches}{count}"),
            "line 41 launches `scan_kernel`, which reads `bins`, before line 42 launches `histogram_kernel`",
        ),
        (
            "    cudaMemset(bins, 0, levels * sizeof(uint32_t));\n",
            "",
            "try: no line sets the counters `bins` to 0",
        ),
        (
            "0, levels * sizeof(uint32_t));",
            "levels * sizeof(uint32_t), 0);",
            "sets 0 bytes: the order is pointer, value, bytes",
        ),
        (
            "(gray, bins, pixels);",
            "(gray, bins, width);",
            "seen: line 41 passes `width` as `pixels` of `histogram_kernel`",
        ),
        ("cudaMalloc(&table", "cudaMalloc(table", "`cudaMalloc(&table, bytes)`"),
        ("cdf[levels]", "cdf[255]", "line 8 declares `cdf[255]`, with the elements 0 to 254"),
    ] {
        assert!(SCAN.contains(right), "{right}");
        check(
            "equalize",
            &SCAN.replacen(right, wrong, 1),
            &[said],
            &["to exist", "If `scan_kernel` is to write"],
        );
    }
}

#[test]
fn pixels_that_are_counted_twice_and_sums_without_their_own_level() {
    let step = SCAN.replacen(
        "    if (i < pixels) atomicAdd(",
        "    const int step = blockDim.x;\n    for (; i < pixels; i += step) atomicAdd(",
        1,
    );
    let said =
        ["seen: line 5 sets `step`, the step of the loop in line 6, to `blockDim.x`", "was read by thread"];
    check("equalize", &step, &said, &["halo", "shared memory is filled"]);
    let tested = "    } else if (cdf[t] < cdf_min) {\n        table[t] = 0;\n    } else {";
    let exclusive = SCAN.replacen(tested, "    } else {", 1).replacen(
        "(cdf[t] - cdf_min)",
        "(cdf[t] - bins[t] - cdf_min)",
        1,
    );
    check("equalize", &exclusive, &["equalize: the CDF leaves out the level itself"], &["by hand"]);
}

/// What stands between the brackets of a head in two lines counts for nothing.
#[test]
fn a_scan_in_a_kernel_whose_head_has_two_lines() {
    let file = SCAN.replacen("t >= d", "t > d", 1).replacen(
        ", uint8_t* table, int",
        ",\n    uint8_t* table, int",
        1,
    );
    let said =
        "after the loop of line 14, `cdf[1]` is not the sum of the elements 0 to 1: element 0 is missing";
    check("equalize", &file, &[said], &["let one thread store"]);
}

#[test]
fn counters_of_a_block_and_large_pictures() {
    let body = "    counts[t] = 0;\n    __syncthreads();\n    for (int k = i; k < pixels; k += gridDim.x * blockDim.x) {\n        atomicAdd(&counts[gray[k]], 1u);\n        \
                atomicAdd(&bins[t], counts[t]);\n    }";
    let said = ["error[W0307]", "line 10 stands in the loop of line 8"];
    check("histogram", &histogram(body), &said, &["make both atomic"]);
    let own = "    if (i < 256) counts[i] = 0;\n    __syncthreads();\n    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);\n    __syncthreads();\n    atomicAdd(&bins[t], counts[t]);";
    let said = "line 6 uses an index of the grid: `i` (line 5) counts the threads of all blocks";
    check("histogram", &histogram(own), &["error[W0203]", said], &["in a loop, if there are"]);
    let cut = histogram("    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);")
        .replace("<<<ceil_div(pixels, 256),", "<<<min(ceil_div(pixels, 256), 1024),");
    let said = [
        "wrong output, in large pictures only",
        "line 10 cuts the number of blocks (`min`)",
        "up to 262,144 pixels are right, and those of 272,640 pixels",
    ];
    check("histogram", &cut, &said, &["no known mistake"]);
}
