//! The kernels that every bandwidth score is measured against, and how to launch them.

/// Kernels that move bytes as fast as the GPU can: the measure of every bandwidth score. All of them take
/// `(const uint4* in, uint4* out, size_t reads, size_t writes, uint32_t reads_a_block, uint32_t writes_a_block)`, read
/// `reads` and write `writes` 16-byte words. [`yardstick_shape`] says which one, and how.
pub const YARDSTICK: &str = include_str!("../include/yardstick.cu");

/// Threads of a block that streams.
const STREAMING_THREADS: u32 = 256;
/// Threads of a block that mixes reads and writes.
const MIXING_THREADS: u32 = 128;
/// The mixing kernels, by words a thread.
const MIXING: [&str; 3] = ["yardstick_1", "yardstick_2", "yardstick_3"];
/// Fewest words, 16 MiB, of which mixing is faster.
const MANY_WORDS: u64 = 1 << 20;
/// On one write there are at most so many reads where mixing is faster.
const MOST_READS: u64 = 8;

/// How to launch the yardstick, on both engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct YardstickShape {
    /// The kernel.
    pub kernel: &'static str,
    /// Blocks of the grid, in x.
    pub blocks: u32,
    /// Threads a block.
    pub threads: u32,
    /// Words that a block reads, where reads and writes are mixed.
    pub reads_a_block: u32,
    /// Words that a block writes, where they are.
    pub writes_a_block: u32,
}

impl YardstickShape {
    /// The kernel's arguments as bytes, given the addresses and the words of 16 bytes that the shape is for.
    pub fn arguments(self, input: u64, output: u64, reads: u64, writes: u64) -> Vec<Vec<u8>> {
        let words = [input, output, reads, writes].map(|word| word.to_le_bytes().to_vec());
        let shares = [self.reads_a_block, self.writes_a_block].map(|share| share.to_le_bytes().to_vec());
        words.into_iter().chain(shares).collect()
    }
}

/// The fastest launch known for this many words of 16 bytes read and written. Measured on an H200: one to eight words
/// a thread, 128 to 1,024 threads a block, a chunk a block and resident blocks that go round, plain and streaming
/// loads and stores, and bulk copies through shared memory, at ratios 3:1, 2:1, 1:1 and 1:0 and at 2, 47 and 400
/// megapixels. Nothing was more than 1 % faster than this.
pub fn yardstick_shape(reads: u64, writes: u64) -> YardstickShape {
    if writes == 0 || writes > reads || reads > MOST_READS * writes || reads + writes < MANY_WORDS {
        let blocks = grid(reads.max(writes).div_ceil(u64::from(STREAMING_THREADS)));
        let kernel = "yardstick_streaming";
        return YardstickShape {
            kernel,
            blocks,
            threads: STREAMING_THREADS,
            reads_a_block: 0,
            writes_a_block: 0,
        };
    }
    // As many loads a thread as come on one store.
    let words = ((2 * reads + writes) / (2 * writes)).clamp(1, MIXING.len() as u64);
    let reads_a_block = words * u64::from(MIXING_THREADS);
    let writes_a_block = (u128::from(reads_a_block) * u128::from(writes)).div_ceil(u128::from(reads)) as u64;
    YardstickShape {
        kernel: MIXING[words as usize - 1],
        blocks: grid(reads.div_ceil(reads_a_block).max(writes.div_ceil(writes_a_block))),
        threads: MIXING_THREADS,
        reads_a_block: reads_a_block as u32,
        writes_a_block: writes_a_block as u32,
    }
}

/// No larger than a grid can be in x.
fn grid(blocks: u64) -> u32 {
    blocks.clamp(1, i32::MAX as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the blocks cover all words with no more a thread than the kernel has.
    fn covers(reads: u64, writes: u64) -> bool {
        let shape = yardstick_shape(reads, writes);
        let (blocks, threads) = (u64::from(shape.blocks), u64::from(shape.threads));
        let Some(words) = MIXING.iter().position(|kernel| *kernel == shape.kernel) else {
            return blocks * threads >= reads.max(writes);
        };
        let most = (words as u64 + 1) * threads;
        let (a_read, a_write) = (u64::from(shape.reads_a_block), u64::from(shape.writes_a_block));
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
    fn a_thread_loads_as_much_as_comes_on_one_store() {
        let shape = |reads, writes| {
            let shape = yardstick_shape(reads, writes);
            (shape.kernel, shape.blocks, shape.reads_a_block, shape.writes_a_block)
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
