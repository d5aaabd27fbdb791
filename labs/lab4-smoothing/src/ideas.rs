//! The ideas of this lab, in the order in which a kernel should get them.

use lab::{Idea, Part};

/// Instructions per pixel that a mean of four columns needs at most, and how many of each kind: rung 13 has fewer of all, the rungs before it
/// more of one.
const FEW: f64 = 27.0;
const FEW_BITS: f64 = 5.0;
const FEW_BRANCHES: f64 = 2.0;
const FEW_ADDITIONS: f64 = 8.5;
/// The part of the instructions that an idea has to save to be told.
const GAIN: f64 = 0.1;
/// Instructions from which on fewer are worth an idea: with less, what limits a kernel says more.
const MANY: f64 = FEW * (1.0 + GAIN);
/// Permutes of bytes per pixel from which on the four results of a thread are gathered by them: three for four pixels.
const GATHERED: f64 = 0.6;
/// Products per pixel from which on the sums of rows are dot products.
const PRODUCTS: f64 = 3.0;

/// Seven dot products need bits moved for the fifth column, ten do not; both have more products than this.
const GATHERED_BITS: f64 = 13.0;
const DOT_PRODUCTS: f64 = 24.0;
/// Products per pixel of a filter from which on each is one of a single byte: there are 75, and at most 30 dot products.
const SINGLE_PRODUCTS: f64 = 50.0;
/// Instructions per pixel of a filter, and additions, of the fastest rungs and some more.
const FILTER_FEW: f64 = 80.0;
const FILTER_FEW_ADDITIONS: f64 = 9.5;
/// Shuffles of words and warp barriers per pixel: less than this are barriers alone.
const SHUFFLED: f64 = 0.8;

/// Of the two means.
pub const MEAN: &[Idea] = &[
    Idea {
        rung: 7,
        name: "a kernel for the inside",
        // With a kernel for the border, its threads that return at once count, too.
        lacks: |signs| signs.instructions > if signs.launches < 1.5 { 180.0 } else { 220.0 },
        eases: &[Part::Instructions],
        idea: "do the pixels inside the image without border checks, in a kernel of their own; their weights always add up to the same number",
        sketch: "Only two rows and columns at each side need checks. A second kernel does the rest: no `if` around the 25 loads, and a division by a constant, which \
                 the compiler turns into a multiplication. Launch the first kernel for the border alone: threads that return at once for all other pixels \
                 cost their start.",
        code: "
// inside: 2 <= x < width - 2, 2 <= y < height - 2
int sum = 0;
for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) sum += weight * gray[(y + dy) * width + x + dx];
out[y * width + x] = (sum + 12) / 25;  // weight = 1; a constant divisor  // smooth_box
out[y * width + x] = (sum + 40) / 81;  // weight (3 - |dx|) (3 - |dy|)  // smooth_triangular
",
    },
    Idea {
        rung: 9,
        name: "a window that slides down",
        lacks: |signs| signs.loads + signs.shared_accesses > 8.0,
        eases: &[Part::Bytes, Part::Instructions, Part::Requests, Part::SharedMemory],
        idea: "let each thread go down a column and keep the sums of the last five rows in registers: each new pixel needs one new row",
        sketch: "The five rows around the pixel below are those around this one, without the uppermost and with one more: only that one has to be loaded. \
                 No shared memory and no barrier: each step loads five neighbouring bytes (the threads beside it load them too, so they come from the cache), sums \
                 them, and adds the last five such sums; smooth_triangular weights both sums by 1 2 3 2 1. Variables of their own stay in registers; an array of five needs \
                 a loop that is unrolled. Give a thread some tens of rows.",
        code: "
int r0 = row(y - 2), r1 = row(y - 1), r2 = row(y), r3 = row(y + 1);
for (; y < end; ++y) {
    const int r4 = row(y + 2);  // five loads
    out[y * width + x] = mean(r0 + r1 + r2 + r3 + r4);  // smooth_box
    out[y * width + x] = mean(r0 + 2 * r1 + 3 * r2 + 2 * r3 + r4);  // smooth_triangular
    r0 = r1, r1 = r2, r2 = r3, r3 = r4;
}
",
    },
    Idea {
        rung: 12,
        name: "four columns that slide down",
        lacks: |signs| signs.loads > 2.0,
        eases: &[Part::Instructions, Part::Requests, Part::Waiting],
        idea: "slide down with four columns per thread: load and sum each row once, from 4-byte loads, and keep the sums of the last five rows in registers",
        sketch: "The sliding window and four pixels together: a new row costs two or three word loads and a few additions (or one `__dp4a` per pixel with the \
                 weights), and serves five rows of results. Rows can begin at any byte, so load the aligned words around the four pixels and their neighbours, \
                 and extract with `__funnelshift_r`. At the end of the image a word may reach beyond the buffer: load whole words \
                 inside of it only, and leave pixels that need a byte behind the last one to the other kernel. Bytes 0 and 2 of a word, and 1 and 3, can be added as pairs of 16 bits: the sum of 25 bytes fits, and so \
                 do 81 bytes. The columns at the sides of the image are left to another kernel.",
        code: "
const uint32_t word = __funnelshift_r(words[0], words[1], 8 * (address % 4));
const uint32_t even = word & 0x00ff00ff, odd = word >> 8 & 0x00ff00ff;  // two sums each
struct Row { uint32_t even, odd; };  // sums of five neighbours, two per register
Row rows[5];                          // the last five; unroll, for constant indices
",
    },
    Idea {
        rung: 13,
        name: "sums of rows as dot products",
        // What they can save are bits that are moved: where these are few, the dot products cost as much.
        lacks: |signs| {
            let saves = signs.bits - FEW_BITS > GAIN * signs.instructions;
            signs.instructions > FEW && saves && signs.products < PRODUCTS
        },
        eases: &[Part::Instructions],
        idea: "sum the five neighbours of a row with two `__dp4a` for each pixel instead of masks, shifts and additions: of {instructions} instructions \
               per pixel, {bits} mask, shift or permute now. Where two sums share a word, each then needs its own, and the step may lose: keep the faster",
        sketch: "Two words hold the eight bytes around four pixels. Each pixel takes the dot product of both words with words of weights: constants, which \
                 differ from pixel to pixel. So nothing has to be masked out or moved, and each sum has a register of its own. The compiler unrolls the loop over the \
                 four pixels (`#pragma unroll`), so that the weights are constants. At the sides of the image, weights of 0 leave out what is not in it.",
        code: "
// low: bytes x - 2 to x + 1, high: bytes x + 2 to x + 5
row[0] = __dp4a(low, 0x01010101u, __dp4a(high, 0x00000001u, 0u));  // smooth_box
row[1] = __dp4a(low, 0x01010100u, __dp4a(high, 0x00000101u, 0u));
row[0] = __dp4a(low, 0x02030201u, __dp4a(high, 0x00000001u, 0u));  // smooth_triangular
",
    },
    Idea {
        rung: 13,
        name: "the mean in the highest byte",
        // Who gathers bytes by permutes has it.
        lacks: |signs| signs.instructions > MANY && signs.bits > FEW_BITS && signs.permutes < GATHERED,
        eases: &[Part::Instructions],
        idea: "divide with one multiplication that leaves the mean in the highest byte of a word, and gather four such bytes with `__byte_perm`: the fastest \
               kernels execute about 27 instructions per pixel, this one {instructions}, and {bits} of them mask, shift or permute",
        sketch: "(sum + 12) * ((1 << 24) / 25 + 1) has the mean of 25 bytes in its highest byte; for 1 2 3 2 1 both ways, (sum + 40) * ((1 << 24) / 81 + 1). The \
                 compiler's own quotient takes a multiplication and a shift, and a shift and an `|` follow to put it into the word. Let the sum begin with the 12 or \
                 40 where that costs no addition for each pixel.",
        code: "
const uint32_t mean = (sum + 12) * ((1u << 24) / 25 + 1);  // smooth_box
const uint32_t mean = (sum + 40) * ((1u << 24) / 81 + 1);  // smooth_triangular
// the mean is in the highest byte
const uint32_t low = __byte_perm(mean0, mean1, 0x0073);
const uint32_t high = __byte_perm(mean2, mean3, 0x0073);
word = __byte_perm(low, high, 0x5410);
",
    },
    Idea {
        rung: 13,
        name: "the border once per strip",
        lacks: |signs| signs.instructions > MANY && signs.branches > FEW_BRANCHES,
        eases: &[Part::Instructions],
        idea: "test for the border once per strip instead of once per row, and unroll the loop over the rows: the fastest \
               kernels execute about 27 instructions per pixel, this one {instructions}, and {branches} of them branch",
        sketch: "Two loops, one without any test for strips whose rows and columns lie in the image with all their neighbours; or a kernel of its own for the rest, whose \
                 loads need not wait for tests where a neighbour outside of the image has the weight 0.",
        code: "
if (y0 >= 2 && y0 + rows + 2 <= height && x0 >= 2 && x0 + columns + 2 <= width) {
    slide<true>(gray, out, width, height);  // no test inside
} else {
    slide<false>(gray, out, width, height);
}
",
    },
    Idea {
        rung: 13,
        name: "the newest row and the one that leaves",
        lacks: |signs| signs.instructions > MANY && signs.additions > FEW_ADDITIONS,
        eases: &[Part::Instructions],
        idea: "update the sum of five rows by the newest row and the one that leaves, and let more rows share what a strip begins with: the fastest \
               kernels execute about 27 instructions per pixel, this one {instructions}, and {additions} of them add or compare",
        sketch: "The sum of five rows changes by two rows only. Weights of 1 2 3 2 1 are sums of three rows, and sums of three of these. A strip of n rows sums n + 4: \
                 `checker tune` finds how many are best. Unroll so far that each index of the last five rows is a constant.",
        code: "
sum += newest - oldest;  // smooth_box
const uint32_t three = row0 + row1 + row2;  // smooth_triangular
sum = three + three_before + three_before_that;  // smooth_triangular
",
    },
    Idea {
        rung: 13,
        name: "fewer instructions",
        lacks: |signs| signs.instructions > MANY,
        eases: &[Part::Instructions],
        idea: "execute at most 27 instructions per pixel; there are {instructions} now",
        sketch: "`checker profile` shows how many each line has, of which kind. Look for what is computed again for each pixel or row and is the same for all: \
                 addresses (let a pointer move on by the width), shifts, tests. Look for lines that few lanes run: the border. Eight columns per lane instead of four \
                 share more: 12 bytes are read for 8 pixels, and not 8 for 4.",
        code: "
const uint8_t* row = gray + first * width + x;
for (int y = first; y < end; ++y, row += width) { /* no multiplication for an address */ }
",
    },
    Idea {
        rung: 16,
        name: "strips per warp",
        lacks: |signs| signs.shuffles < 0.05 && signs.copies_ahead < 0.05,
        eases: &[Part::Bytes, Part::Waiting],
        idea: "let the lanes of a warp share their words: each loads one aligned word of a row, several rows before it uses it, and gets its neighbours' by \
               shuffles",
        sketch: "A warp slides down a strip of 29 words; the last three lanes have no complete neighbourhood, so strips overlap. Results are shifted into aligned \
                 words with the next lane's, and stored as words. Keep the loads of several rows in flight: a warp waits for a load where it first \
                 uses the word, and a shift or mask is a use.",
        code: "
const uint32_t next = __shfl_down_sync(~0u, word, 1);
const uint32_t beyond = __shfl_down_sync(~0u, word, 2);
",
    },
    Idea {
        rung: 18,
        name: "rows fetched ahead",
        lacks: |signs| signs.copies_ahead < 0.05,
        eases: &[Part::Waiting],
        idea: "copy the next rows to shared memory while these are summed (`__pipeline_memcpy_async` of cuda_pipeline.h), eight pixels per lane",
        sketch: "A copy to shared memory needs no register while it is in flight. Keep six rows in flight: commit one per row, and wait for all but the last five. \
                 Eight pixels per lane: each lane copies eight bytes of a row (from an aligned address), so a warp brings 256. It sums eight columns, for which \
                 it reads twelve bytes from shared memory after `__syncwarp()`: its own and two on each side. With four pixels per lane it would read eight \
                 for four.",
        code: "
__shared__ uint2 rows[6][32];  // for each warp: six rows of 32 lanes, eight pixels each
__pipeline_memcpy_async(&rows[slot][lane], in + at + 8 * lane, 8);
__pipeline_commit();
__pipeline_wait_prior(5);
",
    },
    Idea {
        rung: 20,
        name: "short tiles",
        lacks: |signs| signs.pixels_per_thread > 150.0,
        eases: &[Part::Bytes, Part::Launches],
        idea: "give each block a short tile of ten to fourteen rows instead of a long band: blocks that run at once then read neighbouring memory",
        sketch: "Blocks start in the order of their numbers. With short tiles those that run at once cover one part of the image, and the rows that two tiles share \
                 come from the L2. `checker tune` finds the number of rows.",
        code: "
constexpr int tile_rows = 10;  // tune: 6 10 14 18
",
    },
];

/// Of the filter on RGB.
pub const FILTER: &[Idea] = &[
    Idea {
        rung: 4,
        name: "weights in constant memory",
        lacks: |signs| signs.loads > 100.0,
        eases: &[Part::Requests, Part::Waiting],
        idea: "put the 25 weights into constant memory: all threads of a warp read the same one at the same time",
        sketch: "A `__constant__` array, filled with `cudaMemcpyToSymbol`, or the filter as a struct that is passed to the kernel by value: half of the loads are gone.",
        code: "
__constant__ int weights[25];
cudaMemcpyToSymbol(weights, filter, sizeof weights);
",
    },
    Idea {
        rung: 7,
        name: "a tile in shared memory, and a kernel for the inside",
        lacks: |signs| signs.loads > 30.0,
        eases: &[Part::Requests, Part::Waiting],
        idea: "load a tile and its halo into shared memory once, and filter the pixels inside the image in a kernel without bounds checks",
        sketch: "A block of 32 x 8 pixels needs 36 x 12: its threads load them in a loop, a barrier follows, and the 25 reads per byte go to shared memory. Whole tiles \
                 whose halo lies in the image need no check; another kernel copies the border.",
        code: "
__shared__ uint8_t tile[12][3 * 36];
for (int i = thread; i < 12 * 108; i += threads) tile[i / 108][i % 108] = /* a byte */;
__syncthreads();  // the tile is complete
",
    },
    Idea {
        rung: 9,
        name: "a window that slides down",
        lacks: |signs| signs.loads + signs.shared_accesses > 40.0,
        eases: &[Part::Instructions, Part::Requests, Part::SharedMemory],
        idea: "let each thread go down a column with four unfinished sums in registers: each new row adds to all of them, finishes one and begins another",
        sketch: "A row of the image is needed for five rows of results: of the lowest it is the first row of the filter, of the highest the last. \
                 Let a thread take a column of bytes, those of one channel: its neighbours are 3 bytes apart. Load the five bytes of a new row once, and multiply them \
                 with each of the five rows of the filter: four sums grow, the oldest of them is finished and stored, and a new one begins. Begin two rows above the first \
                 result. No shared memory, no barrier, and no checks: another kernel copies the border.",
        code: "
int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
for (int row = first - 2; row < end + 2; ++row) {  // results: rows first to end - 1
    const Five bytes = load_row(row);  // dot(bytes, r): with row r of the filter
    s0 += dot(bytes, 4), s1 += dot(bytes, 3), s2 += dot(bytes, 2), s3 += dot(bytes, 1);
    if (row >= first + 2) store(row - 2, s0);
    s0 = s1, s1 = s2, s2 = s3, s3 = dot(bytes, 0);
}
",
    },
    Idea {
        rung: 10,
        name: "four pixels per thread",
        lacks: |signs| signs.access_bytes < 1.5,
        eases: &[Part::Instructions, Part::Requests, Part::Waiting],
        idea: "let each thread compute four neighbouring pixels, 12 bytes, from 4-byte loads: alone, this gains little or may even lose, but the next step, \
               `__dp4a`, needs it",
        sketch: "Rows can begin at any byte: load aligned words, and extract the bytes with `__funnelshift_r`. At the end of the image a word may reach beyond the \
                 buffer: load whole words inside of it only, and leave pixels that need a byte behind the last one to the border's kernel. Twelve results are three words to store where the row \
                 begins at a word, and twelve bytes elsewhere: by itself this step gains little or loses: go on with dot products before you compare.",
        code: "
const uint32_t word = __funnelshift_r(words[k], words[k + 1], 8 * (address % 4));
",
    },
    Idea {
        rung: 11,
        name: "dot products",
        lacks: |signs| signs.products > SINGLE_PRODUCTS,
        eases: &[Part::Instructions],
        idea: "let one `__dp4a` give four products of bytes and their sum; both operands are signed, so use pixel ^ 128, which is the pixel minus 128",
        sketch: "Part the channels first (`__byte_perm`), so that four neighbours of one channel share a word: then a row of the filter takes two dot products per byte. \
                 Add 128 times the sum of the weights at the end. Filters with weights outside -128 to 127 need another kernel.",
        code: "
const int four = static_cast<int>(word ^ 0x80808080);
sum = __dp4a(four, weights_of_row, sum);  // at the end: sum + 128 * sum_of_weights
",
    },
    Idea {
        rung: 14,
        name: "dot products that slide down",
        lacks: |signs| signs.loads > 5.0,
        eases: &[Part::Instructions, Part::Requests],
        idea: "slide down with the dot products: load, shift and part each row once for the five rows of results that need it; alone, this gains little or \
               may even lose, but the next steps need it",
        sketch: "Five rows of four pixels in three channels are sixty unfinished sums in registers; a row that is loaded adds a dot product to each. The border goes to \
                 another kernel.",
        code: "
int sums[5][12];  // unrolled, so that indices are constants
",
    },
    Idea {
        rung: 15,
        name: "seven dot products, one multiplication",
        // Beside shuffles, gathering the fifth column costs what the dot products save.
        lacks: |signs| {
            let many = signs.products > DOT_PRODUCTS && signs.bits < GATHERED_BITS;
            signs.divisions > 1.0 || (many && signs.shuffles < SHUFFLED)
        },
        eases: &[Part::Instructions],
        idea: "use fewer instructions per byte: seven `__dp4a` hold 25 products, and one multiplication replaces the division; there are {products} \
               multiplications and dot products per pixel now",
        sketch: "A `__dp4a` adds four products of signed bytes: take pixel ^ 128, which is the pixel minus 128, and begin each sum with 128 times the sum of \
                 the weights. Four columns of five rows take five dot products; the fifth column, gathered into words of its own, takes two. Divide with a float: convert the sum, \
                 multiply with the reciprocal, clamp first. Whether that is exact, a loop on the CPU over all sums from 0 to 256 times the divisor \
                 tells, for each divisor that you use it for; leave the others to `/`.",
        code: "
const uint32_t column = __byte_perm(row_a, row_b, 0x0040);  // bytes of the fifth column
int sum = base;  // 128 times the sum of the weights: the bytes are pixel ^ 128
for (int row = 0; row < 5; ++row) {
    sum = __dp4a(static_cast<int>(words[row]), weights[row], sum);
}
sum = __dp4a(static_cast<int>(fifth), weights_of_fifth, sum);   // rows 0 to 3 of column 4
sum = __dp4a(static_cast<int>(lowest), weight_of_lowest, sum);  // and its row 4
const float quotient = static_cast<float>(min(max(sum, 0), top)) * reciprocal;
",
    },
    Idea {
        rung: 17,
        name: "a warp filters a strip",
        lacks: |signs| signs.shuffles < SHUFFLED,
        eases: &[Part::Bytes, Part::Instructions],
        idea: "let the lanes of a warp share their words by shuffles, and store whole words through shared memory, so that neighbouring lanes store \
               neighbouring words",
        sketch: "Each lane loads three words of a row, shifts and parts them, and gets its neighbour's pixels by `__shfl_down_sync`: half the shifts and permutes. \
                 The last lanes of a warp lack a neighbour, so strips overlap by them. Shift the results into aligned words with the next lane's before \
                 they are stored: no byte is stored alone, and what lies beside the words at both ends of a row is left to the border's kernel. At the end of the image \
                 a word may reach beyond the buffer: load whole words inside of it only, and leave pixels that need a byte behind the last one to that kernel, too.",
        code: "
const uint32_t next = __shfl_down_sync(~0u, word, 1);
",
    },
    Idea {
        rung: 17,
        name: "words side by side",
        lacks: |signs| signs.stores_a_sector > 2.0,
        eases: &[Part::Bytes, Part::Requests, Part::Waiting],
        idea: "let neighbouring lanes store neighbouring words: put the words of a warp's row into shared memory, and let lane n store words n, n + 32 and n + 64",
        sketch: "A lane has the results of four pixels, which are three words. Where each lane stores its own three, a store touches every third word, and each sector is \
                 written three times. Through shared memory each store is 32 words side by side. `__syncwarp()` before and after is enough in a warp.",
        code: "
__shared__ uint32_t results[96];  // for each warp
results[3 * lane] = a, results[3 * lane + 1] = b, results[3 * lane + 2] = c;
__syncwarp();
for (int i = lane; i < words_of_the_row; i += 32) row_of_out[i] = results[i];
__syncwarp();  // before the next row
",
    },
    Idea {
        rung: 19,
        name: "addresses that move on",
        lacks: |signs| signs.instructions > FILTER_FEW && signs.additions > FILTER_FEW_ADDITIONS,
        eases: &[Part::Instructions],
        idea: "save what is not a product: let addresses move on with the loop, and test before it what is the same for all rows; at most 80 instructions \
               per pixel are wanted, and there are {instructions}: {additions} add, compare or clamp, {branches} branch",
        sketch: "Add the bytes of a row to an offset in each round instead of computing each address from the row's number. What is the same for all rows \
                 of a strip belongs before the loop: whether this lane loads, and which words it stores. Peel the first four rows, which store nothing, off the \
                 loop: no row then needs an `if` around it. Store whole words only, and leave bytes beside them to the border's kernel.",
        code: "
int at = first * row_bytes + 3 * x;
const bool stores = lane < words_of_the_row;  // before the loop
add_row(0), add_row(1), add_row(2), add_row(3);  // the rows before the first result
for (int y = first; y < end; ++y, at += row_bytes) { /* no multiplication for an address */ }
",
    },
    Idea {
        rung: 19,
        name: "rows fetched ahead",
        lacks: |signs| signs.copies_ahead < 0.05,
        eases: &[Part::Waiting, Part::Bytes],
        idea: "copy the next rows to shared memory while these are filtered (`__pipeline_memcpy_async` of cuda_pipeline.h), a warp per block",
        sketch: "Five rows ahead, in vectors of 16 bytes: loads in flight then need no registers, which the sums need. Rows begin at any byte, and a vector at a \
                 multiple of 16: copy from the last multiple before the row, `at / 16 * 16`, and skip the bytes before it when you read.",
        code: "
__pipeline_memcpy_async(&rows[slot][lane], &in[at / 16 * 16], 16);
__pipeline_commit();
__pipeline_wait_prior(4);
",
    },
];
