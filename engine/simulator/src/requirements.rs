//! Launches that no GPU accepts, refused before anything runs.

use crate::decode::Program;
use crate::finding::{Finding, Kind, Severity};
use crate::launch::Launch;
use crate::module::ModuleError;
use crate::names::readable;

/// Threads a block may have, on every GPU since compute capability 2.0.
const MOST_THREADS: u64 = 1024;
/// Threads a block may have along each axis.
const MOST_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Blocks a grid may have along each axis, since compute capability 3.0.
const MOST_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];
/// Bytes of static shared memory a block may have.
const MOST_STATIC_SHARED: usize = 48 * 1024;
/// Bytes of shared memory a block may have in all: of the largest GPU that is modelled (compute capability
/// 9.0, opt-in).
const MOST_SHARED: usize = 227 * 1024;

/// Bytes of local memory a thread may have, on every GPU since compute capability 2.0.
const MOST_LOCAL: usize = 512 * 1024;
/// Bytes of local memory and registers of a block, and of all blocks of a cooperative launch, that the simulator holds.
const MOST_OF_A_BLOCK: usize = 192 << 20;
const MOST_OF_A_GRID: usize = 1536 << 20;

/// The finding of a launch that cannot be.
pub(crate) fn refused(program: &Program, launch: &Launch<'_>) -> Option<Finding> {
    let name = readable(launch.kernel);
    let threads: u64 = launch.block.iter().map(|&n| u64::from(n)).product();
    let [bx, by, bz] = launch.block;
    let [gx, gy, gz] = launch.grid;
    if threads == 0 {
        return Some(finding(
            "W0502",
            format!("`{name}` is launched with blocks of {bx} × {by} × {bz} threads"),
            "every dimension of a block must be at least 1",
        ));
    }
    if threads > MOST_THREADS || launch.block.iter().zip(MOST_BLOCK).any(|(&n, most)| n > most) {
        return Some(finding(
            "W0501",
            format!("`{name}` is launched with blocks of {bx} × {by} × {bz} = {threads} threads"),
            "a block has at most 1024 threads (and at most 64 along z): use smaller blocks and a larger grid",
        ));
    }
    if let Some(most) = program.max_threads
        && threads > u64::from(most)
    {
        return Some(finding(
            "W0501",
            format!("`{name}` promises at most {most} threads per block and is launched with {threads}"),
            "raise its `__launch_bounds__`, or launch smaller blocks",
        ));
    }
    if launch.grid.contains(&0) {
        return Some(finding(
            "W0502",
            format!("`{name}` is launched with a grid of {gx} × {gy} × {gz} blocks"),
            "every dimension of the grid must be at least 1: does an integer division round down to 0? \
             `ceil_div(n, block)` rounds up",
        ));
    }
    if launch.grid.iter().zip(MOST_GRID).any(|(&n, most)| n > most) {
        return Some(finding(
            "W0502",
            format!("`{name}` is launched with a grid of {gx} × {gy} × {gz} blocks"),
            "a grid has at most 2147483647 blocks along x and 65535 along y and z",
        ));
    }
    if let Some([x, y, z]) = program.cluster
        && launch.grid.iter().zip([x, y, z]).any(|(&blocks, cluster)| blocks % cluster.max(1) != 0)
    {
        return Some(finding(
            "W0502",
            format!(
                "`{name}` runs in clusters of {x} × {y} × {z} blocks and is launched with a grid of {gx} × {gy} × {gz}"
            ),
            "every dimension of the grid must be a multiple of the cluster's: round it up, and let the blocks past the end return",
        ));
    }
    let shared = program.shared_bytes(launch.dynamic_shared);
    if program.static_shared > MOST_STATIC_SHARED || shared > MOST_SHARED {
        return Some(finding(
            "W0503",
            format!("`{name}` needs {shared} bytes of shared memory a block"),
            "a block has at most 48 KiB of static shared memory (and 227 KiB in all on the largest GPUs): use \
             smaller tiles",
        ));
    }
    too_much_local(program, launch, &name)
}

/// Local arrays that no thread may have, or that the simulator cannot hold for all threads that are there at once.
fn too_much_local(program: &Program, launch: &Launch<'_>, name: &str) -> Option<Finding> {
    let local = program.local_bytes;
    let hint = "a thread's own arrays are slow, and meant to be small (some hundred bytes): use shared memory for what a block \
                shares, or memory from `cudaMalloc`";
    if local > MOST_LOCAL {
        let message = format!(
            "`{name}` needs {local} bytes of local memory per thread; a GPU has at most {MOST_LOCAL}"
        );
        return Some(finding("W0510", message, hint));
    }
    let threads = launch.block.iter().product::<u32>() as usize;
    let registers = 4 * program.r32 + 8 * program.r64;
    let of_block = threads * (local + registers);
    let blocks = launch.grid.iter().fold(1_usize, |blocks, &n| blocks.saturating_mul(n as usize));
    let at_once = if launch.cooperative { of_block.saturating_mul(blocks) } else { 0 };
    if of_block <= MOST_OF_A_BLOCK && at_once <= MOST_OF_A_GRID {
        return None;
    }
    let needed =
        if local > registers { "local memory" } else { "registers, before the compiler shares them," };
    let message = format!(
        "`{name}` needs {} bytes of {needed} per thread, {} MiB for the threads that run at once: more than the simulator can hold",
        local.max(registers),
        of_block.max(at_once) >> 20
    );
    let fewer = "launch fewer threads or blocks, each with a loop over its pixels, or unroll less";
    Some(finding("W0510", message, if local > registers { hint } else { fewer }))
}

/// The finding of a kernel with an instruction that the simulator does not have.
pub(crate) fn not_simulated(kernel: &str, gap: ModuleError) -> Finding {
    let message = format!(
        "`{}` cannot run on the simulator, which lacks a feature that it uses: {}",
        readable(kernel),
        gap.message
    );
    Finding {
        location: gap.location,
        ..finding(
            "W0511",
            message,
            "check this file on a GPU (`--engine gpu`), or write this part without the feature: the labs need no tensor \
             cores, clusters or bulk copies",
        )
    }
}

fn finding(code: &'static str, message: String, hint: &str) -> Finding {
    Finding {
        code,
        kind: Kind::Launch,
        severity: Severity::Error,
        message,
        location: None,
        labels: Vec::new(),
        thread: None,
        count: 1,
        hint: hint.to_owned(),
    }
}
