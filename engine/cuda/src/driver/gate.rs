//! A gate in the GPU's queue: work queued behind it begins when the host opens the gate.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cust::sys::{CUdeviceptr, CUresult, CUstream};

use super::context::enter;
use super::error::check;
use super::gpu::Gpu;
use super::pinned::Pinned;
use super::stream::Stream;
use super::types::DriverError;

/// A gate opens by itself after this time: while work is queued, the driver may wait for the GPU, for room in
/// its queue or to load a kernel that is launched for the first time.
const LONGEST: Duration = Duration::from_millis(2);
/// Until `*address >= value`, in `cuda.h` `CU_STREAM_WAIT_VALUE_GEQ`.
const AT_LEAST: u32 = 0;

unsafe extern "C" {
    // `cust::sys` declares the first version only, which Linux drivers disable by default.
    fn cuStreamWaitValue32_v2(stream: CUstream, address: CUdeviceptr, value: u32, flags: u32) -> CUresult;
}

/// Where the default stream waits for the host, and with it every stream that waits for the default one.
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

/// The word in page-locked memory that the GPU reads.
#[derive(Clone, Copy)]
struct Word(*mut u32);

// SAFETY: the word is only accessed as an atomic, and outlives the thread that it is given to (`Gate::drop`).
unsafe impl Send for Word {}

impl Word {
    fn of(pinned: &Pinned) -> Self {
        Self(pinned.address().as_ptr().cast())
    }

    /// Opens all gates up to this number.
    fn open(self, number: u32) {
        // SAFETY: page-locked memory is aligned to a page, the word is alive, and the GPU only reads it.
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
            // The whole `Word` goes to the thread: its pointer alone is not `Send`.
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
    /// Work queued from here on in the default stream waits for [`Self::open`], or for two milliseconds.
    pub fn close(&mut self, gpu: &Gpu) -> Result<(), DriverError> {
        enter(&gpu.context)?;
        self.last += 1;
        if let Some(closed) = &self.closed {
            // Its receiver lives as long as this.
            let _ = closed.send(self.last);
        }
        let address = self.opened.address().as_ptr() as u64;
        // SAFETY: page-locked memory has the same address on the GPU; it lives until the GPU has finished (see
        // `Drop` of `Pinned`).
        let result = unsafe { cuStreamWaitValue32_v2(Stream::handle(None), address, self.last, AT_LEAST) };
        check("cuStreamWaitValue32", result)
    }

    /// Lets the GPU continue.
    pub fn open(&self) {
        Word::of(&self.opened).open(self.last);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
        self.closed = None;
        if let Some(late) = self.late.take() {
            // Nothing in it can panic.
            let _ = late.join();
        }
    }
}
