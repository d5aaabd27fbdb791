//! The buffers of a call: allocated, filled, checked, read back.

mod damage;

pub use damage::{GUARD_DAMAGED, INPUT_CHANGED};

use std::borrow::Cow;
use std::collections::BTreeMap;

use simulator::host::HostArgument;

use super::description::{Job, JobArgument, Place};
use crate::api::Allocation;
use crate::engine::{DeviceRange, Engine, EngineError, SimulatedEngine};
use crate::poison::pattern;

/// Bytes of the guard band before and after each buffer, on engines that do not see writes out of bounds. A multiple of
/// 256, so that buffers keep the alignment of `cudaMalloc`.
const GUARD: usize = 1024;

/// A device buffer.
struct Buffer {
    address: u64,
    /// Start of the allocation: the same, or the start of the guard band before the buffer.
    base: u64,
    size: usize,
    /// Bytes that are there: more where a larger picture follows.
    capacity: usize,
    /// Whether it belongs to a job before.
    borrowed: bool,
}

/// A job with its device buffers allocated and its inputs uploaded.
pub struct Prepared<'a> {
    job: &'a Job,
    /// By argument; `None` for host buffers and integers.
    buffers: Vec<Option<Buffer>>,
    /// Whether the inputs in host memory lie elsewhere than those of the job before, or the outputs do; `None` if both stay.
    moves: Option<bool>,
    /// Inputs in host memory that have changed since the job was made.
    changed: BTreeMap<usize, Vec<u8>>,
    guard: usize,
}

impl<'a> Prepared<'a> {
    /// Allocates the buffers, uploads the inputs, fills the guard bands.
    pub fn new(engine: &mut dyn Engine, job: &'a Job) -> Result<Self, EngineError> {
        Self::between(engine, job, &[], &[])
    }

    /// The same after other jobs, whose buffers it uses where they are large enough, and before others, for which its own may be large
    /// enough: a caller may well use them again, and what a program keeps by their addresses is then out of date. From the third job on either the inputs or the outputs lie elsewhere: what
    /// it keeps by the address of one of them fits only in part.
    pub fn between(
        engine: &mut dyn Engine,
        job: &'a Job,
        before: &[Self],
        later: &[Job],
    ) -> Result<Self, EngineError> {
        let inputs_move = job.poison.is_multiple_of(2);
        let buffer = |(index, argument): (usize, &JobArgument)| {
            let is_input = matches!(argument, JobArgument::Input { .. });
            let stays = before.len() < 2 || is_input != inputs_move;
            if let Some(known) =
                before.iter().rev().filter(|_| stays).find_map(|job| job.lent(index, argument))
            {
                if let JobArgument::Input { bytes, .. } = argument {
                    engine.write(known.address, bytes)?;
                }
                return Ok(Some(known));
            }
            // A guard band stands at the end of the first picture's bytes.
            let later = if guard(engine) > 0 { &[] } else { later };
            let capacity = capacity(index, argument, later);
            match argument {
                JobArgument::Input { name, place: Place::Device, bytes } if capacity > bytes.len() => {
                    let buffer = guarded(engine, name, (bytes.len(), capacity), job.poison)?;
                    engine.write(buffer.address, bytes)?;
                    Ok(Some(buffer))
                }
                JobArgument::Input { name, place: Place::Device, bytes } => {
                    filled(engine, name, Cow::Borrowed(bytes), job.poison).map(Some)
                }
                argument => reserved(engine, argument, capacity, job.poison),
            }
        };
        let buffers = job.arguments.iter().enumerate().map(buffer).collect::<Result<_, EngineError>>()?;
        let moves = (before.len() >= 2).then_some(inputs_move);
        Ok(Self { job, buffers, moves, changed: BTreeMap::new(), guard: guard(engine) })
    }

    /// The buffer of an argument, for the same argument of another job, if it has the bytes that this one needs.
    fn lent(&self, index: usize, argument: &JobArgument) -> Option<Buffer> {
        let size = size(argument)?;
        let known = self.buffers.get(index)?.as_ref()?;
        let fits = known.size == size || (known.size + 1..=known.capacity).contains(&size);
        fits.then_some(Buffer { size, borrowed: true, ..*known })
    }

    /// The same as [`Self::new`], and leaves the device inputs of the job empty: of the largest pictures there is one copy less. So nothing tells whether
    /// a call changes them.
    pub fn moved(engine: &mut dyn Engine, job: &'a mut Job) -> Result<Self, EngineError> {
        let poison = job.poison;
        let allocated = job.arguments.iter_mut().map(|argument| match argument {
            JobArgument::Input { name, place: Place::Device, bytes } => {
                filled(engine, name, Cow::Owned(std::mem::take(bytes)), poison).map(Some)
            }
            argument => reserved(engine, argument, 0, poison),
        });
        let buffers = allocated.collect::<Result<_, _>>()?;
        Ok(Self { job, buffers, moves: None, changed: BTreeMap::new(), guard: guard(engine) })
    }

    /// The job.
    pub fn job(&self) -> &'a Job {
        self.job
    }

    /// The arguments of the host function; host outputs hold the pattern of `poison`.
    pub fn arguments(&self, poison: u64) -> Vec<HostArgument> {
        let buffer = |name: &String, bytes, is_input| {
            let elsewhere = self.moves == Some(is_input);
            HostArgument::HostBuffer { name: name.clone(), bytes, elsewhere }
        };
        let both = self.job.arguments.iter().zip(&self.buffers).enumerate();
        both.map(|(index, (argument, device))| match (argument, device) {
            (_, Some(device)) => HostArgument::Pointer(device.address),
            (JobArgument::Int(value), _) => HostArgument::Int(*value),
            (JobArgument::Input { name, bytes, .. }, _) => {
                buffer(name, self.changed.get(&index).unwrap_or(bytes).clone(), true)
            }
            (JobArgument::Output { name, size, zeroed, .. }, _) => {
                buffer(name, initial(poison, *size, *zeroed), false)
            }
        })
        .collect()
    }

    /// The device buffers, for [`crate::api::Runtime`].
    pub fn allocations(&self) -> BTreeMap<u64, Allocation> {
        let named = self.device_buffers().map(|(argument, buffer)| {
            let (JobArgument::Input { name, .. } | JobArgument::Output { name, .. }) = argument else {
                unreachable!("an integer has no buffer")
            };
            let allocation = Allocation {
                name: name.clone(),
                bytes: buffer.size as u64,
                allocated_at: None,
                in_order: false,
            };
            (buffer.address, allocation)
        });
        named.collect()
    }

    /// Fills the device outputs with the pattern of `poison`, or with zeros if the task promises zeros.
    pub fn poison(&self, engine: &mut dyn Engine, poison: u64) -> Result<(), EngineError> {
        for (argument, buffer) in self.device_buffers() {
            if let JobArgument::Output { zeroed, .. } = argument {
                let bytes = initial(poison, buffer.size, *zeroed);
                if *zeroed {
                    engine.write(buffer.address, &bytes)?;
                } else {
                    engine.poison(buffer.address, &bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The same with one repeated byte: in timed runs the upload of a pattern would take too long.
    pub fn poison_flat(&self, engine: &mut dyn Engine, value: u8) -> Result<(), EngineError> {
        for (argument, buffer) in self.device_buffers() {
            if let JobArgument::Output { zeroed, .. } = argument {
                engine.fill(buffer.address, if *zeroed { 0 } else { value }, buffer.size as u64)?;
            }
        }
        Ok(())
    }

    /// Gives the inputs other contents: those that `like` has, or, where this input is larger, the one value that all bytes of it
    /// have there. `false`: an input of another size has more than one value there, and some inputs are not set.
    pub fn set_inputs(&mut self, engine: &mut dyn Engine, like: &[JobArgument]) -> Result<bool, EngineError> {
        for (index, (argument, like)) in self.job.arguments.iter().zip(like).enumerate() {
            let (JobArgument::Input { bytes: own, .. }, JobArgument::Input { bytes: other, .. }) =
                (argument, like)
            else {
                continue;
            };
            let size = self.buffers[index].as_ref().map_or(own.len(), |buffer| buffer.size);
            let value = other.first().copied().unwrap_or_default();
            let same_size = size == other.len();
            if !same_size && other.iter().any(|byte| *byte != value) {
                return Ok(false);
            }
            match &self.buffers[index] {
                Some(buffer) if same_size => engine.write(buffer.address, other)?,
                Some(buffer) => engine.fill(buffer.address, value, size as u64)?,
                None => {
                    let bytes = if same_size { other.clone() } else { vec![value; size] };
                    self.changed.insert(index, bytes);
                }
            }
        }
        Ok(true)
    }

    /// Overwrites part of an input.
    pub(crate) fn change_input(
        &mut self,
        engine: &mut dyn Engine,
        argument: usize,
        offset: usize,
        bytes: &[u8],
    ) -> Result<(), EngineError> {
        let outside = || {
            EngineError::Broken(format!(
                "argument {argument} has no {} bytes at offset {offset}",
                bytes.len()
            ))
        };
        match (self.buffers.get(argument), self.job.arguments.get(argument)) {
            (Some(Some(input)), _) if offset + bytes.len() <= input.size => {
                engine.write(input.address + offset as u64, bytes)
            }
            (Some(None), Some(JobArgument::Input { bytes: unchanged, .. })) => {
                let input = self.changed.entry(argument).or_insert_with(|| unchanged.clone());
                input.get_mut(offset..offset + bytes.len()).ok_or_else(outside)?.copy_from_slice(bytes);
                Ok(())
            }
            _ => Err(outside()),
        }
    }

    /// The outputs, in order; `host_buffers` are those of the finished host function.
    pub fn outputs(
        &self,
        engine: &mut dyn Engine,
        host_buffers: &[Vec<u8>],
    ) -> Result<Vec<Vec<u8>>, EngineError> {
        let mut host_buffers = host_buffers.iter();
        let mut outputs = Vec::new();
        for (argument, device) in self.job.arguments.iter().zip(&self.buffers) {
            let is_output = matches!(argument, JobArgument::Output { .. });
            match (device, argument) {
                (_, JobArgument::Int(_)) => {}
                (Some(buffer), _) if is_output => outputs.push(read(engine, buffer)?),
                (Some(_), _) => {}
                (None, _) => {
                    let bytes = host_buffers.next().cloned().unwrap_or_default();
                    outputs.extend(is_output.then_some(bytes));
                }
            }
        }
        Ok(outputs)
    }

    /// The outputs, in order, where they lie: no copy of the largest.
    ///
    /// # Errors
    ///
    /// If a buffer is gone.
    pub fn views<'b>(
        &self,
        engine: &'b SimulatedEngine,
        host_buffers: &'b [Vec<u8>],
    ) -> Result<Vec<&'b [u8]>, EngineError> {
        let mut on_host = self.host_outputs(host_buffers).into_iter();
        let arguments = self.job.arguments.iter().zip(&self.buffers);
        let outputs = arguments.filter(|(argument, _)| matches!(argument, JobArgument::Output { .. }));
        let view = |(_, device): (&JobArgument, &Option<Buffer>)| match device {
            Some(buffer) => engine.bytes(buffer.address, buffer.size as u64),
            None => Ok(on_host.next().unwrap_or_default()),
        };
        outputs.map(view).collect()
    }

    /// The device outputs.
    pub(crate) fn output_ranges(&self) -> Vec<DeviceRange> {
        let outputs =
            self.device_buffers().filter(|(argument, _)| matches!(argument, JobArgument::Output { .. }));
        outputs
            .map(|(_, buffer)| DeviceRange { address: buffer.address, bytes: buffer.size as u64 })
            .collect()
    }

    /// The outputs in host memory, of a finished call.
    pub(crate) fn host_outputs<'b>(&self, host_buffers: &'b [Vec<u8>]) -> Vec<&'b [u8]> {
        let on_host = self
            .job
            .arguments
            .iter()
            .zip(&self.buffers)
            .filter(|(argument, device)| device.is_none() && !matches!(argument, JobArgument::Int(_)));
        let outputs = on_host
            .zip(host_buffers)
            .filter(|((argument, _), _)| matches!(argument, JobArgument::Output { .. }));
        outputs.map(|(_, bytes)| &bytes[..]).collect()
    }

    /// The names of the outputs that still hold the pattern of `poison`, or their zeros.
    pub fn unwritten(&self, outputs: &[Vec<u8>], poison: u64) -> Vec<String> {
        let expected = self.job.arguments.iter().filter_map(|argument| match argument {
            JobArgument::Output { name, size, zeroed, .. } => Some((name, initial(poison, *size, *zeroed))),
            _ => None,
        });
        expected
            .zip(outputs)
            .filter(|((_, before), after)| before == *after)
            .map(|((name, _), _)| name.clone())
            .collect()
    }

    /// Frees the device buffers.
    pub fn release(self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        let mut own = self.buffers.iter().flatten().filter(|buffer| !buffer.borrowed);
        own.try_for_each(|buffer| engine.free(buffer.base))
    }

    fn device_buffers(&self) -> impl Iterator<Item = (&JobArgument, &Buffer)> {
        let both = self.job.arguments.iter().zip(&self.buffers);
        both.filter_map(|(argument, buffer)| Some((argument, buffer.as_ref()?)))
    }
}

/// The bytes of an argument that has a buffer.
fn size(argument: &JobArgument) -> Option<usize> {
    match argument {
        JobArgument::Input { bytes, .. } => Some(bytes.len()),
        JobArgument::Output { size, .. } => Some(*size),
        JobArgument::Int(_) => None,
    }
}

/// The bytes to have for an argument so that later jobs can use them too, as far as they need few more.
fn capacity(index: usize, argument: &JobArgument, later: &[Job]) -> usize {
    let Some(own) = size(argument) else { return 0 };
    let others = later.iter().filter_map(|job| size(job.arguments.get(index)?));
    others.filter(|bytes| *bytes <= 2 * own).fold(own, usize::max)
}

/// Bytes of a guard band.
fn guard(engine: &dyn Engine) -> usize {
    if engine.wants_guards() { GUARD } else { 0 }
}

/// An input in device memory.
fn filled(
    engine: &mut dyn Engine,
    name: &str,
    bytes: Cow<'_, [u8]>,
    poison: u64,
) -> Result<Buffer, EngineError> {
    if guard(engine) == 0 {
        let size = bytes.len();
        let address = engine.alloc_with(bytes, name)?;
        return Ok(Buffer { address, base: address, size, capacity: size, borrowed: false });
    }
    let buffer = guarded(engine, name, (bytes.len(), 0), poison)?;
    engine.write(buffer.address, &bytes)?;
    Ok(buffer)
}

/// The buffer of an output in device memory.
fn reserved(
    engine: &mut dyn Engine,
    argument: &JobArgument,
    capacity: usize,
    poison: u64,
) -> Result<Option<Buffer>, EngineError> {
    match argument {
        JobArgument::Output { name, place: Place::Device, size, .. } => {
            guarded(engine, name, (*size, capacity), poison).map(Some)
        }
        _ => Ok(None),
    }
}

/// A buffer between guard bands, if the engine wants them; of at least so many bytes.
fn guarded(
    engine: &mut dyn Engine,
    name: &str,
    (size, capacity): (usize, usize),
    poison: u64,
) -> Result<Buffer, EngineError> {
    let (guard, capacity) = (guard(engine), capacity.max(size));
    let base = engine.alloc((capacity + 2 * guard) as u64, name)?;
    let address = base + guard as u64;
    if guard > 0 {
        engine.write(base, &pattern(!poison, guard))?;
        engine.write(address + size as u64, &pattern(!poison, guard))?;
    }
    Ok(Buffer { address, base, size, capacity, borrowed: false })
}

fn initial(poison: u64, size: usize, zeroed: bool) -> Vec<u8> {
    if zeroed { vec![0; size] } else { pattern(poison, size) }
}

fn read(engine: &mut dyn Engine, buffer: &Buffer) -> Result<Vec<u8>, EngineError> {
    let mut bytes = vec![0; buffer.size];
    engine.read(buffer.address, &mut bytes)?;
    Ok(bytes)
}
