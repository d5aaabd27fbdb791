//! What a simulated GPU notes of its work, and finds its arrays by.

use simulator::image::Pixels;
use simulator::model::H200;

use super::SimulatedEngine;
use crate::engine::images::Part;
use crate::engine::interface::{EngineError, HostMemory, Transfer, Work};
use crate::engine::prediction::{self, as_it_is};
use crate::engine::timeline::Step;

impl SimulatedEngine {
    pub(super) fn array(&self, array: u64) -> Result<Pixels, EngineError> {
        let known = self.arrays.get(&array).copied();
        known.ok_or_else(|| EngineError::Broken(format!("no array {array:#x}")))
    }

    /// The address of each row of a part, and where the row begins in the part's own bytes.
    pub(super) fn rows(
        &self,
        array: u64,
        part: Part,
    ) -> Result<impl Iterator<Item = (u64, u64)> + use<>, EngineError> {
        let pixels = self.array(array)?;
        let first = pixels.address + part.y * pixels.pitch + part.x;
        Ok((0..part.rows).map(move |row| (first + row * pixels.pitch, row * part.width)))
    }

    pub(super) fn done(&mut self, work: Work) {
        self.step(Step::Work { stream: self.stream, work });
    }

    pub(super) fn step(&mut self, step: Step) {
        if self.checks.count {
            self.timeline.add(&step, |work| prediction::seconds(work, as_it_is(work), &H200, self.gpu));
            self.work.push(step);
        }
    }

    pub(super) fn transferred(&mut self, up: bool, host: HostMemory, bytes: u64, waits: bool) {
        if bytes > 0 {
            self.done(Work::Transfer(Transfer { bytes, up, host, waits }));
        }
    }

    pub(super) fn known_mark(&self, mark: usize) -> Result<(), EngineError> {
        if mark < self.marks { Ok(()) } else { Err(EngineError::Broken(format!("no time mark {mark}"))) }
    }
}
