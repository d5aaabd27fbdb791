//! What the time of a kernel is spent on.

use serde::Serialize;

/// What time is spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Part {
    /// Moving bytes between multiprocessors, L2 and DRAM.
    #[serde(rename = "bytes")]
    Bytes,
    /// The load/store units' work on global memory and textures, however few bytes a request has.
    #[serde(rename = "requests")]
    Requests,
    /// Loads and stores of shared memory.
    #[serde(rename = "shared memory")]
    SharedMemory,
    /// Atomics, on global and on shared memory.
    #[serde(rename = "atomics")]
    Atomics,
    /// Executing instructions.
    #[serde(rename = "instructions")]
    Instructions,
    /// Warps that wait while no unit is busy.
    #[serde(rename = "waiting")]
    Waiting,
    /// Launching kernels and their blocks.
    #[serde(rename = "launches")]
    Launches,
    /// Copies and fills, and the host function's own work.
    #[serde(rename = "copies")]
    Copies,
}

impl Part {
    /// All of them, in the order of a report.
    pub const ALL: [Self; 8] = [
        Self::Bytes,
        Self::Requests,
        Self::SharedMemory,
        Self::Atomics,
        Self::Instructions,
        Self::Waiting,
        Self::Launches,
        Self::Copies,
    ];

    /// Its name, and what it means.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Bytes => ("bytes", "moving bytes from and to memory"),
            Self::Requests => ("requests", "the load/store units, at work on global memory"),
            Self::SharedMemory => ("shared memory", "loads and stores of shared memory"),
            Self::Atomics => ("atomics", "updates that wait for each other"),
            Self::Instructions => ("instructions", "executing instructions"),
            Self::Waiting => ("waiting", "warps wait, and no unit is busy"),
            Self::Launches => ("launches", "launching kernels and starting blocks"),
            Self::Copies => ("copies", "copies, fills, and work of the host"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn every_part_stands_at_its_place() {
        for (place, part) in Part::ALL.into_iter().enumerate() {
            assert_eq!(part as usize, place);
        }
    }
}
