//! A gate in the GPU's queue: what is queued behind it begins once all of it is there.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::calls;
use super::context::enter;
use super::error::check;
use super::gpu::Gpu;
use super::stream::{Pinned, Stream};
use super::types::DriverError;

/// A gate opens by itself after this time: the driver may wait for the GPU while something is queued, for room in its queue or to
/// load a kernel that is launched for the first time.
const LONGEST: Duration = Duration::from_millis(2);
/// Until `*address >= value`, in `cuda.h` `CU_STREAM_WAIT_VALUE_GEQ`.
const AT_LEAST: u32 = 0;

/// Where the default stream waits for the host, and with it all that wait for it.
#[derive(Debug)]
pub struct Gate {
    /// The number of the last gate that is open.
    opened: Pinned,
    /// The number of the last gate.
    last: u32,
    /// Tells `late` of a new gate.
    closed: Option<Sender<u32>>,
    late: Option<JoinHandle<()>>,
}

/// The word in page-locked memory that the GPU looks at.
#[derive(Clone, Copy)]
struct Word(*mut u32);

// SAFETY: the word is only reached as an atomic, and lives until the thread that got it has ended (`Gate::drop`).
unsafe impl Send for Word {}

impl Word {
    fn of(pinned: &Pinned) -> Self {
        Self(pinned.address().as_ptr().cast())
    }

    /// Opens all gates up to this number.
    fn open(self, number: u32) {
        // SAFETY: page-locked memory is aligned to a page, and the word is alive; the GPU only reads it.
        unsafe { AtomicU32::from_ptr(self.0) }.fetch_max(number, Ordering::Release);
    }
}

impl Gpu {
    /// Makes a gate, which is open.
    pub fn gate(&self) -> Result<Gate, DriverError> {
        let opened = self.alloc_pinned(size_of::<u32>() as u64)?;
        let (closed, numbers) = channel();
        let word = Word::of(&opened);
        let late = thread::spawn(move || {
            // All of it, and not the pointer alone, goes to the thread.
            let word: Word = word;
            while let Ok(number) = numbers.recv() {
                let number = numbers.try_iter().last().unwrap_or(number);
                thread::sleep(LONGEST);
                word.open(number);
            }
        });
        Ok(Gate { opened, last: 0, closed: Some(closed), late: Some(late) })
    }
}

impl Gate {
    /// What is queued from here on in the default stream waits until [`Self::open`] is called, or for two milliseconds.
    pub fn close(&mut self, gpu: &Gpu) -> Result<(), DriverError> {
        enter(&gpu.context)?;
        self.last += 1;
        if let Some(closed) = &self.closed {
            // Its receiver lives as long as this.
            let _ = closed.send(self.last);
        }
        let address = self.opened.address().as_ptr() as u64;
        // SAFETY: page-locked memory has the same address on the GPU; it lives until the GPU has finished (see `Pinned`'s `Drop`).
        let status =
            unsafe { calls::cuStreamWaitValue32_v2(Stream::handle(None), address, self.last, AT_LEAST) };
        check("cuStreamWaitValue32", status)
    }

    /// Lets the GPU go on.
    pub fn open(&self) {
        Word::of(&self.opened).open(self.last);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
        self.closed = None;
        if let Some(late) = self.late.take() {
            // It has nothing that could panic.
            let _ = late.join();
        }
    }
}
