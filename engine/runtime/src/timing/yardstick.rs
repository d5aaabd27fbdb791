//! The yardstick on an engine: what moves a task's fewest bytes as fast as the machine can. A kernel where they lie
//! on the GPU; two copies between page-locked memory and the GPU where they have to cross the link.

use kernels::{YardstickShape, yardstick_shape};

use crate::engine::{Command, Engine, EngineError, HostSide};

/// Bytes of the words it moves.
const WORD: u64 = 16;

/// What the page-locked buffers are known by to the engine: no host function runs beside the yardstick.
const LOCKED_INPUT: u64 = 1 << 40;
const LOCKED_OUTPUT: u64 = 2 << 40;

/// Bytes that the yardstick moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct YardstickBytes {
    /// Read.
    pub read: u64,
    /// Written.
    pub write: u64,
}

/// The yardstick with its buffers.
pub struct Yardstick {
    input: u64,
    output: u64,
    reads: u64,
    writes: u64,
    shape: YardstickShape,
    /// What the host sends; nothing where the kernel is the yardstick.
    sent: Option<Vec<u8>>,
}

impl Yardstick {
    /// Allocates what it reads and writes. The engine has the yardstick's module loaded. `over_link`: the bytes
    /// read come from the host, and those written go there, after the last of the others has come: no output
    /// of a task that sees the whole image can leave earlier.
    pub fn new(engine: &mut dyn Engine, bytes: YardstickBytes, over_link: bool) -> Result<Self, EngineError> {
        let (reads, writes) = (bytes.read.div_ceil(WORD).max(1), bytes.write.div_ceil(WORD).max(1));
        let input = engine.alloc(reads * WORD, "yardstick input")?;
        let output = engine.alloc(writes * WORD, "yardstick output")?;
        engine.fill(input, 0x5a, reads * WORD)?;
        let sent = if over_link {
            engine.fill(output, 0xa5, writes * WORD)?;
            engine.pin(LOCKED_INPUT, reads * WORD)?;
            engine.pin(LOCKED_OUTPUT, writes * WORD)?;
            Some(vec![0x5a; (reads * WORD) as usize])
        } else {
            None
        };
        engine.synchronize()?;
        engine.take_seconds();
        engine.take_work();
        let (reads, writes) = (bytes.read.div_ceil(WORD), bytes.write.div_ceil(WORD));
        Ok(Self { input, output, reads, writes, shape: yardstick_shape(reads, writes), sent })
    }

    /// Runs it once, and waits; the engine then knows its seconds.
    pub fn run(&self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        self.issue(engine)?;
        engine.synchronize()
    }

    /// Runs it once, without waiting for kernels.
    pub fn issue(&self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        match &self.sent {
            Some(sent) => self.cross_the_link(engine, sent),
            None => self.launch(engine),
        }
    }

    fn launch(&self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        let launched = engine.launch(Command {
            kernel: self.shape.kernel.to_owned(),
            grid: [self.shape.blocks, 1, 1],
            block: [self.shape.threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments: self.shape.arguments(self.input, self.output, self.reads, self.writes),
        })?;
        if let Some(fault) = launched.findings.first().filter(|_| launched.stopped) {
            return Err(EngineError::Broken(format!("the yardstick kernel failed: {}", fault.message)));
        }
        Ok(())
    }

    fn cross_the_link(&self, engine: &mut dyn Engine, sent: &[u8]) -> Result<(), EngineError> {
        let locked = |known_by, counts| HostSide { pinned: Some((known_by, 0)), waits: false, counts };
        engine.select_stream(0);
        engine.upload(self.input, sent, locked(LOCKED_INPUT, sent.len() as u64))?;
        let bytes = self.writes.max(1) * WORD;
        let number = engine.download(self.output, bytes, locked(LOCKED_OUTPUT, bytes))?;
        engine.synchronize()?;
        let received = engine.take_download(number)?;
        if received.iter().all(|byte| *byte == 0xa5) {
            return Ok(());
        }
        Err(EngineError::Broken("the yardstick's copies brought other bytes".to_owned()))
    }

    /// Frees its buffers.
    pub fn release(self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        if self.sent.is_some() {
            engine.unpin(LOCKED_INPUT)?;
            engine.unpin(LOCKED_OUTPUT)?;
        }
        engine.free(self.input)?;
        engine.free(self.output)
    }
}
