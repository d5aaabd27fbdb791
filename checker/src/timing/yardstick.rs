//! The yardstick on an engine: the kernel that moves a task's fewest bytes as fast as the GPU can.

use kernels::{YARDSTICK_THREADS, yardstick_blocks};
use lab::FewestBytes;

use crate::engine::{Command, Engine, EngineError};

/// Bytes of the words it moves.
const WORD: u64 = 16;

/// The yardstick with its buffers.
pub struct Yardstick {
    input: u64,
    output: u64,
    reads: u64,
    writes: u64,
    grid: u32,
}

impl Yardstick {
    /// Allocates what it reads and writes. The engine has the yardstick's module loaded.
    pub fn new(engine: &mut dyn Engine, bytes: FewestBytes) -> Result<Self, EngineError> {
        let (reads, writes) = (bytes.read.div_ceil(WORD), bytes.write.div_ceil(WORD));
        let input = engine.alloc(reads.max(1) * WORD, "yardstick input")?;
        let output = engine.alloc(writes.max(1) * WORD, "yardstick output")?;
        engine.fill(input, 0x5a, reads.max(1) * WORD)?;
        let grid = yardstick_blocks(reads, writes);
        engine.synchronize()?;
        engine.take_seconds();
        engine.take_work();
        Ok(Self { input, output, reads, writes, grid })
    }

    /// Runs it once, and waits; the engine then knows its seconds.
    pub fn run(&self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        self.issue(engine)?;
        engine.synchronize()
    }

    /// Runs it once, without waiting.
    pub fn issue(&self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        let words = [self.input, self.output, self.reads, self.writes];
        let launched = engine.launch(Command {
            kernel: "yardstick".to_owned(),
            grid: [self.grid, 1, 1],
            block: [YARDSTICK_THREADS, 1, 1],
            dynamic_shared: 0,
            arguments: words.map(|word| word.to_le_bytes().to_vec()).to_vec(),
        })?;
        if let Some(fault) = launched.findings.first().filter(|_| launched.stopped) {
            return Err(EngineError::Broken(format!("the yardstick kernel failed: {}", fault.message)));
        }
        Ok(())
    }

    /// Frees its buffers.
    pub fn release(self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        engine.free(self.input)?;
        engine.free(self.output)
    }
}
