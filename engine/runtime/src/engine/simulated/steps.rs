//! Recording the work of a simulated GPU, and finding its arrays.

use simulator::image::Pixels;
use simulator::model::{H200, memory_seconds};
use simulator::{Checks, Rows};

use super::SimulatedEngine;
use crate::engine::images::{Part, TextureSource};
use crate::engine::interface::{EngineError, HostSide};
use crate::engine::prediction::{self, as_it_is};
use crate::engine::work::{HostMemory, Step, Transfer, Work};

/// Bytes that a thread is taken to move where nothing is counted.
const BYTES_PER_THREAD: f64 = 4.0;

/// Downloads up to this many bytes are kept for a later dry run, and so many bytes of all together.
const MOST_READ: usize = 1 << 16;
const MOST_READ_IN_ALL: usize = 1 << 26;
/// Bytes of a sector.
const SECTOR: u64 = 32;
/// Bytes that memory could move in the time of a row of a two-dimensional copy that is narrower than a sector: 0.64 ns on an H200, where
/// three such copies of 47 million rows of one byte took 90 ms. `solutions/lab1-grayscale/cheats/rows_of_one_byte.cu` makes one.
const NARROW_ROW: u64 = 2_700;

/// The bytes that memory moves in a copy of rows; for narrow ones as many as take their time.
pub(super) fn moved_bytes(to: Rows, from: Rows) -> u64 {
    let narrow = to.rows > 1 && to.width < SECTOR && (to.pitch > to.width || from.pitch > from.width);
    let in_rows = if narrow { to.rows.saturating_mul(NARROW_ROW) } else { 0 };
    (from.moved_bytes() + to.moved_bytes()).max(in_rows)
}

impl SimulatedEngine {
    pub(super) fn array(&self, array: u64) -> Result<Pixels, EngineError> {
        let known = self.arrays.get(&array).copied();
        known.ok_or_else(|| EngineError::Broken(format!("no array {array:#x}")))
    }

    /// The pixels that a texture is over.
    pub(super) fn pixels(&self, source: &TextureSource) -> Result<Pixels, EngineError> {
        Ok(match *source {
            TextureSource::Array(array, _) => self.array(array)?,
            TextureSource::Linear { address, length, texel } => {
                let pitch = u64::from(length) * texel.bytes();
                Pixels { address, width: length, height: 1, depth: 1, pitch, texel, linear: true }
            }
            TextureSource::Rows { address, width, rows, pitch, texel } => {
                Pixels { address, width, height: rows, depth: 1, pitch, texel, linear: false }
            }
        })
    }

    /// The address of each row of a part, and the row's offset in the bytes of the part.
    pub(super) fn rows(
        &self,
        array: u64,
        part: Part,
    ) -> Result<impl Iterator<Item = (u64, u64)> + use<>, EngineError> {
        let pixels = self.array(array)?;
        let first = pixels.address + part.y * pixels.pitch + part.x;
        Ok((0..part.rows).map(move |row| (first + row * pixels.pitch, row * part.width)))
    }

    /// The analyses of the next launch.
    pub(super) fn launch_checks(&self) -> Checks {
        if !self.watched {
            return Checks { count: self.checks.count, ..Checks::NONE };
        }
        Checks { touched: self.checks.races && self.streams, ..self.checks }
    }

    pub(super) fn done(&mut self, work: Work) {
        self.step(Step::Work { stream: self.stream, work });
    }

    pub(super) fn step(&mut self, step: Step) {
        let seconds = |work: &Work| prediction::seconds(work, as_it_is(work), &H200, self.gpu);
        if self.checks.count {
            self.timeline.add(&step, seconds);
            self.work.push(step);
        } else {
            // Events must show times here too: a file must not be able to tell by them which run is timed.
            let moved = |work: &Work| match work {
                Work::Kernel(kernel) => {
                    memory_seconds(kernel.blocks() * f64::from(kernel.threads) * BYTES_PER_THREAD, self.gpu)
                }
                _ => 0.0,
            };
            self.timeline.add(&step, |work| seconds(work) + moved(work));
        }
    }

    pub(super) fn transferred(&mut self, up: bool, host: HostMemory, bytes: u64, waits: bool) {
        if bytes > 0 {
            self.done(Work::Transfer(Transfer { bytes, up, host, waits }));
        }
    }

    /// Keeps a download, and returns its number. In a dry run its bytes are those of the run before.
    pub(super) fn downloaded(&mut self, mut bytes: Vec<u8>, host: HostSide) -> usize {
        self.answer(&mut bytes);
        self.transferred(false, super::kind(host), host.counts, host.waits);
        self.downloads.push(bytes);
        self.downloads.len() - 1
    }

    /// Keeps what the host reads, for a dry run; in one, these are the bytes of the run before.
    pub(super) fn answer(&mut self, bytes: &mut [u8]) {
        if self.dry {
            if let Some(known) = self.read.front().filter(|known| known.len() == bytes.len()) {
                bytes.copy_from_slice(known);
                self.read.pop_front();
            }
        } else if self.checks.count && bytes.len() <= MOST_READ && self.read_bytes <= MOST_READ_IN_ALL {
            self.read_bytes += bytes.len();
            self.read.push_back(bytes.to_vec());
        }
    }

    pub(super) fn known_mark(&self, mark: usize) -> Result<(), EngineError> {
        if mark < self.marks { Ok(()) } else { Err(EngineError::Broken(format!("no mark {mark}"))) }
    }
}
