//! Mistakes of lab 2 with sixteen pixels per load and counters per lane: each report names the line or the pattern.

use crate::mistakes::check;

/// Sixteen pixels per load, a histogram for each lane.
const COUNTS: &str = r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256][32];
    const int lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < 256 * 32; k += blockDim.x) counts[k / 32][k % 32] = 0;
    __syncthreads();
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x;
    const uint4* groups = (const uint4*)gray;
    for (int i = thread; i < pixels / 16; i += threads) {
        const uint4 v = groups[i];
        const uint32_t words[4] = {v.x, v.y, v.z, v.w};
        for (int w = 0; w < 4; w++)
            for (int b = 0; b < 4; b++)
                atomicAdd(&counts[(words[w] >> (8 * b)) & 255][lane], 1);
    }
    for (int i = pixels / 16 * 16 + thread; i < pixels; i += threads)
        atomicAdd(&counts[gray[i]][lane], 1);
    __syncthreads();
    if (threadIdx.x < 256) {
        uint32_t sum = 0;
        for (int k = 0; k < 32; k++) sum += counts[threadIdx.x][(k + lane) % 32];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    constexpr int block_size = 512;
    histogram_kernel<<<64, block_size>>>(gray, bins, width * height);
}
"#;

/// Four pixels per thread, gray and counts at once.
const GRAYS: &str = r#"#include "workbook.cuh"
__device__ uint32_t level_of(const uint8_t* rgb) {
    return (30 * rgb[0] + 59 * rgb[1] + 11 * rgb[2] + 50) / 100;
}
__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels / 4) {
        uint32_t out = 0;
        for (int k = 0; k < 4; k++) {
            const uint32_t level = level_of(rgb + 3 * (4 * i + k));
            out |= level << (8 * k);
            atomicAdd(&bins[level], 1);
        }
        ((uint32_t*)gray)[i] = out;
    } else if (i < pixels / 4 + pixels % 4) {
        const int last = pixels / 4 * 4 + i - pixels / 4;
        const uint32_t level = level_of(rgb + 3 * last);
        gray[last] = level;
        atomicAdd(&bins[level], 1);
    }
}
void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 128;
    gray_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb, gray, bins, pixels);
}
"#;

fn changed(task: &str, file: &str, [right, wrong]: [&str; 2], said: &[&str], unsaid: &[&str]) {
    assert!(file.contains(right), "{right}");
    check(task, &file.replacen(right, wrong, 1), said, unsaid);
}

#[test]
fn loops_over_groups_and_the_rest() {
    let rest = "pixels / 16 * 16 + thread";
    let cases: [([&str; 2], &str, &str); 7] = [
        (
            [rest, "(pixels / 16 + 1) * 16 + thread"],
            "the groups of line 10 end at 96: the elements between are left out",
            "whole words only",
        ),
        (
            [rest, "pixels / 16 + thread"],
            "the groups of line 10 end at 96: the elements between are taken twice",
            "the step is their number",
        ),
        (
            [
                "int i = pixels / 16 * 16 + thread; i < pixels; i += threads",
                "int i = pixels / 16 * 16; i < pixels; i++",
            ],
            "every thread of the grid goes through the loop of line 17",
            "the step is their number",
        ),
        (
            ["i < pixels / 16;", "i < pixels;"],
            "the loop of line 10 takes 16 elements in each round, and ends at `pixels`. Of ",
            "Do the last few one by one",
        ),
        (
            ["i < pixels / 16;", "i < pixels / 16 + 1;"],
            "takes 16 elements in each round, and ends at `pixels / 16 + 1`",
            "Do the last few one by one",
        ),
        (
            ["groups[i]", "groups[3 * i]"],
            "the index of this access is too large",
            "Do the last few one by one",
        ),
        (
            ["pixels / 16; i += threads", "pixels / 16; i += blockDim.x"],
            "the loop of line 10 goes on by `blockDim.x`",
            "halo",
        ),
    ];
    check("histogram", COUNTS, &["PASSED lab2"], &["error"]);
    for (change, said, unsaid) in cases {
        changed("histogram", COUNTS, change, &[said], &[unsaid]);
    }
}

#[test]
fn bytes_of_words_and_copies_of_counters() {
    let cases: [([&str; 2], &str, &str); 9] = [
        (["(8 * b)", "b"], "line 15 shifts by 0, 1, 2 and 3 bits, in the loop of line 14", "by hand"),
        (["v.z, v.w", "v.z, v.z"], "line 12 takes `v.z` twice, and `v.w` never", "by hand"),
        (["b < 4", "b < 3"], "leaves out those from 24 on", "Which thread leaves"),
        (
            ["k < 32; k++) sum", "k < 31; k++) sum"],
            "the loop of line 22 adds 31 of the 32 columns of `counts`",
            "Which thread leaves",
        ),
        (
            ["if (threadIdx.x < 256) {", "{"],
            "line 3 declares `counts[256][32]`, with the rows 0 to 255, but `threadIdx.x` goes from 0 to 511 here",
            "halo",
        ),
        (["(k + lane) % 32", "k + lane"], "go round within the row, `(k + lane) % 32`", "halo"),
        (
            ["[256][32];", "[256][64];"],
            "`histogram_kernel` declares 65,536 bytes of shared memory per block: arrays of a fixed size may take 49,152 bytes",
            "asm",
        ),
        (
            ["&counts[gray[i]][lane]", "&counts[gray[i]]"],
            "an index is missing. Name one element of the row, `atomicAdd(&counts[gray[i]][lane], 1)`",
            "&&",
        ),
        (
            [
                "for (int k = threadIdx.x; k < 256 * 32; k += blockDim.x) counts[k / 32][k % 32] = 0",
                "counts[threadIdx.x / 32][lane] = 0",
            ],
            "line 5 sets only `counts[0][0]` to `counts[15][31]` of the 8,192 elements",
            "in a loop, if there are more",
        ),
    ];
    for (change, said, unsaid) in cases {
        changed("histogram", COUNTS, change, &[said], &[unsaid]);
    }
}

#[test]
fn grays_that_are_put_together_or_stored_wrongly() {
    check("gray_histogram", GRAYS, &["PASSED lab2"], &["error"]);
    let cases: [([&str; 2], &str, &str); 4] = [
        (["(8 * k)", "(24 - 8 * k)"], "each 4 pixels of `gray` come in the reverse order", "by hand"),
        (
            ["out |=", "out ="],
            "of each 4 pixels of `gray`, counted from 0, only number 3 is right, and the others are 0",
            "by hand",
        ),
        (["        gray[last] = level;\n", ""], "and stores nothing to `gray[", "which condition"),
        (
            ["(rgb, gray, bins, pixels);", "(gray, gray, bins, pixels);"],
            "passes `gray` as `rgb` of `gray_kernel`, and `rgb` nowhere",
            "has this thread an element",
        ),
    ];
    for (change, said, unsaid) in cases {
        changed("gray_histogram", GRAYS, change, &[said], &[unsaid]);
    }
}

#[test]
fn counters_that_are_stored_zeroed_or_raised_by_an_index() {
    let counted = "    if (i < pixels) atomicAdd(&counts[gray[i]], 1);\n";
    let zeroed = "    counts[threadIdx.x] = 0;\n    __syncthreads();\n";
    let file = format!(
        "#include \"workbook.cuh\"\n__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {{\n\
         \x20   __shared__ uint32_t counts[256];\n    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n{zeroed}{counted}    __syncthreads();\n\
         \x20   atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);\n}}\n\
         void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {{\n    const int pixels = width * height;\n\
         \x20   histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);\n}}\n"
    );
    let both = format!("{zeroed}{counted}");
    let late = format!("{counted}    counts[threadIdx.x] = 0;\n");
    let cases: [([&str; 2], &str, &str); 6] = [
        ([&both, &late], "line 6 sets to 0 what line 5 has counted", "put a barrier between the two"),
        (
            ["gray[i]], 1)", "gray[i]], i)"],
            "line 7 adds `i`, which is no count, to `counts[gray[i]]`",
            "counted more than once",
        ),
        (
            [
                "atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);",
                "bins[threadIdx.x] = counts[threadIdx.x];",
            ],
            "each block stores its own counts over those of the other blocks: add them",
            "split the kernel",
        ),
        (
            [zeroed, "    bins[threadIdx.x] = 0;\n    counts[threadIdx.x] = 0;\n    __syncthreads();\n"],
            "sets `bins` to 0 after others have counted",
            "split the kernel",
        ),
        (
            ["blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x * blockDim.x"],
            "line 4 gives `i` the same value in all threads of a block",
            "in which they go on",
        ),
        (
            ["ceil_div(pixels, 256)", "ceil_div(width, 256)"],
            "launches it: `histogram_kernel<<<ceil_div(width, 256), 256>>>`",
            "y from its height",
        ),
    ];
    for (change, said, unsaid) in cases {
        changed("histogram", &file, change, &[said], &[unsaid]);
    }
}

/// Four counters of 8 bits, or two of 16 bits, per word of shared memory.
fn packed(of_word: usize, taken: &str) -> String {
    let (words, bits) = (256 / of_word, 32 / of_word);
    format!(
        r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {{
    __shared__ uint32_t counts[{words}];
    if (threadIdx.x < {words}) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[gray[i] / {of_word}], 1u << {bits} * (gray[i] % {of_word}));
    __syncthreads();
    const int v = threadIdx.x;
    const uint32_t word = counts[v / {of_word}] >> {bits} * (v % {of_word});
    atomicAdd(&bins[v], {taken});
}}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {{
    const int pixels = width * height;
    histogram_kernel<<<min(264, ceil_div(pixels, 256)), 256>>>(gray, bins, pixels);
}}
"#
    )
}

#[test]
fn packed_counters_that_overflow_or_are_not_taken_apart() {
    let said = ["lacks 2,560 (10 × 256), and its overflow, 10, went to", "counters of 8 bits share a word"];
    check("histogram", &packed(4, "word & 255"), &said, &["no known mistake"]);
    let said = ["too many: the bits above its own 16", "take the bits of one alone"];
    check("histogram", &packed(2, "word"), &said, &["Does each counter begin with 0"]);
}
