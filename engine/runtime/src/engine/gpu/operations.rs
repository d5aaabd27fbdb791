//! The operations of [`Engine`] on a real GPU. Most only queue an action.

use std::time::Instant;

use cuda::clock::Clock;
use cuda::driver::{FunctionAttribute, TextureMemory};
use simulator::image::Sampler;
use simulator::{KernelInfo, Rows};

use super::actions::{Action, Doomed};
use super::pixels::{format, part, settings};
use super::state::GpuEngine;
use crate::codes;
use crate::engine::images::{ArrayShape, ImageKind, Part, TextureSource};
use crate::engine::interface::{Command, Engine, EngineError, HostSide, Launched};
use crate::engine::limits::Limits;
use crate::engine::prediction::HOST_INSTRUCTIONS_PER_SECOND;
use crate::engine::work::{Apart, Step};

impl Engine for GpuEngine {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn alloc(&mut self, bytes: u64, _name: &str) -> Result<u64, EngineError> {
        Ok(self.gpu.alloc(bytes)?)
    }

    fn free(&mut self, address: u64) -> Result<(), EngineError> {
        self.doom(Doomed::Memory(address))
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.stream = 0;
        self.queue(Action::Write(address, bytes.to_vec()))
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        Ok(self.gpu.read(address, bytes)?)
    }

    fn select_stream(&mut self, stream: u64) {
        self.stream = stream;
    }

    fn upload(&mut self, to: u64, bytes: &[u8], host: HostSide) -> Result<(), EngineError> {
        if self.queue_upload(to, bytes, host)? { self.drain() } else { Ok(()) }
    }

    fn can_send_on(&self) -> bool {
        true
    }

    fn send_on(&mut self, to: u64, length: u64, host: HostSide) -> Result<(), EngineError> {
        let from = host.pinned.ok_or_else(|| EngineError::Broken("no page-locked source".to_owned()))?;
        self.queue(Action::WriteLocked { to, from, length })
    }

    fn download(&mut self, from: u64, length: u64, host: HostSide) -> Result<usize, EngineError> {
        let number = self.queue_download(from, length, host)?;
        if host.waits {
            self.drain()?;
        }
        Ok(number)
    }

    fn take_download(&mut self, number: usize) -> Result<Vec<u8>, EngineError> {
        if !self.queue.is_empty() {
            self.drain()?;
        }
        self.downloaded(number)
    }

    fn pin(&mut self, host: u64, bytes: u64) -> Result<(), EngineError> {
        let pinned = self.page_locked(bytes)?;
        self.locked.insert(host, pinned);
        Ok(())
    }

    fn unpin(&mut self, host: u64) -> Result<(), EngineError> {
        self.drain()?;
        if let Some(pinned) = self.locked.remove(&host) {
            self.keep(pinned);
        }
        Ok(())
    }

    fn alloc_managed(&mut self, bytes: u64, _name: &str) -> Result<u64, EngineError> {
        Ok(self.gpu.alloc_managed(bytes)?)
    }

    fn migrate_to_device(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.drain()?;
        // The host's stores move the pages to its side; the next kernel fetches them.
        Ok(self.gpu.write_managed(address, bytes)?)
    }

    fn migrate_to_host(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        let start = Instant::now();
        self.gpu.read_managed(address, bytes)?;
        self.host_took(start.elapsed().as_secs_f64());
        Ok(())
    }

    fn computed_on_host(&mut self, instructions: u64) -> Result<(), EngineError> {
        self.host_took(instructions as f64 / HOST_INSTRUCTIONS_PER_SECOND);
        Ok(())
    }

    fn copied_on_host(&mut self, _: u64, seconds: f64) -> Result<(), EngineError> {
        self.host_took(seconds);
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), EngineError> {
        self.queue(Action::Copy { to, from, length })
    }

    fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), EngineError> {
        self.queue(Action::Fill { address, value, length })
    }

    fn copy_rows(&mut self, to: Rows, from: Rows) -> Result<(), EngineError> {
        self.queue(Action::CopyRows { to, from })
    }

    fn fill_rows(&mut self, rows: Rows, value: u8) -> Result<(), EngineError> {
        self.queue(Action::FillRows { rows, value })
    }

    fn symbol(&mut self, name: &str) -> Option<(u64, u64)> {
        self.gpu.symbol(name).ok()
    }

    fn restore_variables(&mut self) -> Result<(), EngineError> {
        self.restore()
    }

    fn variables_changed(&mut self) -> Result<bool, EngineError> {
        self.changed()
    }

    fn shares_memory(&self) -> bool {
        true
    }

    fn alloc_array(&mut self, shape: &ArrayShape, _name: &str) -> Result<u64, EngineError> {
        if shape.depth > 0 {
            let reason = "arrays of three dimensions are simulated only".to_owned();
            return Err(EngineError::Refused { code: codes::NOT_SUPPORTED, reason });
        }
        let (width, rows) = (shape.width, shape.rows);
        Ok(self.gpu.alloc_array(format(shape.texel), width, rows, shape.surfaces, shape.gather)?)
    }

    fn free_array(&mut self, array: u64) -> Result<(), EngineError> {
        self.doom(Doomed::Array(array))
    }

    fn write_array(&mut self, array: u64, to: Part, bytes: &[u8]) -> Result<(), EngineError> {
        self.drain()?;
        let start = Instant::now();
        self.gpu.write_array(array, part(to), bytes)?;
        self.host_took(start.elapsed().as_secs_f64());
        Ok(())
    }

    fn read_array(&mut self, array: u64, from: Part, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        let start = Instant::now();
        self.gpu.read_array(array, part(from), bytes)?;
        self.host_took(start.elapsed().as_secs_f64());
        Ok(())
    }

    fn copy_to_array(&mut self, array: u64, part: Part, from: u64, pitch: u64) -> Result<(), EngineError> {
        self.queue(Action::ToArray { array, part, from, pitch })
    }

    fn copy_from_array(&mut self, to: u64, pitch: u64, array: u64, part: Part) -> Result<(), EngineError> {
        self.queue(Action::FromArray { to, pitch, array, part })
    }

    fn create_texture(&mut self, source: &TextureSource, sampler: &Sampler) -> Result<u64, EngineError> {
        let (memory, texel) = match *source {
            TextureSource::Array(array, texel) => (TextureMemory::Array(array), texel),
            TextureSource::Linear { address, length, texel } => {
                let bytes = u64::from(length) * texel.bytes();
                (TextureMemory::Linear { address, bytes, format: format(texel) }, texel)
            }
            TextureSource::Rows { address, width, rows, pitch, texel } => {
                (TextureMemory::Rows { address, format: format(texel), width, rows, pitch }, texel)
            }
        };
        Ok(self.gpu.create_texture(memory, &settings(sampler, texel))?)
    }

    fn create_surface(&mut self, array: u64) -> Result<u64, EngineError> {
        Ok(self.gpu.create_surface(array)?)
    }

    fn destroy_image(&mut self, kind: ImageKind, handle: u64) -> Result<(), EngineError> {
        self.doom(Doomed::Image(kind, handle))
    }

    fn registers(&mut self, kernel: &KernelInfo) -> Result<u32, EngineError> {
        Ok(self.gpu.function_attribute(&kernel.name, FunctionAttribute::Registers)?)
    }

    fn resident_blocks(
        &mut self,
        kernel: &KernelInfo,
        threads: u32,
        dynamic_shared: u32,
    ) -> Result<u32, EngineError> {
        // The driver returns 0 for more shared memory than the kernel is allowed.
        self.allow_shared(&kernel.name, dynamic_shared)?;
        Ok(self.gpu.occupancy(&kernel.name, threads, dynamic_shared)?)
    }

    fn launch(&mut self, command: Command) -> Result<Launched, EngineError> {
        self.queue(Action::Launch(command))?;
        Ok(Launched::default())
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        if self.gathering { Ok(()) } else { self.drain() }
    }

    fn synchronize_stream(&mut self) -> Result<(), EngineError> {
        self.drain()
    }

    fn synchronize_mark(&mut self, mark: usize) -> Result<(), EngineError> {
        self.mark_at(mark)?;
        self.drain()
    }

    fn wait_for_mark(&mut self, mark: usize) -> Result<(), EngineError> {
        self.mark_at(mark)?;
        self.queue(Action::Wait(mark))
    }

    fn mark(&mut self) -> Result<usize, EngineError> {
        self.marks.push(self.gpu.event()?);
        let index = self.marks.len() - 1;
        self.queue(Action::Mark(index))?;
        Ok(index)
    }

    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError> {
        self.drain()?;
        Ok(self.gpu.elapsed_ms(self.mark_at(start)?, self.mark_at(stop)?)?)
    }

    fn take_work(&mut self) -> Vec<Step> {
        Vec::new()
    }

    fn measure_apart(&mut self, apart: bool) {
        self.apart = apart.then(Apart::default);
    }

    fn take_apart(&mut self) -> Result<Option<Apart>, EngineError> {
        self.drain()?;
        Ok(self.apart.as_mut().map(std::mem::take))
    }

    fn take_seconds(&mut self) -> f64 {
        std::mem::take(&mut self.seconds)
    }

    /// Writes at least twice the size of the L2, so that no data of the last run is left in it.
    fn flush_before_next(&mut self) -> Result<(), EngineError> {
        if self.scratch.is_none() {
            let bytes = 2 * self.limits.l2.max(1 << 20);
            let scratch = self.gpu.alloc(bytes)?;
            self.scratch = Some((scratch, bytes));
            self.empty = Some(self.empty_seconds(scratch, bytes)?);
            self.round_trip = Some(self.round_trip_seconds(scratch, bytes)?);
            self.gate = Some(self.gpu.gate()?);
        }
        self.flush = true;
        Ok(())
    }

    fn gather(&mut self, on: bool) {
        self.gathering = on;
        self.gathered |= on;
    }

    fn clock_mhz(&self) -> Option<u32> {
        self.clock.as_ref().and_then(Clock::mhz)
    }

    fn take_printed(&mut self) -> Vec<u8> {
        // The driver prints to the worker's stdout, which the parent reads.
        Vec::new()
    }

    fn wants_guards(&self) -> bool {
        true
    }
}
