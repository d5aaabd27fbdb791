//! Copies between the GPU and the host function's memory.
//!
//! Page-locked memory of the host function has a twin that the driver has locked; its bytes are put there when
//! a copy is asked for, outside the measured time, as the locking is.

use std::collections::BTreeMap;

use cuda::driver::Pinned;

use super::GpuEngine;
use super::queue::Action;
use crate::engine::EngineError;
use crate::engine::interface::HostSide;
use crate::engine::prediction::{TABLE_BYTES, TAKEN_ALONG};

/// Page-locked ranges kept for the next call.
const MOST_SPARE: usize = 16;

/// A place in page-locked memory: what it is known by, and bytes from there on.
pub(super) type Locked = (u64, u64);

/// Bytes on their way to the host, or there.
pub(super) enum Download {
    Here(Vec<u8>),
    Staged(Pinned),
    InLocked(Locked, u64),
}

impl GpuEngine {
    /// Page-locked memory of this size: some that is kept, or new.
    pub(super) fn page_locked(&mut self, bytes: u64) -> Result<Pinned, EngineError> {
        match self.spare.iter().position(|spare| spare.length() == bytes) {
            Some(index) => Ok(self.spare.swap_remove(index)),
            None => Ok(self.gpu.alloc_pinned(bytes)?),
        }
    }

    /// Keeps page-locked memory for later.
    pub(super) fn keep(&mut self, pinned: Pinned) {
        self.spare.push(pinned);
        self.spare.truncate(MOST_SPARE);
    }

    /// Queues a copy to the GPU; whether the host waits for it.
    pub(super) fn queue_upload(
        &mut self,
        to: u64,
        bytes: &[u8],
        host: HostSide,
    ) -> Result<bool, EngineError> {
        let length = bytes.len() as u64;
        let Some((known_by, offset)) = host.pinned else {
            if self.gathering && length <= TAKEN_ALONG {
                self.queue(Action::WriteBehind(to, bytes.to_vec()))?;
                return Ok(false);
            }
            self.queue(Action::Write(to, bytes.to_vec()))?;
            return Ok(host.waits);
        };
        find(&self.locked, known_by)?.write(offset, bytes)?;
        self.queue(Action::WriteLocked { to, from: (known_by, offset), length })?;
        Ok(host.waits)
    }

    /// Queues a copy to the host, and returns its number.
    pub(super) fn queue_download(
        &mut self,
        from: u64,
        length: u64,
        host: HostSide,
    ) -> Result<usize, EngineError> {
        let number = self.downloads.len();
        let download = if let Some(to) = host.pinned {
            self.queue(Action::ReadLocked { from, to, length })?;
            Download::InLocked(to, length)
        } else if self.gathering && length <= TABLE_BYTES {
            let to = self.page_locked(length)?;
            self.queue(Action::ReadStaged { from, number })?;
            Download::Staged(to)
        } else {
            self.queue(Action::Read { from, number })?;
            // Not zeros, whose pages the system would only give while the copy is timed.
            Download::Here(vec![1; length as usize])
        };
        self.downloads.push(download);
        Ok(number)
    }

    /// What the copy of this number has brought.
    pub(super) fn downloaded(&mut self, number: usize) -> Result<Vec<u8>, EngineError> {
        let taken = Download::Here(Vec::new());
        let download = self.downloads.get_mut(number).map(|known| std::mem::replace(known, taken));
        match download {
            Some(Download::Here(bytes)) => Ok(bytes),
            Some(Download::Staged(pinned)) => {
                let mut bytes = vec![0; pinned.length() as usize];
                pinned.read(0, &mut bytes)?;
                self.keep(pinned);
                Ok(bytes)
            }
            Some(Download::InLocked((known_by, offset), length)) => {
                let mut bytes = vec![0; length as usize];
                find(&self.locked, known_by)?.read(offset, &mut bytes)?;
                Ok(bytes)
            }
            None => Err(EngineError::Broken(format!("no download {number}"))),
        }
    }
}

/// The page-locked memory known by this.
pub(super) fn find(locked: &BTreeMap<u64, Pinned>, known_by: u64) -> Result<&Pinned, EngineError> {
    locked
        .get(&known_by)
        .ok_or_else(|| EngineError::Broken(format!("no page-locked memory is known by {known_by:#x}")))
}
