//! The shape of a launch, checked against the limits of the GPU.

use simulator::{Finding, KernelInfo, Kind};

use super::resources::{NEGATIVE, in_bytes};
use super::state::finding;
use crate::engine::Limits;

/// The fault in the shape of a launch, if there is one.
pub(super) fn shape_fault(
    limits: &Limits,
    kernel: &KernelInfo,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u64,
    opted_in: Option<u32>,
) -> Option<Finding> {
    empty_fault(kernel, grid, block)
        .or_else(|| block_fault(limits, kernel, block))
        .or_else(|| grid_fault(limits, kernel, grid))
        .or_else(|| {
            let default = limits.shared.saturating_sub(kernel.static_shared);
            let allowed = opted_in.map_or(default, |most| most.max(default));
            let too_much = shared > u64::from(allowed);
            too_much.then(|| shared_fault(kernel, shared, allowed, "this launch may use at most"))
        })
}

/// A grid without blocks, or blocks without threads.
fn empty_fault(kernel: &KernelInfo, grid: [u32; 3], block: [u32; 3]) -> Option<Finding> {
    let name = label(&kernel.name);
    let (message, hint) = if grid.contains(&0) {
        (
            format!("`{name}` is launched with a grid of {} blocks", times(grid)),
            "a quotient such as `n / block` rounds down, to 0 where n is less than the block: `ceil_div(n, block)` rounds up. Else \
             one of the numbers that the number of blocks is computed from is 0 here: print them. Where nothing is left to do, \
             leave out the launch",
        )
    } else if block.contains(&0) {
        let message = format!("`{name}` is launched with blocks of {} threads", times(block));
        (message, "use at least 1 thread per block")
    } else {
        return None;
    };
    Some(finding("W0502", Kind::Launch, message, hint))
}

/// Too many threads in a block, or along one of its dimensions.
fn block_fault(limits: &Limits, kernel: &KernelInfo, block: [u32; 3]) -> Option<Finding> {
    let name = label(&kernel.name);
    if block.iter().any(|side| side.cast_signed() < 0) {
        let message = format!("`{name}` is launched with blocks of {} threads", times(block));
        return Some(finding("W0501", Kind::Launch, message, NEGATIVE));
    }
    let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
    let most = kernel.max_threads.map_or(limits.block_threads, |max| max.min(limits.block_threads));
    let (message, hint) = if threads > u64::from(most) {
        let reason = if most < limits.block_threads { "`__launch_bounds__` allows" } else { "a GPU accepts" };
        let product = if block[1] > 1 || block[2] > 1 { format!(" = {threads}") } else { String::new() };
        let message = format!(
            "`{name}` is launched with {}{product} threads per block; {reason} at most {most}",
            times(block)
        );
        let hint = "use smaller blocks and more of them: 128 or 256 threads per block suit most kernels, \
                    unless one is written for blocks of another size";
        (message, hint.to_owned())
    } else {
        let axis = (0..3).find(|axis| block[*axis] > limits.block[*axis])?;
        let message = format!(
            "`{name}` is launched with blocks of {} threads; a GPU accepts at most {}",
            times(block),
            times(limits.block)
        );
        (message, format!("make the {} dimension of the block smaller", AXES[axis]))
    };
    Some(finding("W0501", Kind::Launch, message, &hint))
}

/// Too many blocks along a dimension of the grid.
fn grid_fault(limits: &Limits, kernel: &KernelInfo, grid: [u32; 3]) -> Option<Finding> {
    let axis = (0..3).find(|axis| grid[*axis] > limits.grid[*axis])?;
    let is_negative = grid[axis].cast_signed() < 0;
    let message = format!(
        "`{}` is launched with a grid of {} blocks; {} accepts at most {}",
        label(&kernel.name),
        times(grid),
        limits.name,
        times(limits.grid)
    );
    let hint = if is_negative {
        NEGATIVE.to_owned()
    } else {
        format!("let each thread process more elements, or use another dimension than {}", AXES[axis])
    };
    Some(finding("W0502", Kind::Launch, message, &hint))
}

pub(super) fn shared_fault(kernel: &KernelInfo, asked: u64, most: u32, limit: &str) -> Finding {
    finding(
        "W0503",
        Kind::Launch,
        format!(
            "`{}` asks for {} of dynamic shared memory in addition to {} bytes static; {limit} {most}",
            label(&kernel.name),
            in_bytes(asked),
            kernel.static_shared
        ),
        if asked.cast_signed() < 0 {
            NEGATIVE
        } else {
            "use a smaller tile, or raise the limit with `cudaFuncSetAttribute(kernel, \
         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)` where the GPU has more"
        },
    )
}

const AXES: [char; 3] = ['x', 'y', 'z'];

fn times(shape: [u32; 3]) -> String {
    // No side is so large: it was negative.
    match shape.map(u32::cast_signed) {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} × {y}"),
        [x, y, z] => format!("{x} × {y} × {z}"),
    }
}

/// The kernel's name in the source, from its mangled name; the mangled name itself if it is not a plain one.
pub(super) fn label(mangled: &str) -> &str {
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
            local: 0,
            managed: Vec::new(),
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
        let negative = (-6_i32).cast_unsigned();
        let found = shape_fault(&limits, &kernel, [negative, 1, 1], [32, 1, 1], 0, None).expect("a fault");
        assert!(found.message.contains("a grid of -6 blocks;"));
        assert_eq!(found.hint, NEGATIVE);
        let found = shape_fault(&limits, &kernel, [1, 1, 1], [negative, 1, 1], 0, None).expect("a fault");
        assert!(found.message.ends_with("with blocks of -6 threads") && found.hint == NEGATIVE);
        let found = shape_fault(&limits, &kernel, [1, 1, 1], [32, 1, 1], (-6_i64).cast_unsigned(), None)
            .expect("a fault");
        assert!(found.message.contains("asks for -6 bytes") && found.hint == NEGATIVE, "{}", found.message);
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
