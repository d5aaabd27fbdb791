//! Kernel launches: the shape checked against what the GPU accepts, the arguments taken from the host.

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Finding, KernelInfo, Kind, Severity};

use super::calls::{Outcome, Refusal, Runtime, finding};
use super::memory::malformed;
use crate::codes;
use crate::engine::{Command, Limits};

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

    pub(super) fn launch_cooperative(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[function, gx, gy, gz, bx, by, bz, shared, stream, addresses] = words else {
            return Err(malformed(HostCall::LaunchCooperative));
        };
        let (grid, block) = ([gx as u32, gy as u32, gz as u32], [bx as u32, by as u32, bz as u32]);
        let asked = Asked { function, grid, block, shared, stream, cooperative: true };
        self.start(&asked, host, |kernel, host| {
            let sizes = kernel.parameter_sizes.iter().map(|&size| size as u64);
            let addresses = host.read_u64s(addresses, sizes.len())?;
            Ok(addresses.into_iter().zip(sizes).collect())
        })
    }

    /// Checks and launches; `places` finds the kernel's arguments.
    fn start(
        &mut self,
        asked: &Asked,
        host: &mut HostView<'_>,
        places: impl FnOnce(&KernelInfo, &HostView<'_>) -> Outcome<Vec<(u64, u64)>>,
    ) -> Outcome<()> {
        let &Asked { function, grid, block, shared, cooperative, .. } = asked;
        let stream = self.check_stream(asked.stream)?;
        let kernel = self.kernel(function, host)?;
        let allowed = self.opted_in.get(&kernel.name).copied();
        if let Some(found) = shape_fault(self.engine.limits(), &kernel, grid, block, shared, allowed) {
            return self.refuse(host, codes::INVALID_CONFIGURATION, found);
        }
        if cooperative {
            self.check_all_fit(&kernel, asked, host)?;
        }
        let places = places(&kernel, host)?;
        let arguments: Vec<Vec<u8>> =
            places.iter().map(|&(address, size)| host.read(address, size)).collect::<Result<_, _>>()?;
        if arguments.iter().map(Vec::len).ne(kernel.parameter_sizes.iter().copied()) {
            return Err(malformed(HostCall::Launch));
        }
        refuse_host_pointers(&kernel.name, &arguments, host)?;
        self.note_unset_arguments(label(&kernel.name), &places, host);
        self.take_all_to_device(host)?;
        let what = format!("kernel `{}`", label(&kernel.name));
        let pointers = pointers(&arguments);
        let dynamic_shared = shared as u32;
        let command = Command { kernel: kernel.name, grid, block, dynamic_shared, cooperative, arguments };
        self.engine.select_stream(stream);
        let launched = self.engine.launch(command)?;
        self.record(launched.findings, launched.stopped)?;
        let op = self.ordered(stream, &what, launched.touched, host);
        self.used_by(&pointers, op, &what, host.location());
        Ok(())
    }

    /// Refuses a cooperative launch whose blocks are not all on the GPU at once.
    fn check_all_fit(&mut self, kernel: &KernelInfo, asked: &Asked, host: &HostView<'_>) -> Outcome<()> {
        let limits = self.engine.limits();
        let (gpu, multiprocessors) = (limits.name.clone(), limits.multiprocessors);
        let name = label(&kernel.name);
        let refusal = |message, hint: &str| finding("W0509", Kind::Launch, message, hint);
        if !limits.cooperative() {
            let message = format!("`{name}` is launched cooperatively, and {gpu} cannot do that");
            let hint = "it takes compute capability 6.0: where `cudaDevAttrCooperativeLaunch` says 0, end the kernel \
                        where the grid has to wait, and launch a second one";
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
            "`{name}` is launched cooperatively with {blocks} blocks; at once, {gpu} holds {most} of them, {resident} \
             on each multiprocessor"
        );
        let hint = "blocks that wait for each other must all be there: launch no more than \
                    `cudaOccupancyMaxActiveBlocksPerMultiprocessor` says, times the multiprocessors, and let each do more";
        self.refuse(host, codes::COOPERATIVE_LAUNCH_TOO_LARGE, refusal(message, hint))
    }

    /// Keeps what a kernel left; a fault that stopped it ends the host function.
    fn record(&mut self, mut findings: Vec<Finding>, stopped: bool) -> Outcome<()> {
        let fault = findings.iter().position(|found| found.severity == Severity::Error).filter(|_| stopped);
        let fault = fault.map(|index| findings.remove(index));
        self.findings.append(&mut findings);
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
            "what is launched here is no kernel".to_owned(),
            "launch a function declared `__global__ void`",
        );
        self.refuse(host, codes::INVALID_DEVICE_FUNCTION, found)
    }

    pub(super) fn func_set_attribute(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[function, attribute, value] = words else { return Err(malformed(HostCall::FuncSetAttribute)) };
        let kernel = self.kernel(function, host)?;
        match attribute {
            MAX_DYNAMIC_SHARED => {
                let most = self.engine.limits().shared_opt_in.saturating_sub(kernel.static_shared);
                if value > u64::from(most) {
                    let found = shared_fault(&kernel, value, most, "this GPU gives a block at most");
                    return self.refuse(host, codes::INVALID_VALUE, found);
                }
                self.opted_in.insert(kernel.name, value as u32);
                Ok(())
            }
            CARVEOUT => Ok(()),
            _ => Err(Refusal::Code(codes::INVALID_VALUE)),
        }
    }

    /// Blocks of this kernel that fit on a multiprocessor.
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

/// A launch as the host function asks for it.
struct Asked {
    function: u64,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u64,
    stream: u64,
    cooperative: bool,
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

/// Whatever in the arguments may be a pointer: each word of 8 bytes.
fn pointers(arguments: &[Vec<u8>]) -> Vec<u64> {
    let words = arguments.iter().flat_map(|bytes| bytes.as_chunks::<8>().0);
    words.map(|word| u64::from_le_bytes(*word)).collect()
}

/// Ends the host function if a pointer among the arguments points to host memory: on a GPU the kernel would
/// fault at some address; here the launch itself can be named.
fn refuse_host_pointers(kernel: &str, arguments: &[Vec<u8>], host: &HostView<'_>) -> Outcome<()> {
    for (index, argument) in arguments.iter().enumerate() {
        let Ok(word) = <[u8; 8]>::try_from(argument.as_slice()) else { continue };
        let address = u64::from_le_bytes(word);
        // A pair of ints may look like such an address; memory that is really there rules that out.
        if HostView::is_host_address(address) && host.read(address, 1).is_ok() {
            let found = finding(
                "W0105",
                Kind::Memory,
                format!(
                    "argument {} of `{}` points to host memory, which a kernel cannot use",
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

/// What is wrong with the shape of a launch, if anything.
fn shape_fault(
    limits: &Limits,
    kernel: &KernelInfo,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u64,
    opted_in: Option<u32>,
) -> Option<Finding> {
    let name = label(&kernel.name);
    let launch = |code, message, hint: &str| Some(finding(code, Kind::Launch, message, hint));
    let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
    if grid.contains(&0) {
        let message = format!("`{name}` is launched with a grid of {} blocks", times(grid));
        return launch(
            "W0502",
            message,
            "a size divided by the block size rounds down to 0: use `ceil_div(n, block)`",
        );
    }
    if block.contains(&0) {
        return launch(
            "W0502",
            format!("`{name}` is launched with blocks of {} threads", times(block)),
            "use at least 1",
        );
    }
    let most = kernel.max_threads.map_or(limits.block_threads, |max| max.min(limits.block_threads));
    if threads > u64::from(most) {
        let reason = if most < limits.block_threads { "`__launch_bounds__` allows" } else { "a GPU accepts" };
        let product = if block[1] > 1 || block[2] > 1 { format!(" = {threads}") } else { String::new() };
        let message = format!(
            "`{name}` is launched with {}{product} threads a block; {reason} at most {most}",
            times(block)
        );
        return launch(
            "W0501",
            message,
            "use smaller blocks and more of them: 128 or 256 threads suit most kernels",
        );
    }
    if let Some(axis) = (0..3).find(|axis| block[*axis] > limits.block[*axis]) {
        let message = format!(
            "`{name}` is launched with blocks of {} threads; a GPU accepts {}",
            times(block),
            times(limits.block)
        );
        return launch("W0501", message, &format!("make the {} dimension of the block smaller", AXES[axis]));
    }
    if let Some(axis) = (0..3).find(|axis| grid[*axis] > limits.grid[*axis]) {
        let message = format!(
            "`{name}` is launched with a grid of {} blocks; {} accepts {}",
            times(grid),
            limits.name,
            times(limits.grid)
        );
        return launch(
            "W0502",
            message,
            &format!("let each thread do more, or use another dimension than {}", AXES[axis]),
        );
    }
    let allowed = opted_in.map_or(limits.shared.saturating_sub(kernel.static_shared), |most| {
        most.max(limits.shared.saturating_sub(kernel.static_shared))
    });
    (shared > u64::from(allowed)).then(|| shared_fault(kernel, shared, allowed, "this launch may use"))
}

fn shared_fault(kernel: &KernelInfo, asked: u64, most: u32, who: &str) -> Finding {
    finding(
        "W0503",
        Kind::Launch,
        format!(
            "`{}` asks for {asked} bytes of dynamic shared memory beside {} static; {who} {most}",
            label(&kernel.name),
            kernel.static_shared
        ),
        "keep a smaller tile, or raise the limit with `cudaFuncSetAttribute(kernel, \
         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)` where the GPU has more",
    )
}

const AXES: [char; 3] = ['x', 'y', 'z'];

fn times(shape: [u32; 3]) -> String {
    match shape {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} × {y}"),
        [x, y, z] => format!("{x} × {y} × {z}"),
    }
}

/// The name a student gave a kernel, from its mangled name; the mangled name where it is not a plain one.
fn label(mangled: &str) -> &str {
    let plain = || {
        let rest = mangled.strip_prefix("_Z")?;
        let rest = rest.strip_prefix('L').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        rest[digits..].get(..length)
    };
    plain().unwrap_or(mangled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel() -> KernelInfo {
        KernelInfo {
            name: "_Z4grayPKh".into(),
            parameter_sizes: vec![8],
            static_shared: 1024,
            max_threads: None,
        }
    }

    #[test]
    fn a_launch_is_refused_at_the_first_step_past_each_limit() {
        let limits = Limits::simulated(simulator::model::find("h200").expect("the default GPU"));
        let kernel = kernel();
        let fault = |grid, block, shared, opted| {
            shape_fault(&limits, &kernel, grid, block, shared, opted).map(|found| found.code)
        };
        assert_eq!(fault([1, 1, 1], [1024, 1, 1], 0, None), None);
        assert_eq!(fault([1, 1, 1], [1025, 1, 1], 0, None), Some("W0501"));
        assert_eq!(fault([1, 1, 1], [32, 33, 1], 0, None), Some("W0501"));
        assert_eq!(fault([1, 1, 1], [1, 1, 65], 0, None), Some("W0501"));
        assert_eq!(fault([0, 1, 1], [32, 1, 1], 0, None), Some("W0502"));
        assert_eq!(fault([1, 65_536, 1], [32, 1, 1], 0, None), Some("W0502"));
        assert_eq!(fault([1, 1, 1], [32, 1, 1], 47 * 1024, None), None);
        assert_eq!(fault([1, 1, 1], [32, 1, 1], 47 * 1024 + 1, None), Some("W0503"));
        assert_eq!(fault([1, 1, 1], [32, 1, 1], 100 * 1024, Some(100 * 1024)), None);
    }

    #[test]
    fn mangled_names_become_the_students() {
        assert_eq!(label("_Z16histogram_kernelPKhPji"), "histogram_kernel");
        assert_eq!(label("_Z2tkILi3EEvPKhPhi"), "tk");
        assert_eq!(label("_ZL5localPi"), "local");
        assert_eq!(label("plain"), "plain");
    }
}
