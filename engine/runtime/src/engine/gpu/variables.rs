//! The first contents of the module's variables, which a timed run starts from again: a kernel that keeps answers in them finds
//! nothing.

use super::actions::Action;
use super::state::GpuEngine;
use crate::engine::interface::EngineError;

/// Variables of zeros larger than this are filled instead of copied. Smaller ones may lie in constant memory.
const FILLED: usize = 1 << 16;

impl GpuEngine {
    /// Reads the variables the first time, and writes them back each further time.
    pub(super) fn restore(&mut self) -> Result<(), EngineError> {
        self.stream = 0;
        let Some(variables) = self.variables.take() else {
            self.drain()?;
            let read = |(address, bytes): (u64, u64)| {
                let mut contents = vec![0; bytes as usize];
                self.gpu.read(address, &mut contents)?;
                Ok((address, contents))
            };
            let first = self.gpu.variables().into_iter().map(read);
            self.variables = Some(first.collect::<Result<_, EngineError>>()?);
            return Ok(());
        };
        for (address, contents) in &variables {
            let zeros = contents.len() > FILLED && contents.iter().all(|byte| *byte == 0);
            self.queue(if zeros {
                Action::Fill { address: *address, value: 0, length: contents.len() as u64 }
            } else {
                Action::Write(*address, contents.clone())
            })?;
        }
        self.variables = Some(variables);
        Ok(())
    }

    /// Whether a variable has other contents than at first.
    pub(super) fn changed(&mut self) -> Result<bool, EngineError> {
        self.drain()?;
        let mut changed = false;
        for (address, first) in self.variables.iter().flatten() {
            let mut now = vec![0; first.len()];
            self.gpu.read(*address, &mut now)?;
            changed |= now != *first;
        }
        Ok(changed)
    }
}
