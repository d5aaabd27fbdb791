//! Copies between the GPU and the host function's memory.
//!
//! The interpreter holds the host function's memory. Each page-locked range of it has a twin that the driver has locked.
//! An upload fills the twin before its copy is queued; neither that nor the locking is measured.

use std::collections::BTreeMap;

use cuda::driver::Pinned;

use super::actions::{Action, Download};
use super::state::GpuEngine;
use crate::engine::interface::{EngineError, HostSide};
use crate::engine::prediction::{TABLE_BYTES, TAKEN_ALONG};

/// Page-locked buffers kept for reuse.
const MOST_SPARE: usize = 16;

impl GpuEngine {
    /// Page-locked memory of this size: a kept buffer, or a new one.
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

    /// Queues a copy to the GPU. Returns whether the host waits for it.
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
            // Not zeros: the system would hand out zeroed pages only during the timed copy.
            Download::Here(vec![1; length as usize])
        };
        self.downloads.push(download);
        Ok(number)
    }

    /// The bytes of the download with this number.
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

/// The twin of the page-locked range at this address of the host function.
pub(super) fn find(locked: &BTreeMap<u64, Pinned>, known_by: u64) -> Result<&Pinned, EngineError> {
    locked
        .get(&known_by)
        .ok_or_else(|| EngineError::Broken(format!("no page-locked memory at {known_by:#x}")))
}
