//! Recording the work of a simulated GPU, and finding its arrays.

use simulator::Checks;
use simulator::image::Pixels;
use simulator::model::H200;

use super::SimulatedEngine;
use crate::engine::images::Part;
use crate::engine::interface::EngineError;
use crate::engine::prediction::{self, as_it_is};
use crate::engine::work::{HostMemory, Step, Transfer, Work};

impl SimulatedEngine {
    pub(super) fn array(&self, array: u64) -> Result<Pixels, EngineError> {
        let known = self.arrays.get(&array).copied();
        known.ok_or_else(|| EngineError::Broken(format!("no array {array:#x}")))
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
        if mark < self.marks { Ok(()) } else { Err(EngineError::Broken(format!("no mark {mark}"))) }
    }
}
