//! A call of a host function and its arguments. It travels to the worker; the contents of buffers travel separately.

use serde::{Deserialize, Serialize};
use simulator::Order;

/// Where a buffer lives when the host function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// GPU memory.
    Device,
    /// Host memory.
    Host,
}

/// One argument, without the facts that only the comparison needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobArgument {
    /// A buffer that the function reads.
    Input {
        /// Parameter name.
        name: String,
        /// Where it lives.
        place: Place,
        /// Contents; sent separately.
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    /// A buffer that the function fills.
    Output {
        /// Parameter name.
        name: String,
        /// Where it lives.
        place: Place,
        /// Size in bytes.
        size: usize,
        /// Whether it holds zeros before the call; else a pattern.
        zeroed: bool,
    },
    /// An `int`.
    Int(i32),
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The host function.
    pub function: String,
    /// Its arguments.
    pub arguments: Vec<JobArgument>,
    /// Selects the pattern in the outputs before the call.
    pub poison: u64,
    /// Number of calls. Variables keep their values between calls; outputs get a fresh pattern before each.
    pub calls: u32,
    /// Pixels of the image. The simulator's limit on instructions depends on them.
    pub pixels: u64,
    /// The order in which the simulator runs the blocks and warps of each call; calls beyond the list run forward.
    #[serde(skip)]
    pub orders: Vec<Order>,
    /// The number of calls that the simulator's analyses watch, if not all.
    #[serde(skip, default = "all")]
    pub watched_calls: u32,
}

fn all() -> u32 {
    u32::MAX
}

impl Job {
    /// A call of `function` with these arguments.
    pub fn new(function: &str, arguments: Vec<JobArgument>, pixels: u64, poison: u64) -> Self {
        Self {
            function: function.to_owned(),
            arguments,
            poison,
            calls: 1,
            pixels,
            orders: Vec::new(),
            watched_calls: all(),
        }
    }

    /// The contents of the inputs, in order.
    pub fn inputs(&self) -> Vec<&[u8]> {
        self.arguments
            .iter()
            .filter_map(|argument| match argument {
                JobArgument::Input { bytes, .. } => Some(bytes.as_slice()),
                _ => None,
            })
            .collect()
    }

    /// The same without the contents of its inputs.
    #[must_use]
    pub(crate) fn described(&self) -> Self {
        let without = |argument: &JobArgument| match argument {
            JobArgument::Input { name, place, .. } => {
                JobArgument::Input { name: name.clone(), place: *place, bytes: Vec::new() }
            }
            other => other.clone(),
        };
        Self {
            function: self.function.clone(),
            arguments: self.arguments.iter().map(without).collect(),
            orders: Vec::new(),
            ..*self
        }
    }

    /// Restores the contents of the inputs, in order. Returns `false` if their number differs.
    pub(crate) fn set_inputs(&mut self, contents: Vec<Vec<u8>>) -> bool {
        let mut contents = contents.into_iter();
        for argument in &mut self.arguments {
            if let JobArgument::Input { bytes, .. } = argument {
                let Some(content) = contents.next() else { return false };
                *bytes = content;
            }
        }
        contents.next().is_none()
    }
}
