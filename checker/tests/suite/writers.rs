//! Wrong outputs whose last writer is not the kernel that a reader of the file looks at first, and texts that seem to say a cause.

use crate::mistakes::{check, histogram};

/// Sixteen pixels per load, a histogram for each lane; gray levels and their counts from the same kernel.
const FILE: &str = r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256][32];
    const int lane = threadIdx.x % 32;
    for (int level = threadIdx.x / 32; level < 256; level += blockDim.x / 32)
        counts[level][lane] = 0;
    __syncthreads();
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x;
    const int groups = pixels / 16;
    const uint4* wide = reinterpret_cast<const uint4*>(gray);
    for (int g = thread; g < groups; g += threads) {
        const uint4 four = wide[g];
        const uint32_t words[4] = {four.x, four.y, four.z, four.w};
        for (int w = 0; w < 4; w++)
            for (int k = 0; k < 4; k++)
                atomicAdd(&counts[(words[w] >> (8 * k)) & 255][lane], 1);
    }
    for (int i = 16 * groups + thread; i < pixels; i += threads)
        atomicAdd(&counts[gray[i]][lane], 1);
    __syncthreads();
    if (threadIdx.x < 256) {
        uint32_t sum = 0;
        for (int k = 0; k < 32; k++)
            sum += counts[threadIdx.x][(k + threadIdx.x) % 32];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<std::min(ceil_div(pixels, 1024), 64), 1024>>>(gray, bins, pixels);
}
__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < pixels; i += threads) {
        const int level = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        gray[i] = level;
        atomicAdd(&counts[level], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<std::min(ceil_div(pixels, 256), 64), 256>>>(rgb, gray, bins, pixels);
}
"#;

const LAUNCH: &str =
    "    histogram_kernel<<<std::min(ceil_div(pixels, 1024), 64), 1024>>>(gray, bins, pixels);\n";
const GRAY: &str =
    "    gray_kernel<<<std::min(ceil_div(pixels, 256), 64), 256>>>(rgb, gray, bins, pixels);\n";

/// The file with other texts in place of some of its own.
fn with(changes: &[[&str; 2]]) -> String {
    changes.iter().fold(FILE.to_owned(), |file, [right, wrong]| {
        assert!(file.contains(right), "{right}");
        file.replacen(right, wrong, 1)
    })
}

/// The file with lines behind a launch.
fn behind(launch: &str, lines: &str) -> String {
    with(&[[launch, &format!("{launch}    {lines}\n")]])
}

#[test]
fn right_files_pass() {
    for task in ["histogram", "gray_histogram"] {
        check(task, FILE, &["PASSED lab2"], &["error"]);
    }
}

#[test]
fn a_copy_or_fill_behind_the_kernel_is_the_last_writer() {
    let unsaid = ["was never written", "counted and lost", "what line 41 stores", "no known mistake"];
    let copy = behind(GRAY, "cudaMemcpy(gray, rgb, pixels, cudaMemcpyDeviceToDevice);");
    let said =
        ["line 50 copies 1 byte of `rgb` to `gray` after kernels have stored to it, and it was right before"];
    check("gray_histogram", &copy, &said, &unsaid);
    let zeros = behind(
        LAUNCH,
        "uint32_t host[256] = {};\n    cudaMemcpy(bins, host, sizeof(host), cudaMemcpyHostToDevice);",
    );
    let said = [
        "line 33 copies 1,024 bytes of the host to `bins`",
        "it was right before",
        "this copy puts other bytes",
    ];
    check("histogram", &zeros, &said, &unsaid);
    let fill = behind(LAUNCH, "cudaMemset(bins, 0, 1024);");
    check(
        "histogram",
        &fill,
        &["line 32 fills `bins` after kernels have stored to it, and it was right before"],
        &unsaid,
    );
    // A fill that destroys nothing right is no cause.
    let both = [
        ["level < 256; level", "level < 256; level"],
        [LAUNCH, &format!("{LAUNCH}    cudaMemset(bins, 0, 1024);\n{LAUNCH}")],
    ];
    let wrong = with(&both).replacen("sum += counts", "sum += (k + threadIdx.x == 9) + counts", 1);
    check("histogram", &wrong, &["wrong output"], &["fills `bins`"]);
}

#[test]
fn a_copy_of_too_few_bytes_is_named() {
    let temporary = |bytes: &str| {
        let calls = format!(
            "    uint32_t* temp;\n    cudaMalloc(&temp, 1024);\n    cudaMemset(temp, 0, 1024);\n{}    cudaMemcpy(bins, temp, {bytes}, cudaMemcpyDeviceToDevice);\n    cudaFree(temp);\n",
            GRAY.replace("bins", "temp")
        );
        with(&[[GRAY, &calls]])
    };
    check("gray_histogram", &temporary("1024"), &["PASSED"], &["error"]);
    let said = [
        "line 53 copies 256 bytes to `bins`, which has 1,024: `bins[64]` to `bins[255]`",
        "were not copied; all of `temp`, from which it copies, is right",
        "counts bytes, not elements",
    ];
    check("gray_histogram", &temporary("256"), &said, &["stay 0", "to one thread", "fewer threads"]);
    // What is copied is wrong before: the kernel is at fault.
    let wrong = temporary("1024").replacen(
        "gray[i] = level;\n",
        "gray[i] = level;\n        if (i % 7 == 3) continue;\n",
        1,
    );
    check("gray_histogram", &wrong, &["wrong output"], &["it was right before", "were not copied"]);
}

#[test]
fn counts_of_another_launch_are_told_with_what_it_is_given() {
    let counts = with(&[
        ["        atomicAdd(&counts[level], 1);\n", ""],
        [GRAY, &format!("{GRAY}    histogram(rgb, bins, width, height);\n")],
    ]);
    let said = [
        "`gray`, which `gray_kernel` stores, is right",
        "come from `histogram_kernel`",
        "given `rgb` and `bins`",
    ];
    check("gray_histogram", &counts, &said, &["Compute the level once"]);
}

#[test]
fn a_block_number_for_a_level_is_not_told_as_a_missing_guard() {
    let unsaid = ["if (thread < n)", "has this thread an element", "no condition before"];
    let flush = "    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);";
    let grid = with(&[[flush, "    atomicAdd(&bins[thread], counts[threadIdx.x]);"]]);
    let said = [
        "`thread` is the number of the thread in the whole grid",
        "likely both need the same index, `bins[threadIdx.x]`",
    ];
    check("gray_histogram", &grid, &said, &unsaid);
    let bytes = histogram("    if (i < pixels) atomicAdd(bins + 4 * gray[i], 1);");
    let said =
        ["uses `bins + 4 * gray[i]`, element", "a pointer counts elements, not bytes", "`bins + gray[i]`"];
    check("histogram", &bytes, &said, &unsaid);
}

#[test]
fn groups_that_are_not_whole_are_told_by_the_line_that_counts_them() {
    let unsaid = ["ends with the last whole group", "the index of this access is too large"];
    let up = with(&[["groups = pixels / 16", "groups = ceil_div(pixels, 16)"]]);
    check(
        "histogram",
        &up,
        &["line 10 rounds up: `ceil_div(pixels, 16)`", "end with the whole groups"],
        &unsaid,
    );
    let four = with(&[["groups = pixels / 16", "groups = pixels / 4"], ["16 * groups", "4 * groups"]]);
    check(
        "histogram",
        &four,
        &["takes 16 bytes at once, but `groups` is `pixels / 4`", "`pixels / 16`"],
        &unsaid,
    );
    let square = with(&[["const int pixels = width * height;", "const int pixels = width * width;"]]);
    check("histogram", &square, &["line 30 computes `width * width`"], &unsaid);
    let rest = with(&[[
        "i < pixels; i += threads)\n        atomicAdd(&counts[gray",
        "i < pixels % 16; i += threads)\n        atomicAdd(&counts[gray",
    ]]);
    let said = [
        "the loop of line 19 begins at `16 * groups + thread` and ends at `pixels % 16`: of 97 elements, 96 and 1",
    ];
    check("histogram", &rest, &said, &[]);
}

#[test]
fn counters_that_are_added_wrongly_are_not_told_as_pixels_that_are_counted_twice() {
    let unsaid = ["Some pixels are counted more than once", "two threads or blocks read the same"];
    for wrong in ["% 31]", "% 1]"] {
        let file = with(&[["% 32];", &format!("{wrong};")]]);
        check("histogram", &file, &["Each pixel is read once, by one thread"], &unsaid);
    }
    let guard = with(&[["if (threadIdx.x < 256)", "if (threadIdx.x < 32)"]]);
    check(
        "histogram",
        &guard,
        &["line 22 lets only what is below 32 through"],
        &["even if a block has fewer threads"],
    );
    let index = with(&[["counts[level][lane] = 0", "counts[lane][level] = 0"]]);
    let said = [
        "is carried out 8,192 times by the threads of a block",
        "The index `level` goes up to 255, where the array has 32",
    ];
    check("histogram", &index, &said, &["let each thread go on by"]);
}

#[test]
fn dynamic_shared_memory_is_told_by_what_the_kernel_uses() {
    let dynamic = |bytes: &str| {
        with(&[
            ["__shared__ uint32_t counts[256][32]", "extern __shared__ uint32_t counts[][32]"],
            [", 64), 1024>>>", &format!(", 64), 1024{bytes}>>>")],
        ])
    };
    let said = ["uses elements up to `counts[8191]`: 8,192 elements of 4 bytes are 32,768 bytes", "line 31"];
    check("histogram", &dynamic(""), &said, &["4096"]);
    check("histogram", &dynamic(", 4096"), &said, &["makes 4096"]);
    check("histogram", &dynamic(", 32768"), &["PASSED"], &["error"]);
}

#[test]
fn elements_that_no_thread_reads_are_told_of_a_small_picture() {
    let chunks = with(&[[
        "    for (int i = thread; i < pixels; i += threads) {",
        "    const int chunk = pixels / threads;\n    for (int i = thread * chunk; i < (thread + 1) * chunk; i++) {",
    ]]);
    check("gray_histogram", &chunks, &["never written"], &["level\""]);
    let counts = histogram(
        "    counts[t] = 0;\n    __syncthreads();\n    const int chunk = pixels / (gridDim.x * blockDim.x);\n    for (int k = i * chunk; k < (i + 1) * chunk; k++) atomicAdd(&counts[gray[k]], 1u);\n    __syncthreads();\n    atomicAdd(&bins[t], counts[t]);",
    );
    check(
        "histogram",
        &counts,
        &["case \"1x1\"", "`gray`, which `histogram_kernel` is given, was never read"],
        &["noise"],
    );
}

#[test]
fn a_pixel_that_is_stored_and_not_counted_is_named() {
    let lost =
        with(&[["        gray[i] = level;\n", "        gray[i] = level;\n        if (i == 96) continue;\n"]]);
    check(
        "gray_histogram",
        &lost,
        &["`gray[96]`, the only pixel of level", "is right: line 41 stores it"],
        &[],
    );
}
