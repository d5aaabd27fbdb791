//! Kernel launches: checks, reads the arguments from the host, and launches.

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Finding, KernelInfo, Kind, Severity};

use super::shape::{label, shape_fault, shared_fault};
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;
use crate::engine::Command;

/// `cudaFuncAttributeMaxDynamicSharedMemorySize`
const MAX_DYNAMIC_SHARED: u64 = 8;
/// `cudaFuncAttributePreferredSharedMemoryCarveout`
const CARVEOUT: u64 = 9;

/// More arguments than 4 KiB of parameters can hold.
const MAX_ARGUMENTS: u64 = 4096;

impl Runtime<'_> {
    pub(super) fn launch(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[function, gx, gy, gz, bx, by, bz, shared, stream, count, addresses, sizes] = words else {
            return Err(malformed(HostCall::Launch));
        };
        let (grid, block) = ([gx as u32, gy as u32, gz as u32], [bx as u32, by as u32, bz as u32]);
        let asked = Asked { function, grid, block, shared, stream, cooperative: false };
        self.start(&asked, host, |_, host| argument_places(count, addresses, sizes, host))
    }

    /// `cudaLaunchKernel` and `cudaLaunchCooperativeKernel`: the sizes of the arguments are known from the kernel.
    pub(super) fn launch_by_pointer(
        &mut self,
        words: &[u64],
        cooperative: bool,
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        let &[function, gx, gy, gz, bx, by, bz, shared, stream, addresses] = words else {
            return Err(malformed(HostCall::LaunchCooperative));
        };
        let (grid, block) = ([gx as u32, gy as u32, gz as u32], [bx as u32, by as u32, bz as u32]);
        let asked = Asked { function, grid, block, shared, stream, cooperative };
        self.start(&asked, host, |kernel, host| {
            let sizes = kernel.parameter_sizes.iter().map(|&size| size as u64);
            let addresses = host.read_u64s(addresses, sizes.len())?;
            Ok(addresses.into_iter().zip(sizes).collect())
        })
    }

    /// Checks and launches; `places` gives address and size of the kernel's arguments.
    fn start(
        &mut self,
        asked: &Asked,
        host: &mut HostView<'_>,
        places: impl FnOnce(&KernelInfo, &HostView<'_>) -> Outcome<Vec<(u64, u64)>>,
    ) -> Outcome<()> {
        let &Asked { function, grid, block, shared, cooperative, .. } = asked;
        let stream = self.check_stream(asked.stream)?;
        let kernel = self.kernel(function, host)?;
        let allowed = self.kept.opted_in.get(&kernel.name).copied();
        if let Some(found) = shape_fault(self.engine.limits(), &kernel, grid, block, shared, allowed) {
            return self.refuse(host, codes::INVALID_CONFIGURATION, found);
        }
        if cooperative {
            self.check_all_fit(&kernel, asked, host)?;
        }
        let places = places(&kernel, host)?;
        let mut arguments: Vec<Vec<u8>> =
            places.iter().map(|&(address, size)| host.read(address, size)).collect::<Result<_, _>>()?;
        if arguments.iter().map(Vec::len).ne(kernel.parameter_sizes.iter().copied()) {
            return Err(reference(&kernel, &arguments).unwrap_or_else(|| malformed(HostCall::Launch)));
        }
        for word in arguments.iter().filter_map(|argument| <[u8; 8]>::try_from(argument.as_slice()).ok()) {
            self.share_locked(u64::from_le_bytes(word), stream, host)?;
        }
        let pointers: Vec<u64> =
            pointers(&arguments).into_iter().chain(self.addresses_of(&kernel.managed)).collect();
        for argument in &mut arguments {
            let word = <[u8; 8]>::try_from(argument.as_slice()).map(u64::from_le_bytes);
            if let Some(device) = word.ok().and_then(|address| self.on_device(address)) {
                *argument = device.to_le_bytes().to_vec();
            }
        }
        refuse_host_pointers(&kernel.name, &arguments, host)?;
        self.note_unset_arguments(label(&kernel.name), &places, host);
        let dynamic_shared = shared as u32;
        let command = Command { kernel: kernel.name, grid, block, dynamic_shared, cooperative, arguments };
        match self.capture_launch(Launch { stream, pointers, command }, host)? {
            Some(launch) => self.carry_out(launch, host),
            None => Ok(()),
        }
    }

    /// Launches what has been checked.
    pub(super) fn carry_out(&mut self, launch: Launch, host: &mut HostView<'_>) -> Outcome<()> {
        let Launch { stream, pointers, command } = launch;
        self.take_all_to_device(host)?;
        let what = format!("kernel `{}`", label(&command.kernel));
        self.engine.select_stream(stream);
        let launched = self.engine.launch(command)?;
        self.record(launched.findings, launched.stopped)?;
        let op = self.ordered(stream, &what, launched.touched, host);
        self.used_by(&pointers, op, &what, host.location());
        Ok(())
    }

    /// Refuses a cooperative launch whose blocks cannot all be resident at once.
    fn check_all_fit(&mut self, kernel: &KernelInfo, asked: &Asked, host: &HostView<'_>) -> Outcome<()> {
        let limits = self.engine.limits();
        let (gpu, multiprocessors) = (limits.name.clone(), limits.multiprocessors);
        let name = label(&kernel.name);
        let refusal = |message, hint: &str| finding("W0509", Kind::Launch, message, hint);
        if !limits.cooperative() {
            let message = format!(
                "`{name}` is launched cooperatively, and {gpu} does not support cooperative launches"
            );
            let hint = "end the kernel where the grid has to wait, and launch a second kernel there; cooperative launches need \
                        compute capability 6.0 or newer (query `cudaDevAttrCooperativeLaunch`)";
            return self.refuse(host, codes::NOT_SUPPORTED, refusal(message, hint));
        }
        let threads = asked.block.iter().product();
        let resident = self.engine.resident_blocks(kernel, threads, asked.shared as u32)?;
        let most = u64::from(resident) * u64::from(multiprocessors);
        let blocks: u64 = asked.grid.iter().map(|&n| u64::from(n)).product();
        if blocks <= most {
            return Ok(());
        }
        let message = format!(
            "`{name}` is launched cooperatively with {blocks} blocks, and {gpu} holds only {most} of them at once ({resident} \
             per multiprocessor)"
        );
        let hint = "launch at most `cudaOccupancyMaxActiveBlocksPerMultiprocessor` × the number of multiprocessors, and let each \
                    block do more: blocks that wait for each other must all be resident";
        self.refuse(host, codes::COOPERATIVE_LAUNCH_TOO_LARGE, refusal(message, hint))
    }

    /// Keeps a kernel's findings; a fault that stopped the kernel ends the host function.
    fn record(&mut self, mut findings: Vec<Finding>, stopped: bool) -> Outcome<()> {
        let fault = findings.iter().position(|found| found.severity == Severity::Error).filter(|_| stopped);
        let fault = fault.map(|index| findings.remove(index));
        for found in findings {
            self.keep(self.with_short_download(found));
        }
        match fault {
            Some(fault) => Err(Refusal::End(HostCallError::Finding(Box::new(fault)))),
            None if stopped => Err(Refusal::Code(codes::LAUNCH_FAILURE)),
            None => Ok(()),
        }
    }

    fn kernel(&mut self, function: u64, host: &HostView<'_>) -> Outcome<KernelInfo> {
        if let Some(kernel) = host.kernel_at(function).and_then(|name| self.kernels.get(name)) {
            return Ok(kernel.clone());
        }
        let found = finding(
            "W0508",
            Kind::Launch,
            "the function launched here is not a kernel (no `__global__`)".to_owned(),
            "launch a function declared `__global__ void`",
        );
        self.refuse(host, codes::INVALID_DEVICE_FUNCTION, found)
    }

    /// `cudaFuncGetAttributes`.
    pub(super) fn func_attributes(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[function, result] = words else { return Err(malformed(HostCall::FuncGetAttributes)) };
        let kernel = self.kernel(function, host)?;
        let registers = self.engine.registers(&kernel)?;
        let limits = self.engine.limits();
        let by_registers = 65_536 / registers.next_multiple_of(8).max(1) / 32 * 32;
        let threads = kernel.max_threads.unwrap_or(limits.block_threads).min(by_registers);
        let dynamic = self
            .kept
            .opted_in
            .get(&kernel.name)
            .copied()
            .unwrap_or(limits.shared.saturating_sub(kernel.static_shared));
        let values = [kernel.static_shared, kernel.local, threads, registers, limits.capability, dynamic]
            .map(u64::from);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Ok(host.write(result, &bytes)?)
    }

    pub(super) fn func_set_attribute(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[function, attribute, value] = words else { return Err(malformed(HostCall::FuncSetAttribute)) };
        let kernel = self.kernel(function, host)?;
        match attribute {
            MAX_DYNAMIC_SHARED => {
                let most = self.engine.limits().shared_opt_in.saturating_sub(kernel.static_shared);
                if value > u64::from(most) {
                    let found = shared_fault(&kernel, value, most, "this GPU allows at most");
                    return self.refuse(host, codes::INVALID_VALUE, found);
                }
                self.kept.opted_in.insert(kernel.name, value as u32);
                Ok(())
            }
            CARVEOUT => Ok(()),
            _ => Err(Refusal::Code(codes::INVALID_VALUE)),
        }
    }

    /// `cudaOccupancyMaxActiveBlocksPerMultiprocessor`.
    pub(super) fn max_active_blocks(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, function, block, dynamic] = words else {
            return Err(malformed(HostCall::OccupancyMaxActiveBlocks));
        };
        let kernel = self.kernel(function, host)?;
        if block == 0 || block > u64::from(self.engine.limits().block_threads) {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        }
        let dynamic = u32::try_from(dynamic).unwrap_or(u32::MAX);
        let blocks = self.engine.resident_blocks(&kernel, block as u32, dynamic)?;
        Ok(host.write(result, &(blocks as i32).to_le_bytes())?)
    }
}

/// A launch whose arguments have been read and checked.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    /// Where it goes.
    pub stream: u64,
    /// Addresses that it may use.
    pub pointers: Vec<u64>,
    /// Kernel, shape and arguments.
    pub command: Command,
}

/// A launch before any check.
struct Asked {
    function: u64,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u64,
    stream: u64,
    cooperative: bool,
}

/// The end of a launch of a kernel with a parameter that is a reference, which needs an address where a value is passed.
fn reference(kernel: &KernelInfo, arguments: &[Vec<u8>]) -> Option<Refusal> {
    let mut sizes = arguments.iter().map(Vec::len).zip(&kernel.parameter_sizes);
    let number = sizes.position(|(given, wanted)| given != *wanted && *wanted == size_of::<u64>())? + 1;
    let found = finding(
        "W0105",
        Kind::Memory,
        format!(
            "parameter {number} of `{}` is a reference: the kernel would get the address of a variable on the host, which it cannot \
             access",
            label(&kernel.name)
        ),
        "pass the value itself: `int n` instead of `const int& n`. What a kernel is to change lies in memory of the GPU, behind a pointer",
    );
    Some(Refusal::End(HostCallError::Finding(Box::new(found))))
}

/// Address and size of each argument in host memory.
fn argument_places(count: u64, addresses: u64, sizes: u64, host: &HostView<'_>) -> Outcome<Vec<(u64, u64)>> {
    if count > MAX_ARGUMENTS {
        return Err(malformed(HostCall::Launch));
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let addresses = host.read_u64s(addresses, count as usize)?;
    let sizes = host.read_u64s(sizes, count as usize)?;
    Ok(addresses.into_iter().zip(sizes).collect())
}

/// Each word of 8 bytes in the arguments: any of them may be a pointer.
fn pointers(arguments: &[Vec<u8>]) -> Vec<u64> {
    let words = arguments.iter().flat_map(|bytes| bytes.as_chunks::<8>().0);
    words.map(|word| u64::from_le_bytes(*word)).collect()
}

/// Ends the host function if an argument points to host memory: on a GPU the kernel would fault at some address; here
/// the finding names the launch.
fn refuse_host_pointers(kernel: &str, arguments: &[Vec<u8>], host: &HostView<'_>) -> Outcome<()> {
    for (index, argument) in arguments.iter().enumerate() {
        let Ok(word) = <[u8; 8]>::try_from(argument.as_slice()) else { continue };
        let address = u64::from_le_bytes(word);
        // A pair of ints may look like a host address; the read shows whether memory is there.
        if HostView::is_host_address(address) && host.read(address, 1).is_ok() {
            let found = finding(
                "W0105",
                Kind::Memory,
                format!(
                    "argument {} of `{}` points to host memory, which a kernel cannot access",
                    index + 1,
                    label(kernel)
                ),
                "allocate with `cudaMalloc`, copy with `cudaMemcpy`, and pass the device pointer",
            );
            return Err(Refusal::End(HostCallError::Finding(Box::new(found))));
        }
    }
    Ok(())
}
