//! The yardstick on an engine: it moves a task's fewest bytes as fast as the machine can. If they stay on the GPU, it is
//! a kernel; if they cross the link, it is two copies between page-locked memory and the GPU.

use kernels::{YardstickShape, yardstick_shape};

use crate::engine::{Command, Engine, EngineError, HostSide};

/// Bytes per word that it moves.
const WORD: u64 = 16;

/// Host addresses of the page-locked buffers. They are free: no host function runs on the yardstick's engine.
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
    /// The bytes that the host sends; `None` if the yardstick is a kernel.
    sent: Option<Vec<u8>>,
}

impl Yardstick {
    /// Allocates its buffers. The engine has the yardstick's module loaded. `over_link`: the bytes read come from the
    /// host, and the bytes written go to the host after all those have arrived. A task that needs the whole image
    /// cannot send its output earlier.
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

    /// Runs it once, and waits; the engine then has its seconds.
    pub fn run(&self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        self.issue(engine)?;
        engine.synchronize()
    }

    /// Runs it once; a kernel is not waited for.
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
        Err(EngineError::Broken("the yardstick's copies returned wrong bytes".to_owned()))
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
