//! Mistakes of a second week of CUDA, whose report names the line and the reason: copies that are too short, divisions by zero in a
//! kernel, dynamic shared memory, loops without an end.

use crate::mistakes::{check, histogram};

/// A file of lab 3. `VARIABLE`, `PARAMETER`, `COPY` and `TABLE`: how the table of `int` comes to the kernel.
fn equalize(variable: &str, parameter: &str, copy: &str, argument: &str) -> String {
    EQUALIZE
        .replace("VARIABLE", variable)
        .replace("PARAMETER", parameter)
        .replace("COPY", copy)
        .replace("ARGUMENT", argument)
}

const EQUALIZE: &str = r#"#include "workbook.cuh"
VARIABLE
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
__global__ void map_kernel(PARAMETERconst uint8_t* gray, uint8_t* out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}
void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    uint32_t* bins;
    cudaMalloc(&bins, sizeof(counts));
    cudaMemset(bins, 0, sizeof(counts));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost);
    cudaFree(bins);
    int host_table[256];
    int low = 0;
    while (counts[low] == 0) ++low;
    const long long others = pixels - counts[low];
    long long above = 0;
    for (int v = 0; v < 256; ++v) {
        if (v > low) above += counts[v];
        host_table[v] = others == 0 ? v : (255 * above + others / 2) / others;
    }
COPY
    map_kernel<<<ceil_div(pixels, 256), 256>>>(ARGUMENTgray, out, pixels);
}
"#;

#[test]
fn a_variable_that_is_copied_in_part() {
    for space in ["__constant__", "__device__"] {
        let file = |bytes: &str| {
            let copy = format!("    cudaMemcpyToSymbol(table, host_table, {bytes});");
            equalize(&format!("{space} int table[256];"), "", &copy, "")
        };
        let seen = "seen: `cudaMemcpyToSymbol` in line 29 writes 256 of the 1,024 bytes of `table`, and line 9 reads from byte";
        let hint = "counts bytes, not elements: write `n * sizeof(element)`";
        check(
            "equalize",
            &file("256"),
            &[seen, "where nothing has written", hint],
            &["every output was written"],
        );
        let other = "writes 600 of the 1,024 bytes of `table`";
        check(
            "equalize",
            &file("600"),
            &[other, "Copy all that the kernel reads"],
            &["every output was written"],
        );
        check("equalize", &file("sizeof(host_table)"), &["PASSED lab3"], &["seen"]);
    }
}

#[test]
fn what_the_host_copies_without_having_set_it() {
    let copy = "    int* table; cudaMalloc(&table, 1024);\n    cudaMemcpy(table, host_table, 1024, cudaMemcpyHostToDevice);";
    let file = equalize("", "const int* table, ", copy, "table, ");
    let short = file.replacen("(counts, bins, sizeof(counts)", "(counts, bins, sizeof(bins)", 1);
    check(
        "equalize",
        &short,
        &["`sizeof(bins)` is the size of the pointer, 8 bytes", "next: Solve W0204 first: the copy of line"],
        &["set every element"],
    );
    let unset = file.replacen("long long above = 0;", "long long above;", 1);
    let said = ["error[W0204]", "line 24 declares `above` without a value, and line 26 adds to it"];
    check("equalize", &unset, &said, &["set every element"]);
}

#[test]
fn memory_that_is_filled_or_copied_in_part() {
    let file = |before: &str, bytes: &str| {
        let copy = format!(
            "    int* table; cudaMalloc(&table, 1024); {before}\n    \
             cudaMemcpy(table, host_table, {bytes}, cudaMemcpyHostToDevice);"
        );
        equalize("", "const int* table, ", &copy, "table, ")
    };
    let clear = "cudaMemset(table, 0, 1024);";
    check("equalize", &file(clear, "1024"), &["lab3"], &["seen:", "W0204"]);
    let filled =
        "`cudaMemcpy` in line 30 writes 256 of the 1,024 bytes of `table`, and line 9 reads from byte";
    check(
        "equalize",
        &file(clear, "256"),
        &[filled, "where only the fill before has written"],
        &["every output"],
    );
    // Half of a table that was cleared may be meant so.
    check("equalize", &file(clear, "700"), &["wrong output"], &["700 of"]);
    // Without the fill, what the kernel reads is undefined.
    let label = "only 256 of 1024 bytes";
    check("equalize", &file("", "256"), &["error[W020", label, "count bytes, not elements"], &[]);
    let cleared =
        equalize("", "", "", "").replace("cudaMemset(bins, 0, sizeof(counts))", "cudaMemset(bins, 0, 256)");
    let cleared = cleared.replace("table[gray[i]]", "gray[i]");
    let label = "only 256 of 1024 bytes";
    check("equalize", &cleared, &["error[W0203]", label, "count bytes, not elements"], &[]);
    // On the host, the compiler has lost the array's name.
    let host = file("", "1024").replace(
        "cudaMemcpy(counts, bins, sizeof(counts)",
        "cudaMemcpy(counts, bins, 255 * sizeof(uint32_t)",
    );
    let said = [
        "error[W0201]",
        "`counts`, of which line 18 fills only 1020 of 1024 bytes",
        "next: Solve W0201 first: line 18 fills only",
    ];
    check("equalize", &host, &said, &["a local variable"]);
}

/// A kernel that divides, with this statement for one pixel.
fn divides(statement: &str) -> String {
    DIVIDES.replace("STATEMENT", statement)
}

const DIVIDES: &str = r#"#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
__device__ uint32_t cdf[256], low, others;
__global__ void sum_kernel(const uint32_t* counts, int pixels) {
    uint32_t sum = 0;
    low = 256;
    for (int v = 0; v < 256; ++v) {
        if (counts[v] > 0 && low == 256) low = v;
        cdf[v] = sum += counts[v];
    }
    others = pixels - counts[low];
}
__global__ void map_kernel(const uint32_t* counts, const uint8_t* gray, uint8_t* out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint32_t above = cdf[gray[i]] - counts[low];
    STATEMENT
}
void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    sum_kernel<<<1, 1>>>(bins, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(bins, gray, out, pixels);
    cudaFree(bins);
}
"#;

#[test]
fn a_kernel_that_divides_by_zero() {
    let zero = "line 20 divides by 0, first in thread 0 of block 0";
    let integer = divides("out[i] = (255ull * above + others / 2) / others;");
    check("equalize", &integer, &[zero, "has all bits set"], &["every output was written"]);
    let float = divides("out[i] = 255.0f * above / others + 0.5f;");
    check("equalize", &float, &[zero, "gives inf, or NaN"], &["every output was written"]);
    // A compiler may divide first and test the divisor afterwards: then it is no mistake.
    let tested = divides("out[i] = others == 0 ? gray[i] + 9 : 255.0f * above / others;");
    check("equalize", &tested, &["FAILED"], &["divides by 0"]);
    let right = divides("out[i] = others == 0 ? gray[i] : (255ull * above + others / 2) / others;");
    check("equalize", &right, &["PASSED lab3"], &["divides by 0", "error["]);
}

#[test]
fn dynamic_shared_memory_that_is_too_small() {
    let body = "    extern __shared__ uint32_t own[];
    own[t] = 0;
    __syncthreads();
    if (i < pixels) atomicAdd(&own[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[t], own[t]);";
    let file = |bytes: &str| histogram(body).replace("256>>>", &format!("256{bytes}>>>"));
    let needs = "error[W0106]: writes `own[64]`, for which `own` needs at least 260 bytes, but the launch gives it 256 bytes: 64 elements of 4";
    let hint = "256 elements of 4 bytes are 1,024 bytes, the third parameter of the launch in line 15";
    check("histogram", &file(", 256"), &[needs, hint], &[]);
    check("histogram", &file(""), &["`own[0]`", "gives it no shared memory", hint], &[]);
}

#[test]
fn loops_without_an_end() {
    let endless = histogram("    while (i < pixels) atomicAdd(&bins[gray[i]], 1u);");
    check("histogram", &endless, &["error[W0504]", "same values again"], &["waits for a value"]);
    let narrow = histogram(
        "    for (uint8_t v = 0; v < 256; ++v)\n        if (i < pixels && gray[i] == v) atomicAdd(&bins[v], 1u);",
    );
    check(
        "histogram",
        &narrow,
        &[
            "error[W0504]",
            "`v < 256` in line 6 is always true, because `v` is a `uint8_t`",
            "declare `v` as `int`",
        ],
        &["waits for a value"],
    );
    let polls = histogram("    volatile uint32_t* first = bins;\n    while (first[t] < 1000000000u) {}");
    check("histogram", &polls, &["error[W0504]", "waits for a value"], &["same values again"]);
    let lock = histogram(
        "    static __device__ int lock;\n    if (i < pixels) {\n        while (atomicCAS(&lock, 0, 1) != 0) {}\n        bins[gray[i]] += 1;\n    }",
    );
    check("histogram", &lock, &["waits for a value"], &["same values again"]);
}

#[test]
fn a_variable_that_is_no_array_has_no_index() {
    let body = "    __shared__ int low;
    if (t == 40) low = gray[0];
    if (i < pixels) atomicAdd(&bins[gray[i]], low == 300 ? 2u : 1u);";
    check("histogram", &histogram(body), &["error[W0", "`low`"], &["`low[0]`"]);
}

#[test]
fn a_copy_to_the_host_that_is_too_short() {
    let file =
        equalize("__constant__ int table[256];", "", "    cudaMemcpyToSymbol(table, host_table, 1024);", "");
    let file = file.replace("cudaMemcpy(counts, bins, sizeof(counts)", "cudaMemcpy(counts, bins, 256");
    let pointer = file
        .replace("__constant__ int table[256];", "")
        .replace("map_kernel(const", "map_kernel(const int* table, const");
    let pointer = pointer.replace("cudaMemcpyToSymbol(table, host_table, 1024)", "int* table; cudaMalloc(&table, 1024);\n    cudaMemcpy(table, host_table, 1024, cudaMemcpyHostToDevice)");
    let pointer =
        pointer.replace("(gray, out, pixels);\n}", "(table, gray, out, pixels);\n    cudaFree(table);\n}");
    let said = [
        "error[W020",
        "cudaMemcpy(counts, bins, 256",
        "only 256 of 1024 bytes",
        "A copy to the host counts bytes",
    ];
    check("equalize", &pointer, &said, &[]);
}

#[test]
fn a_constant_that_nothing_fills() {
    let file = equalize("__constant__ int table[256];", "", "", "");
    let said = [
        "line 9 reads `table`, a `__constant__` variable that nothing has written",
        "Copy to it before the launch",
    ];
    check("equalize", &file, &said, &["every output was written"]);
}

#[test]
fn advice_that_is_about_something_else() {
    // An offset of a neighbour is compared with `<=`, and not the index.
    let neighbours = r#"#include "workbook.cuh"
__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
            sum += gray[(y + dy) * height + x + dx];
            ++count;
        }
    out[y * width + x] = (sum + count / 2) / count;
}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_box_kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(gray, out, width, height);
}
"#;
    check("smooth_box", neighbours, &["error[W0101]"], &["`dx < 2`", "`dy < 2`"]);
    // Blocks that tell each other nothing need no fence.
    let zeroes = histogram(
        "    bins[t] = 0;\n    __syncthreads();\n    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);",
    );
    check(
        "histogram",
        &zeroes,
        &["error[W0303]", "sets `bins` to 0 after others have counted"],
        &["__threadfence"],
    );
}

#[test]
fn a_parameter_that_is_a_reference() {
    let file = histogram("    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);")
        .replace("bins, int pixels) {", "bins, const int& pixels) {");
    let file = file.replace("void histogram(const uint8_t* gray, uint32_t* bins, const int& pixels)", "");
    check(
        "histogram",
        &file,
        &["error[W0105]: parameter 3 of `histogram_kernel` is a reference", "instead of `const int& n`"],
        &[],
    );
}

#[test]
fn a_slow_kernel_that_is_wrong_is_told_what_is_wrong() {
    let body = "    for (int k = i; k < pixels; k += blockDim.x) atomicAdd(&bins[gray[k]], 1u);";
    check(
        "histogram",
        &histogram(body),
        &["not run", "wrong output", "no counter is too small"],
        &["error[W0520]"],
    );
}

#[test]
fn a_row_of_blocks_for_each_row_of_pixels_is_a_warning() {
    let file = crate::common::root().join("solutions/lab1-grayscale/unusual/rows_along_y.cu");
    let file = std::fs::read_to_string(file).expect("the file is there");
    check("grayscale", &file, &["passed", "W0502", "on a picture of 70,001 rows"], &["error[W0502]"]);
}

#[test]
fn a_missed_barrier_names_the_way_that_threads_took() {
    let inside = "    counts[t] = 0;
    __syncthreads();
    if (i < pixels) {
        atomicAdd(&counts[gray[i]], 1u);
        __syncthreads();
        atomicAdd(&bins[t], counts[t]);
    }";
    let said =
        ["W0403", "if (i < pixels) {", "they skip this `if`", "close the `if` before `__syncthreads()`"];
    check("histogram", &histogram(inside), &said, &["return"]);
    let returns = inside.replace("if (i < pixels) {", "{\n        if (i >= pixels) return;");
    check("histogram", &histogram(&returns), &["here they return", "instead of a `return`"], &["skip this"]);
    // No zeros are a mistake of their own.
    let unfilled = inside.replace("    counts[t] = 0;\n", "");
    let said = ["error[W0203]", "no line fills `counts`", "also found", "W0403"];
    check("histogram", &histogram(&unfilled), &said, &["seen because of this"]);
}

#[test]
fn a_kernel_that_is_never_launched() {
    let file = histogram("    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);");
    let (before, _) = file.split_once("    histogram_kernel<<<").expect("the launch");
    let said = ["`histogram` launches no kernel", "next:", "Launch your kernel"];
    check("histogram", &format!("{before}}}\n"), &said, &["loop", "ran, and"]);
}

/// A file of lab 1 with this formula, and so many rows of blocks.
fn grayscale(formula: &str, rows: &str) -> String {
    GRAYSCALE.replace("FORMULA", formula).replace("ROWS", rows)
}

const GRAYSCALE: &str = r#"#include "workbook.cuh"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = FORMULA;
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const dim3 grid(ceil_div(width, 16), ROWS);
    grayscale_kernel<<<grid, dim3(16, 16)>>>(rgb, gray, width, height);
}
"#;

#[test]
fn quotients_of_integers_that_are_zero() {
    let rows = "ceil_div(height, 16)";
    let zero = grayscale("30 / 100 * r + 59 / 100 * g + 11 / 100 * b", rows);
    let said = ["`30 / 100` in line 7 is 0: both numbers are integers", "Multiply first, and divide once"];
    check("grayscale", &zero, &said, &["no known mistake"]);
    let each = grayscale("30 * r / 100 + 59 * g / 100 + 11 * b / 100", rows);
    let said = ["each of the three products is truncated", "Divide once, after the sum"];
    check("grayscale", &each, &said, &["is 0: both"]);
}

#[test]
fn rows_of_blocks_that_are_rounded_down() {
    let right = "(30 * r + 59 * g + 11 * b + 50) / 100";
    let said =
        ["error[W0502]", "`height / 16` rounds down, here to 0 blocks along y", "ceil_div(height, 16)"];
    check("grayscale", &grayscale(right, "height / 16"), &said, &["itself is 0"]);
    let said = [
        "was launched with 16 × 96 threads for 1 × 97 pixels",
        "never written",
        "round it up: `ceil_div(width, block.x)`",
    ];
    check("grayscale", &grayscale(right, "max(1, height / 16)"), &said, &[]);
}

/// A file of lab 4 whose threads have one pixel each, with these lines before the store, this index of the store, and this grid.
fn smooth(before: &str, index: &str, grid: &str) -> String {
    format!(
        "#include \"workbook.cuh\"
__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
{before}
    out[{index}] = 7;
}}
void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {{
    {grid}
    smooth_box_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}}
"
    )
}

const GRID: &str = "const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));";

#[test]
fn a_condition_that_lets_threads_through_is_quoted() {
    let of = |before: &str| smooth(before, "y * width + x", GRID);
    check(
        "smooth_box",
        &of(""),
        &["W0101", "no condition before this line tests `x`", "`if (x < width && y < height)`"],
        &[],
    );
    let columns = of("    if (x >= width) return;");
    check(
        "smooth_box",
        &columns,
        &["W0101", "tests `y`", "threads below the last row", "`if (y < height)`"],
        &[],
    );
    let squared = of("    if (y * width + x >= width * width) return;");
    check("smooth_box", &squared, &["W0101", "line 4 compares with `width * width`"], &["has this thread"]);
    let one_more = of("    if (x >= width || y > height) return;");
    check("smooth_box", &one_more, &["W0101", "line 4 lets `y` = `height` through", "`y >= height`"], &[]);
    // Nothing of that is wrong here.
    let neighbour = smooth("    if (x >= width || y >= height) return;", "y * width + x + 1", GRID);
    check(
        "smooth_box",
        &neighbour,
        &["W0101", "has this thread an element"],
        &["no condition", "compares with"],
    );
}

#[test]
fn an_element_of_a_tile_has_a_row_and_a_column() {
    let tile = "    constexpr int halo = 2;
    __shared__ uint8_t tile[8][32 + halo];
    for (int r = threadIdx.y; r < ROWS; r += 8) tile[r][threadIdx.x] = gray[0];
    __syncthreads();
    if (x >= width || y >= height) return;
    if (tile[threadIdx.y][5] == 3) return;";
    let said = [
        "error[W0106]: writes `tile[8][0]`",
        "line 5 declares `tile[8][34]`, with the rows 0 to 7, but the loop of line 6 goes from 0 to 11: declare 12 rows",
    ];
    check("smooth_box", &smooth(&tile.replace("ROWS", "12"), "y * width + x", GRID), &said, &["tile[272]"]);
    let said = ["W0201", "`tile[4][5]`", "if (tile[threadIdx.y][5] == 3) return; | ^^^^^^^^^^^^^^^^^^^^"];
    check("smooth_box", &smooth(&tile.replace("ROWS", "4"), "y * width + x", GRID), &said, &["tile[141]"]);
}

#[test]
fn a_grid_that_a_quotient_leaves_empty_is_told_through_variables() {
    let through = "const int rows = height / (8 * 16);\n    const dim3 grid(ceil_div(width, 32), rows);";
    let said = [
        "W0502",
        "`height / (8 * 16)` rounds down, here to 0 blocks along y",
        "`ceil_div(height, (8 * 16))`",
    ];
    check("smooth_box", &smooth("", "0", through), &said, &["comes from `ceil_div`"]);
}

#[test]
fn a_host_array_as_an_argument_is_told_from_a_variable_of_the_gpu() {
    let host = equalize("", "const int* table, ", "", "host_table, ");
    check("equalize", &host, &["W0105", "copy `host_table` with `cudaMemcpy`", "`__constant__` array"], &[]);
    let symbol = equalize(
        "__constant__ int levels[256];",
        "const int* table, ",
        "    cudaMemcpyToSymbol(levels, host_table, 1024);",
        "levels, ",
    );
    check(
        "equalize",
        &symbol,
        &["W0105", "`levels` is a variable on the GPU", "by its name"],
        &["allocate with"],
    );
}
