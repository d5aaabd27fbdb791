//! The host side of a compiled submission.

use std::collections::BTreeMap;

use simulator::{KernelInfo, Module, ModuleError};

/// A decoded host module, and the facts about kernels that a launch needs.
#[derive(Debug)]
pub struct Program {
    /// The host functions.
    pub module: Module,
    /// The kernels, by mangled name.
    pub kernels: BTreeMap<String, KernelInfo>,
}

impl Program {
    /// Decodes the PTX of the host pass.
    pub fn from_ptx(ptx: &str) -> Result<Self, ModuleError> {
        let module = Module::from_ptx(ptx)?;
        let kernels = module.kernels().into_iter().map(|kernel| (kernel.name.clone(), kernel)).collect();
        Ok(Self { module, kernels })
    }

    /// With what only the kernels themselves tell, whose bodies the host pass leaves out: the `__managed__` variables that each may use.
    #[must_use]
    pub fn beside(mut self, device: &Module) -> Self {
        for (name, kernel) in &mut self.kernels {
            kernel.managed = device.kernel(name).map_or_else(Vec::new, |known| known.managed);
        }
        self
    }
}

/// The name of a host function's entry point in the host module.
pub fn entry(function: &str) -> String {
    format!("workbook_entry_{function}")
}
