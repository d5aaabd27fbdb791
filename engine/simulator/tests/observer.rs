//! An observer as a user of the crate writes one.

use std::collections::BTreeMap;
use std::sync::Arc;

use pretty_assertions::assert_eq;
use simulator::{Access, AccessKind, Device, Launch, Limits, Module, Observer, Space, Step};

/// Each thread stores its number in shared memory, waits, and stores its neighbour's in global memory. Line 17 is the
/// last store.
const PTX: &str = ".version 8.0
.target sm_80
.address_size 64
.visible .entry turn(.param .u64 out) {
.reg .b32 %r<5>;
.reg .b64 %rd<3>;
.shared .align 4 .b8 tile[256];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
st.shared.u32 [%r2], %r1;
bar.sync 0;
xor.b32 %r3, %r2, 4;
ld.shared.u32 %r4, [%r3];
ld.param.u64 %rd1, [out];
mad.wide.u32 %rd2, %r1, 4, %rd1;
setp.lt.u32 %p1, %r1, 40;
@%p1 st.global.u32 [%rd2], %r4;
ret;
}";

/// Counts what it is told.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    blocks: Vec<u64>,
    warps: BTreeMap<(u64, u32), u64>,
    barriers: u64,
    /// Lanes and bytes by PTX line, space and kind.
    accesses: BTreeMap<(u32, String), (u32, u64)>,
}

impl Observer for Tally {
    fn block(&mut self, number: u64) {
        self.blocks.push(number);
    }

    fn instruction(&mut self, step: &Step<'_>) {
        *self.warps.entry((step.block, step.warp)).or_default() += 1;
        assert_eq!(step.location, None, "the text has no `.loc`");
    }

    fn access(&mut self, step: &Step<'_>, access: &Access<'_>) {
        let what = format!("{:?} {:?}", access.space, access.kind);
        let entry = self.accesses.entry((step.ptx_line, what)).or_default();
        entry.0 += step.mask.count_ones();
        entry.1 += access.bytes * u64::from(step.mask.count_ones());
        if access.space == Space::Shared && access.kind == AccessKind::Write {
            assert_eq!(access.addresses[1] - access.addresses[0], 4);
        }
    }

    fn barrier(&mut self, id: u32) {
        assert_eq!(id, 0);
        self.barriers += 1;
    }

    fn absorb(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
        self.blocks.sort_unstable();
        self.warps.extend(other.warps);
        self.barriers += other.barriers;
        for (place, (lanes, bytes)) in other.accesses {
            let entry = self.accesses.entry(place).or_default();
            *entry = (entry.0 + lanes, entry.1 + bytes);
        }
    }
}

/// A launch of so many blocks of 64 threads on memory for so many numbers.
fn observed(blocks: u32, elements: u64) -> (bool, Tally) {
    let text = PTX.replace(".reg .b64", ".reg .pred %p<2>;.reg .b64");
    let module = Arc::new(Module::from_ptx(&text).unwrap());
    let mut device = Device::new(module, Limits::default());
    let out = device.alloc(4 * elements, "out").unwrap();
    let arguments = [out.to_le_bytes().to_vec()];
    let launch = Launch {
        kernel: "turn",
        grid: [blocks, 1, 1],
        block: [64, 1, 1],
        arguments: &arguments,
        ..Launch::default()
    };
    let (report, tally) = device.launch_observed(&launch, Tally::default).unwrap();
    (report.stopped, tally)
}

#[test]
fn an_observer_is_told_of_every_block_instruction_access_and_barrier() {
    let (stopped, tally) = observed(2, 40);
    assert!(!stopped);
    assert_eq!(tally.blocks, [0, 1]);
    assert_eq!(
        tally.warps.into_iter().collect::<Vec<_>>(),
        [((0, 0), 11), ((0, 1), 11), ((1, 0), 11), ((1, 1), 11)]
    );
    assert_eq!(tally.barriers, 2);
    let accesses: Vec<_> =
        tally.accesses.iter().map(|((line, what), sums)| (*line, what.as_str(), *sums)).collect();
    let expected =
        [(10, "Shared Write", (128, 512)), (13, "Shared Read", (128, 512)), (17, "Global Write", (80, 320))];
    assert_eq!(accesses, expected);
}

#[test]
fn an_observer_comes_back_after_a_fault_too() {
    let (stopped, tally) = observed(1, 20);
    assert!(stopped);
    assert_eq!(tally.barriers, 1);
    // The store that is out of bounds is not carried out.
    assert!(tally.accesses.keys().all(|(line, _)| *line != 17), "{:?}", tally.accesses);
}
