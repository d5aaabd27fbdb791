//! The yardstick: the kernels that every bandwidth score is relative to, and how to launch them.

/// Kernels that move bytes as fast as the GPU can: every bandwidth score is relative to their time. All of them take
/// `(const uint4* in, uint4* out, size_t reads, size_t writes, uint32_t reads_per_block, uint32_t writes_per_block)`, read
/// `reads` and write `writes` 16-byte words. [`yardstick_shape`] chooses the kernel and its launch.
pub const YARDSTICK: &str = include_str!("../include/yardstick.cu");

/// Threads per block of the streaming kernel.
const STREAMING_THREADS: u32 = 256;
/// Threads per block of the kernels that mix reads and writes.
const MIXING_THREADS: u32 = 128;
/// The mixing kernels, by words per thread.
const MIXING: [&str; 3] = ["yardstick_1", "yardstick_2", "yardstick_3"];
/// The smallest number of words (16 MiB) for which mixing is faster.
const MANY_WORDS: u64 = 1 << 20;
/// The largest number of reads per write for which mixing is faster.
const MOST_READS: u64 = 8;

/// How to launch the yardstick, on both engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct YardstickShape {
    /// The kernel.
    pub kernel: &'static str,
    /// Blocks of the grid, in x.
    pub blocks: u32,
    /// Threads per block.
    pub threads: u32,
    /// Words that each block reads, if reads and writes are mixed.
    pub reads_per_block: u32,
    /// Words that each block writes, if reads and writes are mixed.
    pub writes_per_block: u32,
}

impl YardstickShape {
    /// The kernel's arguments as bytes, for these addresses and the numbers of 16-byte words that the shape was made for.
    pub fn arguments(self, input: u64, output: u64, reads: u64, writes: u64) -> Vec<Vec<u8>> {
        let words = [input, output, reads, writes].map(|word| word.to_le_bytes().to_vec());
        let shares = [self.reads_per_block, self.writes_per_block].map(|share| share.to_le_bytes().to_vec());
        words.into_iter().chain(shares).collect()
    }
}

/// The fastest known launch for this many 16-byte words read and written. Measured on an H200: one to eight words per
/// thread, 128 to 1,024 threads per block, one chunk per block and grid-stride loops, plain and streaming loads and
/// stores, and bulk copies through shared memory, at ratios 3:1, 2:1, 1:1 and 1:0 and at 2, 47 and 400 megapixels. None of
/// these was more than 1 % faster than this launch.
pub fn yardstick_shape(reads: u64, writes: u64) -> YardstickShape {
    if writes == 0 || writes > reads || reads > MOST_READS * writes || reads + writes < MANY_WORDS {
        let blocks = grid(reads.max(writes).div_ceil(u64::from(STREAMING_THREADS)));
        let kernel = "yardstick_streaming";
        return YardstickShape {
            kernel,
            blocks,
            threads: STREAMING_THREADS,
            reads_per_block: 0,
            writes_per_block: 0,
        };
    }
    // As many loads per thread as there are loads per store.
    let words = ((2 * reads + writes) / (2 * writes)).clamp(1, MIXING.len() as u64);
    let reads_per_block = words * u64::from(MIXING_THREADS);
    let writes_per_block =
        (u128::from(reads_per_block) * u128::from(writes)).div_ceil(u128::from(reads)) as u64;
    YardstickShape {
        kernel: MIXING[words as usize - 1],
        blocks: grid(reads.div_ceil(reads_per_block).max(writes.div_ceil(writes_per_block))),
        threads: MIXING_THREADS,
        reads_per_block: reads_per_block as u32,
        writes_per_block: writes_per_block as u32,
    }
}

/// No larger than a grid can be in x.
fn grid(blocks: u64) -> u32 {
    blocks.clamp(1, i32::MAX as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the blocks cover all words, with at most as many words per thread as the kernel takes.
    fn covers(reads: u64, writes: u64) -> bool {
        let shape = yardstick_shape(reads, writes);
        let (blocks, threads) = (u64::from(shape.blocks), u64::from(shape.threads));
        let Some(words) = MIXING.iter().position(|kernel| *kernel == shape.kernel) else {
            return blocks * threads >= reads.max(writes);
        };
        let most = (words as u64 + 1) * threads;
        let (a_read, a_write) = (u64::from(shape.reads_per_block), u64::from(shape.writes_per_block));
        a_read <= most && a_write <= most && blocks * a_read >= reads && blocks * a_write >= writes
    }

    #[test]
    fn all_words_are_moved_whatever_their_ratio() {
        let counts = [0, 1, 2, 7, 127, 129, 4096, 1 << 19, (1 << 20) - 1, 1 << 20, 2_938_248, 8_814_744];
        for (reads, writes) in counts.iter().flat_map(|reads| counts.map(|writes| (*reads, writes))) {
            assert!(covers(reads, writes), "{reads} and {writes}");
        }
    }

    #[test]
    fn a_thread_loads_as_many_words_as_there_are_loads_per_store() {
        let shape = |reads, writes| {
            let shape = yardstick_shape(reads, writes);
            (shape.kernel, shape.blocks, shape.reads_per_block, shape.writes_per_block)
        };
        assert_eq!(shape(3 << 20, 1 << 20), ("yardstick_3", 8192, 384, 128));
        assert_eq!(shape(4 << 20, 2 << 20), ("yardstick_2", 16384, 256, 128));
        assert_eq!(shape(1 << 20, 1 << 20), ("yardstick_1", 8192, 128, 128));
        // A histogram, hardly any store; more stores than loads; few bytes.
        for (reads, writes) in [(1 << 20, 64), (1 << 20, 3 << 19), (1 << 10, 1 << 10), (0, 1 << 20), (0, 0)] {
            assert_eq!(shape(reads, writes).0, "yardstick_streaming", "{reads} and {writes}");
        }
        assert_eq!(shape(1 << 20, 64).1, 4096);
    }

    #[test]
    fn the_grid_stays_within_what_a_gpu_takes() {
        assert_eq!(yardstick_shape(1 << 50, 0).blocks, 2_147_483_647);
        assert_eq!(yardstick_shape(1 << 50, 1 << 50).blocks, 2_147_483_647);
    }
}
