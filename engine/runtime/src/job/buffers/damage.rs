//! Memory that a call must not change: its inputs, and the guard bands around buffers.

use super::{Buffer, Prepared, read};
use crate::engine::{DeviceRange, Engine, EngineError};
use crate::finding::{Finding, Kind, Severity};
use crate::job::JobArgument;
use crate::poison::pattern;

/// The code of the finding that a kernel wrote to a guard band.
pub const GUARD_DAMAGED: &str = "W0121";
/// The code of findings about changed inputs.
pub const INPUT_CHANGED: &str = "W0122";

impl Prepared<'_> {
    /// Device memory that no call may change, each with the finding if one does: inputs and guard bands.
    pub(crate) fn sealed_ranges(&self) -> Vec<(DeviceRange, Finding)> {
        let guard = self.guard as u64;
        let mut sealed = Vec::new();
        for (argument, Buffer { address, base, size, .. }) in self.device_buffers() {
            let after = DeviceRange { address: address + *size as u64, bytes: guard };
            let bands = [("before", DeviceRange { address: *base, bytes: guard }), ("after", after)];
            let bands = bands.into_iter().filter(|(_, range)| range.bytes > 0);
            let (JobArgument::Input { name, .. } | JobArgument::Output { name, .. }) = argument else {
                continue;
            };
            sealed.extend(bands.map(|(side, range)| (range, guard_finding(name, *size, side, "bytes"))));
            if let JobArgument::Input { .. } = argument {
                let range = DeviceRange { address: *address, bytes: *size as u64 };
                sealed.push((range, input_finding(name, "a timed call changed it")));
            }
        }
        sealed
    }

    /// The finding that a call has changed an input in host memory.
    pub(crate) fn changed_on_host(&self, host_buffers: &[Vec<u8>]) -> Option<Finding> {
        let on_host = self.job.arguments.iter().zip(&self.buffers).enumerate();
        let on_host = on_host
            .filter(|(_, (argument, device))| device.is_none() && !matches!(argument, JobArgument::Int(_)));
        on_host.zip(host_buffers).find_map(|((index, (argument, _)), after)| match argument {
            JobArgument::Input { name, bytes, .. } if self.changed.get(&index).unwrap_or(bytes) != after => {
                Some(input_finding(name, "a timed call changed it"))
            }
            _ => None,
        })
    }

    /// Reports changes to memory that a call must not change: the inputs and the guard bands.
    pub fn damage(
        &self,
        engine: &mut dyn Engine,
        host_buffers: &[Vec<u8>],
    ) -> Result<Vec<Finding>, EngineError> {
        let mut found = Vec::new();
        let mut host_buffers = host_buffers.iter();
        for (argument, device) in self.job.arguments.iter().zip(&self.buffers) {
            let after = match (argument, device) {
                (JobArgument::Int(_), _) => continue,
                (JobArgument::Input { .. }, Some(buffer)) => Some(read(engine, buffer)?),
                (JobArgument::Output { .. }, Some(_)) => None,
                (_, None) => host_buffers.next().cloned(),
            };
            match (argument, after) {
                (JobArgument::Input { name, bytes, .. }, Some(after)) if after != *bytes => {
                    found.push(changed_input(name, bytes, &after));
                }
                (JobArgument::Input { name, .. } | JobArgument::Output { name, .. }, _) => {
                    if let Some(buffer) = device {
                        found.extend(self.guard_damage(engine, name, buffer)?);
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn guard_damage(
        &self,
        engine: &mut dyn Engine,
        name: &str,
        buffer: &Buffer,
    ) -> Result<Option<Finding>, EngineError> {
        let intact = pattern(!self.job.poison, self.guard);
        for (side, address) in [("before", buffer.base), ("after", buffer.address + buffer.size as u64)] {
            let mut bytes = vec![0; self.guard];
            engine.read(address, &mut bytes)?;
            let damaged = bytes.iter().zip(&intact).filter(|(now, then)| now != then).count();
            if damaged > 0 {
                return Ok(Some(guard_finding(name, buffer.size, side, &format!("{damaged} bytes"))));
            }
        }
        Ok(None)
    }
}

fn changed_input(name: &str, before: &[u8], after: &[u8]) -> Finding {
    let changed = before.iter().zip(after).filter(|(before, after)| before != after).count();
    let first = before.iter().zip(after).position(|(before, after)| before != after).unwrap_or(0);
    let differ = if changed == 1 { "1 byte differs".to_owned() } else { format!("{changed} bytes differ") };
    input_finding(name, &format!("{differ}, the first at offset {first}"))
}

fn input_finding(name: &str, how: &str) -> Finding {
    Finding::new(
        INPUT_CHANGED,
        Kind::Memory,
        Severity::Error,
        format!("the input `{name}` was changed: {how}"),
        "write to the output, or to memory that you allocate with `cudaMalloc`: inputs are `const`",
    )
}

fn guard_finding(name: &str, size: usize, side: &str, wrote: &str) -> Finding {
    Finding::new(
        GUARD_DAMAGED,
        Kind::Memory,
        Severity::Error,
        format!("a kernel wrote {wrote} just {side} the {size} bytes of `{name}`"),
        "check the bounds of every index; run with `--engine sim` to see the line and the thread",
    )
}
