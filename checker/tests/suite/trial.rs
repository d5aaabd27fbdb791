//! What a trial of the labs stumbled over: the report names the cause, and the line.

use crate::mistakes::{check, histogram, tile};

/// A file of lab 4 with these inner lines of `filter_rgb_kernel`, and this copy of the filter.
fn filter(inner: &str, copy: &str) -> String {
    FILTER.replace("INNER", inner).replace("COPY", copy)
}

const FILTER: &str = r#"#include "workbook.cuh"
__constant__ int filter[25];
__global__ void filter_rgb_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool border = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    int sum = 0;
    for (int c = 0; c < 3; c++) {
        const int at = 3 * (y * width + x) + c;
INNER
        sum /= divisor;
        out[at] = border ? rgb[at] : min(max(sum, 0), 255);
    }
}
void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width, int height) {
    COPY
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter_rgb_kernel<<<grid, dim3(32, 8)>>>(rgb, out, divisor, width, height);
}
"#;

/// The inner lines with this first value of the sum, this neighbour and this value of the filter.
fn inner(first: &str, neighbour: &str, value: &str) -> String {
    format!(
        "{first}\n        for (int dy = -2; dy <= 2 && !border; dy++)\n            for (int dx = -2; dx <= 2; dx++)\n                \
         sum += filter[{value}] * rgb[{neighbour}];"
    )
}

const COPY: &str = "cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int));";
const FIRST: &str = "        sum = 0;";
const NEIGHBOUR: &str = "3 * ((y + dy) * width + x + dx) + c";
const VALUE: &str = "5 * (dy + 2) + dx + 2";

#[test]
fn pixels_of_three_bytes() {
    let narrow = filter(&inner(FIRST, "(y + dy) * width + x + dx + c", VALUE), COPY);
    let said = ["as if a pixel were one byte", "rgb[3 * ((y + dy) * width + x + dx) + c]"];
    check("filter_rgb", &narrow, &said, &["host address", "never read"]);
    let carried = filter(&inner("", NEIGHBOUR, VALUE), COPY);
    let said = ["begin with what the channel before left", "Set the sum to 0 at the start of each channel"];
    check("filter_rgb", &carried, &said, &["look at how the result is rounded"]);
}

#[test]
fn the_filter_in_constant_memory() {
    let assigned =
        filter(&inner(FIRST, NEIGHBOUR, VALUE), "for (int k = 0; k < 25; k++) filter[k] = filter25[k];");
    let said =
        ["line 19 uses `filter` in a host function", "`__constant__` variable", "`cudaMemcpyToSymbol(name"];
    check("filter_rgb", &assigned, &said, &["the kernel stopped itself"]);
    let negative = filter(&inner(FIRST, NEIGHBOUR, "5 * dy + dx"), COPY);
    let said = ["error[W0101]", "of `filter`", "`dy` begins with -2 in line 11", "add 2"];
    check("filter_rgb", &negative, &said, &["check its column and its row"]);
}

#[test]
fn memory_of_the_gpu_that_the_host_writes() {
    let host = |line: &str| {
        let body = "    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);";
        histogram(body).replace(
            "    const int pixels = width * height;\n",
            &format!("    const int pixels = width * height;\n    {line}\n"),
        )
    };
    let write = host("for (int v = 0; v < 256; ++v) bins[v] = 0;");
    let said = [
        "error[W0601]",
        "writes GPU memory directly",
        "`cudaMemset`",
        "cudaMemcpyHostToDevice",
        "before the launch",
    ];
    check("histogram", &write, &said, &["read the copy"]);
    let read = host("if (bins[0] > 0) return;");
    let said = ["error[W0601]", "reads GPU memory directly", "cudaMemcpyDeviceToHost", "read the copy"];
    check("histogram", &read, &said, &["cudaMemset"]);
}

/// A file of lab 4 with this kernel for the box, this place of a neighbour, and these sizes of its launch.
fn smooth(start: &str, inside: &str, store: &str, launch: &str) -> String {
    BOX.replace("START", start).replace("INSIDE", inside).replace("STORE", store).replace("LAUNCH", launch)
}

const BOX: &str = r#"#include "workbook.cuh"
__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    START
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const int nx = x + dx, ny = y + dy;
            if (INSIDE) {
                sum += gray[ny * width + nx];
                count++;
            }
        }
    STORE = (sum + count / 2) / count;
}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    LAUNCH
}
"#;

const START: &str = "int sum = 0, count = 0;";
const INSIDE: &str = "nx >= 0 && nx < width && ny >= 0 && ny < height";
const STORE: &str = "out[y * width + x]";
const LAUNCH: &str = "smooth_box_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);";

#[test]
fn sums_without_a_first_value() {
    let both = smooth("int sum, count;", INSIDE, STORE, LAUNCH);
    let said = [
        "line 5 declares `sum` and `count` without a value, and line 10 adds to them",
        "Give a sum or a counter",
    ];
    check("smooth_box", &both, &said, &["which condition keeps it"]);
}

#[test]
fn indices_and_conditions_of_a_picture() {
    let turned = smooth(START, INSIDE, "out[x * width + y]", LAUNCH);
    let said = ["error[W0101]", "line 14 computes an index with `x * width`", "`y * width + x`"];
    check("smooth_box", &turned, &said, &["has this thread an element"]);
    let joined = smooth(START, &INSIDE.replace("&&", "||"), STORE, LAUNCH);
    let said = ["error[W0101]", "line 9 joins its tests by `||`", "Join them by `&&`"];
    check("smooth_box", &joined, &said, &["the index is negative"]);
}

#[test]
fn a_launch_of_one_row_and_a_launch_in_place() {
    let row = smooth(
        START,
        INSIDE,
        STORE,
        &LAUNCH.replace("grid, dim3(32, 8)", "ceil_div(width * height, 256), 256"),
    );
    let said = ["was launched with 256 × 1 threads for 1 × 97 pixels", "grid and block need two sizes"];
    check("smooth_box", &row, &said, &["Take one of these elements"]);
    let place = smooth(START, INSIDE, STORE, &LAUNCH.replace("(gray, out,", "(gray, (uint8_t*)gray,"));
    let said = ["error[W030", "`gray` is an input of `smooth_box`"];
    check("smooth_box", &place, &said, &["put a `__syncthreads()`"]);
}

/// A file of lab 3 whose range is found on the host with this comparison.
const STRETCH: &str = r#"#include "workbook.cuh"
struct Range { int low, high; };
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
Range find_range(const uint32_t* counts, int pixels) {
    Range range = {0, 255};
    while (range.low < 255 && counts[range.low] <= ceil_div(pixels, 1024)) range.low++;
    while (range.high > 0 && counts[range.high] < ceil_div(pixels, 1024)) range.high--;
    return range;
}
__global__ void stretch_kernel(const uint8_t* gray, uint8_t* out, Range range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int v = gray[i], span = range.high - range.low;
    if (span <= 0) out[i] = v / 2;
    else out[i] = min(max(((v - range.low) * 255 + span / 2) / span, 0), 255);
}
void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    cudaMalloc(&bins, 1024);
    cudaMemset(bins, 0, 1024);
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    uint32_t counts[256];
    cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost);
    cudaFree(bins);
    const Range range = find_range(counts, pixels);
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, range, pixels);
}
"#;

#[test]
fn numbers_that_the_host_computes() {
    let said = [
        "contrast_stretch: wrong output -->",
        "the first wrong result is the range, given to `stretch_kernel`: `low` is ",
        "right before it: the histogram, `bins` (`histogram_kernel`, line 5)",
        "next: `contrast_stretch`: Look at the wrong step alone",
    ];
    check("contrast_stretch", STRETCH, &said, &["A hint on the task"]);
}

#[test]
fn what_the_compiler_says_of_the_cause_comes_first() {
    let without = |line: &str| {
        assert!(STRETCH.contains(line), "{line}");
        STRETCH.replacen(line, "", 1)
    };
    let said = ["W0006", "find_range", "next: Solve W0006 in line 11 first"];
    check("contrast_stretch", &without("    return range;\n"), &said, &["allocate with `cudaMalloc`"]);
    let said = ["error[W0001]: this `{` is never closed", "next: Solve W0001 in line 13 first"];
    let last = "/ span, 0), 255);\n";
    let open = STRETCH.replacen(&format!("{last}}}\n"), last, 1);
    check("contrast_stretch", &open, &said, &["end the statement"]);
}

/// A file of lab 4 whose threads go down a column and forget to subtract the row that leaves the window.
const SLIDING: &str = r#"#include "workbook.cuh"
__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    const int from = max(x - 2, 0), to = min(x + 2, width - 1);
    int sum = 0;
    for (int y = 0; y < min(2, height); y++)
        for (int k = from; k <= to; k++) sum += gray[y * width + k];
    for (int y = 0; y < height; y++) {
        for (int k = from; k <= to && y + 2 < height; k++) sum += gray[(y + 2) * width + k];
        const int count = (to - from + 1) * (min(y + 2, height - 1) - max(y - 2, 0) + 1);
        out[y * width + x] = (sum + count / 2) / count;
    }
}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_box_kernel<<<ceil_div(width, 32), 32>>>(gray, out, width, height);
}
"#;

#[test]
fn a_window_that_loses_nothing() {
    let said = [
        "line 10 adds to `sum` in each round of the loop in line 9, and line 12 stores it",
        "next: `smooth_box`: If each result has a sum of its own",
    ];
    check("smooth_box", SLIDING, &said, &["Work the first wrong value"]);
}

#[test]
fn a_window_that_is_one_row_off() {
    let leaving = |row: u32| {
        let line = format!(
            "        for (int k = from; k <= to && y >= {row}; k++) sum -= gray[(y - {row}) * width + k];"
        );
        SLIDING.replace("    }\n}\nvoid", &format!("{line}\n    }}\n}}\nvoid"))
    };
    let said = [
        "when line 12 stores the result of `y`, the window reaches from `y - 3` to `y + 2`",
        "as far to one side",
    ];
    check("smooth_box", &leaving(3), &said, &["Work the first wrong value"]);
    let said = ["line 7 begins the window with `0` as the last", "line 10 adds `2`: `1` is never added"];
    check(
        "smooth_box",
        &leaving(2).replace("min(2, height)", "min(1, height)"),
        &said,
        &["Work the first wrong value"],
    );
}

/// The file of lab 3 with one text in place of another.
fn stretch(text: &str, other: &str) -> String {
    assert!(STRETCH.contains(text), "{text}");
    STRETCH.replace("<= ceil_div", "< ceil_div").replace("v / 2", "v").replace(text, other)
}

const FILL: &str = "cudaMemset(bins, 0, 1024);";
const FETCH: &str = "cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost);";

#[test]
fn what_the_host_reads_after_a_copy() {
    check("contrast_stretch", &stretch(FILL, FILL), &["PASSED lab3"], &["error"]);
    let short = stretch(FILL, "cudaMemset(bins, 0, 256);");
    let said = [
        "error[W0201]",
        "only 256 of 1024 bytes",
        "copies from `bins` what nothing has written",
        "count bytes",
    ];
    check("contrast_stretch", &short, &said, &["a local array starts with"]);
    let fetched = stretch(FETCH, "cudaMemcpy(counts, bins, 256, cudaMemcpyDeviceToHost);");
    let said = ["error[W0201]", "only 256 of 1024 bytes", "copies count bytes"];
    check("contrast_stretch", &fetched, &said, &["a local array starts with"]);
    let turned = stretch(FETCH, "cudaMemcpy(bins, counts, 1024, cudaMemcpyHostToDevice);");
    let said = [
        "error[W0201]",
        "copies to `bins` from host memory that nothing has written",
        "did you mean to copy from the GPU to this array? The destination comes first",
    ];
    check("contrast_stretch", &turned, &said, &["a local array starts with"]);
    let refused = stretch(FETCH, "cudaMemcpy(counts, bins, 1024, cudaMemcpyHostToDevice);");
    let said = ["error[W0611]", "also: W0201 in line", "seen because of this", "next: Solve W0611"];
    check("contrast_stretch", &refused, &said, &["also found"]);
}

#[test]
fn calls_in_the_wrong_order() {
    let launch = "histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);\n";
    let early = stretch(launch, "").replace(FETCH, &format!("{FETCH} {launch}"));
    let said = [
        "line 26 copies from the GPU what `histogram_kernel`, launched later, stores there in line 5",
        "move the copy behind the launch",
    ];
    check("contrast_stretch", &early, &said, &["integer division too early"]);
    let bytes = stretch(FILL, "cudaMemset(bins, 1, 1024);");
    let said = ["line 24 sets each byte to 1", "begins with 16,843,009", "sets each byte, not each element"];
    check("contrast_stretch", &bytes, &said, &["Rounding the result once"]);
    let kernel = "    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);";
    let file = histogram(kernel);
    let end = file.rfind('}').expect("a function");
    let late = format!("{}    cudaMemset(bins, 0, 1024);\n{}", &file[..end], &file[end..]);
    check(
        "histogram",
        &late,
        &["fills `bins` after kernels have stored to it", "removes the result"],
        &["was never written"],
    );
}

#[test]
fn a_copy_that_changes_an_input() {
    let back = filter(&inner(FIRST, NEIGHBOUR, VALUE), "cudaMemcpyFromSymbol((void*)filter25, filter, 100);");
    let said = [
        "error[W0122]",
        ".cu:19:",
        "`cudaMemcpyFromSymbol` writes to `filter25` here",
        "`cudaMemcpyToSymbol`",
    ];
    check("filter_rgb", &back, &said, &["inputs are `const`"]);
}

/// A histogram of lab 2 in shared memory; `DECLARED`: its counters; `STEP`: of its loop.
const SHARED: &str = "    DECLARED count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (; i < pixels; i += STEP) atomicAdd(&count[gray[i] MASK], 1u);
    __syncthreads();
    if (count[threadIdx.x] > LEAST) atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);";

/// Such a file.
fn shared(declared: &str, step: &str, mask: &str, least: &str) -> String {
    let kernel = SHARED.replace("DECLARED", declared).replace("STEP", step).replace("MASK", mask);
    histogram(&kernel.replace("LEAST", least))
}

const DECLARED: &str = "__shared__ uint32_t";
const STEP: &str = "gridDim.x * blockDim.x";

#[test]
fn counters_of_a_block() {
    let own = shared("uint32_t", STEP, "", "0");
    let said = ["error[W0505]", "each thread has a `count` of its own", "`__shared__ uint32_t count[256];`"];
    check("histogram", &own, &said, &["where the code cannot go on"]);
    let step = shared(DECLARED, "blockDim.x", "", "0");
    let said =
        ["goes on by `blockDim.x`", "` was read by thread", "too", "their number: `gridDim.x * blockDim.x`"];
    check("histogram", &step, &said, &["which two threads or blocks"]);
    let masked = shared(DECLARED, STEP, "& 0x7f", "0");
    check(
        "histogram",
        &masked,
        &["histogram: wrong output", "levels from 128 on are counted 128 too low", "A level has 8 bits"],
        &["halo", "every output was written"],
    );
    let copies = "    __shared__ uint32_t count[2][256];
    count[0][threadIdx.x] = count[1][threadIdx.x] = 0;
    __syncthreads();
    if (i < pixels) atomicAdd(&count[threadIdx.x & 1][gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[0][threadIdx.x]);";
    let said = ["no line reads `count[1]`, which line 7 sets", "Add up all copies"];
    check("histogram", &histogram(copies), &said, &["is a multiple of 2"]);
    let least = shared(DECLARED, STEP, "", "1");
    check("histogram", &least, &["histogram: wrong output", "are too small"], &["every output was written"]);
}

#[test]
fn arguments_of_a_launch() {
    let sides = smooth(START, INSIDE, STORE, &LAUNCH.replace("width, height", "height, width"));
    let said = [
        "line 18 passes `height` as `width` of `smooth_box_kernel`, and `width` as `height`",
        "Arguments go by their order",
    ];
    check("smooth_box", &sides, &said, &["find the thread that should have it"]);
    let buffers = STRETCH_LAUNCH.replace("(gray, out", "((const uint8_t*)out, (uint8_t*)gray");
    let said = ["error[W0", "line 30 passes `out` as `gray` of `stretch_kernel`, and `gray` as `out`"];
    check("contrast_stretch", &stretch(STRETCH_LAUNCH, &buffers), &said, &["`cudaMalloc` gives memory"]);
    let kernel = "    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);";
    let again = histogram(kernel).replace("(gray, bins, pixels);", "(gray, bins, pixels);\n    LAUNCH");
    let again =
        again.replace("LAUNCH", "histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);");
    let said = [
        "every pixel is counted twice",
        "line 10 launches `histogram_kernel`, and line 11 launches it again",
        "Launch it once",
    ];
    check("histogram", &again, &said, &["Exactly one thread"]);
    let level = histogram(&kernel.replace("1u", "gray[i]"));
    check(
        "histogram",
        &level,
        &["each pixel adds its level", "`atomicAdd(&bins[v], 1u)`"],
        &["counted more than once"],
    );
}

const STRETCH_LAUNCH: &str = "stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, range, pixels);";

#[test]
fn an_output_that_is_read_before_it_is_written() {
    let own = SMALL.replace("TYPE", "int").replace("    gray[i] = (sum + 50) / 100;\n", "");
    let own = own.replace("1u);", "1u);\n    gray[i] = (sum + 50) / 100;");
    let said = ["error[W0202]", "`gray` is an output of `gray_histogram`", "keep that in a variable"];
    check("gray_histogram", &own, &said, &["`cudaMalloc` gives memory"]);
    let count = "gray_kernel<<<ceil_div(width * height, 256), 256>>>";
    let order = SMALL.replace("TYPE", "int").replace("    atomicAdd(&bins[gray[i]], 1u);\n", "").replace(
        "void gray_histogram",
        "__global__ void count_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {\n    \
         const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);\n}\n\
         void gray_histogram",
    );
    let first = count.replace("gray_kernel", "count_kernel");
    let order = order.replace(count, &format!("{first}(gray, bins, width * height);\n    {count}"));
    let said = [
        "error[W0202]",
        "launches `gray_kernel`, which gets `gray`, after `count_kernel`",
        "launch it first",
    ];
    check("gray_histogram", &order, &said, &["`cudaMalloc` gives memory"]);
}

#[test]
fn levels_from_one_on_and_pixels_from_one_on() {
    let scaled = "((v - range.low) * 255 + span / 2) / span";
    let levels = stretch(scaled, &format!("(v < 132 ? {scaled} : v / 2)"));
    // The levels that are in the picture.
    let said = ["all pixels of levels up to 124 are right, and all of level 140 and above are wrong"];
    check("contrast_stretch", &levels, &said, &["by hand"]);
    let pixels = stretch(
        "    if (i >= pixels) return;\n    const int v",
        "    if (i >= min(pixels, 131072)) return;\n    const int v",
    );
    let said = [
        "all 131,072 pixels before x",
        "are right, and from there on nearly all are wrong",
        "Find out what ends at this pixel",
    ];
    check("contrast_stretch", &pixels, &said, &["by hand"]);
}

#[test]
fn a_sum_in_a_byte() {
    let narrow = SMALL.replace("TYPE", "uint8_t");
    let said = ["line 5 keeps `sum`, a sum or product, in a `uint8_t`, which holds 0 to 255", "in an `int`"];
    check("gray_histogram", &narrow, &said, &["by hand"]);
    check("gray_histogram", &SMALL.replace("TYPE", "int"), &["PASSED lab2"], &["error"]);
    let count = SMALL.replace("TYPE", "int").replace("bins, width * height);", "bins, width);");
    let said = ["line 10 passes `width` as `pixels` of `gray_kernel`", "has `width * height` pixels"];
    check("gray_histogram", &count, &said, &["A kernel that uses `threadIdx.y`"]);
}

const SMALL: &str = r#"#include "workbook.cuh"
__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const TYPE sum = 30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2];
    gray[i] = (sum + 50) / 100;
    atomicAdd(&bins[gray[i]], 1u);
}
void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    gray_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, bins, width * height);
}
"#;

/// A file of lab 2 whose kernel takes four pixels at once, the last ones one by one.
const WORDS: &str = r#"#include "workbook.cuh"
__device__ void count(uint32_t* bins, uint32_t four) {
    for (int k = 0; k < 4; k++) atomicAdd(&bins[(four >> (8 * k)) & 255], 1u);
}
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int vectors = pixels / 16;
    for (int i = t; i < vectors; i += gridDim.x * blockDim.x) {
        const uint4 v = reinterpret_cast<const uint4*>(gray)[i];
        count(bins, v.x);
        count(bins, v.y);
        count(bins, v.z);
        count(bins, v.w);
    }
    const int rest = 16 * vectors + t;
    if (rest < pixels) atomicAdd(&bins[gray[rest]], 1u);
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
"#;

#[test]
fn pixels_out_of_words() {
    let said = |from: &str, to: &str, said: &[&str]| {
        check("histogram", &WORDS.replacen(from, to, 1), said, &["by hand", "has no block"]);
    };
    said(
        "        count(bins, v.w);\n",
        "",
        &["the numbers 12 to 15, word `w` of a vector, are not counted", "`x`, `y`, `z` and `w`"],
    );
    said(
        "v.z",
        "v.y",
        &["the numbers 8 to 11, word `z` of a vector, are not counted, and those of word `y` twice"],
    );
    said("k < 4", "k < 3", &["of each four pixels, number 3 is not counted"]);
    said("(8 * k)", "(4 * k)", &["from the bits 0, 4, 8 and 12 on", "line 3 takes pixels out of words"]);
}

#[test]
fn whole_words_and_numbers_of_elements() {
    let file = |from: &str, to: &str| WORDS.replacen(from, to, 1);
    let passed = file("(gray, bins, pixels);\n", "(gray, bins, pixels / 16);\n");
    let said = ["line 20 passes `pixels / 16` as `pixels` of `histogram_kernel`", "pass it as it is"];
    check("histogram", &passed, &said, &["has no block", "Take the size of the grid"]);
    let up = file("pixels / 16;", "ceil_div(pixels, 16);");
    check("histogram", &up, &["error[W0101]", "line 7 rounds up: `ceil_div(pixels, 16)`"], &["wider than"]);
    let one_more = file("i < vectors", "i <= vectors");
    check("histogram", &one_more, &["error[W0101]", "line 8 lets `i` = `vectors` through"], &["wider than"]);
}

#[test]
fn a_store_before_the_first_element_is_not_told_to_be_a_neighbours() {
    let right = tile("2", "2");
    let store = "out[y * width + x] =";
    let moved = right.replace(store, "out[(y - 1) * width + x] =");
    let said = ["error[W0101]", "the index is negative here: work it out for this thread"];
    check("smooth_box", &moved, &said, &["neighbour"]);
    let far = right.replace(store, "out[size_t(y) * width + x - 3000000000000ull] =");
    check("smooth_box", &far, &["error[W0101]", "byte -3000000000000 of `out`"], &["1844674"]);
}
