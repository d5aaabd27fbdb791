//! The longest chain of dependent instructions of each warp, by the instruction that lengthens it.
//!
//! An instruction stands one link behind the latest of the registers it reads, its guard included; a barrier stands
//! behind everything before it, and everything after it behind the barrier. What a memory access loads stands behind
//! its address.
//!
//! Left out on purpose: values that go through memory (also arguments of functions that are not inlined), branches
//! (a GPU does not run ahead of one, but which instructions wait for it is the compiler's choice), and latencies: a
//! link is an instruction, whatever it takes. Lanes are not told apart: paths of a warp share its registers' places.

use std::collections::BTreeMap;

use super::numbering::Numbering;
use super::{Observer, Place, Request};
use crate::decode::{Access, Action, AtomicOp, Inst, Program, VoteMode};
use crate::exec::{Slot, Warp};

/// The registers of an instruction: so many from `first` in [`Chains::registers`], sources before results.
#[derive(Debug, Clone, Copy)]
struct Links {
    first: u32,
    sources: u8,
    results: u8,
    /// Results keep their place in lanes that do not write.
    guarded: bool,
    /// It waits for everything, and everything after waits for it.
    barrier: bool,
}

/// One warp.
#[derive(Debug, Clone)]
struct Chain {
    /// How many instructions lead to each register's value.
    depth: Vec<u32>,
    longest: u32,
    /// Where the last barrier stands.
    floor: u32,
}

/// The observer.
#[derive(Debug)]
pub(crate) struct Chains {
    links: Vec<Links>,
    registers: Vec<u32>,
    warps: Vec<Chain>,
    /// The warps of blocks that wait for the grid.
    parked: BTreeMap<u64, Vec<Chain>>,
    current: usize,
    /// By instruction: how often it lengthened its warp's chain.
    lengthened: Vec<u64>,
}

impl Chains {
    /// For a launch of `program` with blocks of so many threads.
    pub fn new(program: &Program, threads: u32) -> Self {
        let numbering = Numbering::new(program);
        let mut registers = Vec::new();
        let links = program
            .code
            .iter()
            .enumerate()
            .map(|(pc, inst)| {
                let (sources, results) = operands(program, inst, pc);
                let first = registers.len() as u32;
                let number = |&(slot, register): &(Slot, u16)| numbering.of(program, slot, register);
                registers.extend(sources.iter().chain(&results).map(number));
                let guarded = inst.guard != 0;
                if guarded {
                    registers.insert(first as usize, numbering.of(program, Slot::Pred, inst.guard));
                }
                Links {
                    first,
                    sources: sources.len() as u8 + u8::from(guarded),
                    results: results.len() as u8,
                    guarded,
                    barrier: matches!(
                        inst.action,
                        Action::Barrier { arrive: false, .. }
                            | Action::GridBarrier
                            | Action::BarrierReduce { .. }
                            | Action::WarpBarrier
                    ),
                }
            })
            .collect();
        let fresh = Chain { depth: vec![0; numbering.count], longest: 0, floor: 0 };
        Self {
            links,
            registers,
            warps: vec![fresh; threads.div_ceil(32) as usize],
            parked: BTreeMap::new(),
            current: 0,
            lengthened: vec![0; program.code.len()],
        }
    }

    /// By instruction: how often it lengthened the longest chain of its warp.
    pub fn finish(self) -> Vec<u64> {
        self.lengthened
    }
}

impl Observer for Chains {
    const MEMORY: bool = false;

    #[inline]
    fn issue(&mut self, pc: u32, mask: u32) {
        if mask == 0 {
            return;
        }
        let links = self.links[pc as usize];
        let (first, sources) = (links.first as usize, usize::from(links.sources));
        let registers = &self.registers[first..first + sources + usize::from(links.results)];
        let chain = &mut self.warps[self.current];
        let mut behind = if links.barrier { chain.longest } else { chain.floor };
        for &source in &registers[..sources] {
            behind = behind.max(chain.depth[source as usize]);
        }
        let here = behind.saturating_add(1);
        for &result in &registers[sources..] {
            let depth = &mut chain.depth[result as usize];
            *depth = if links.guarded { here.max(*depth) } else { here };
        }
        if links.barrier {
            chain.floor = here;
        }
        if here > chain.longest {
            chain.longest = here;
            self.lengthened[pc as usize] += 1;
        }
    }

    fn access(&mut self, _pc: u32, _request: &Request<'_>, _place: &Place<'_>) {}

    fn block(&mut self, _number: u64) {
        for chain in &mut self.warps {
            chain.depth.fill(0);
            (chain.longest, chain.floor) = (0, 0);
        }
    }

    fn turn(&mut self, warp: &Warp) {
        self.current = warp.index as usize;
    }

    fn park(&mut self, number: u64) {
        self.parked.insert(number, self.warps.clone());
    }

    fn resume(&mut self, number: u64) {
        self.warps = self.parked.remove(&number).expect("who goes on was parked");
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.lengthened.iter_mut().zip(other.lengthened) {
            *mine += theirs;
        }
    }
}

type Registers = Vec<(Slot, u16)>;

fn wide(wide: bool) -> Slot {
    if wide { Slot::R64 } else { Slot::R32 }
}

/// The registers of an access's data.
fn data(program: &Program, access: &Access, scalar: u16) -> Registers {
    let slot = wide(access.wide);
    match access.vector {
        1 => vec![(slot, scalar)],
        count => {
            let list = &program.lists[access.list as usize..][..usize::from(count)];
            list.iter().map(|&register| (slot, register)).collect()
        }
    }
}

/// What an instruction reads, its guard excepted, and what it writes.
pub(super) fn operands(program: &Program, inst: &Inst, pc: usize) -> (Registers, Registers) {
    let Inst { a, b, c, d, e, .. } = *inst;
    let words = |registers: &[u16]| registers.iter().map(|&register| (Slot::R32, register)).collect();
    match inst.action {
        Action::Compute(_) => {
            let Some(row) = program.rows.get(pc).copied().flatten() else { return Default::default() };
            let sources = row.ins.iter().copied().zip([a, b, c, e]).collect();
            let carry = row.carries.then_some((Slot::Pred, e));
            (sources, [(row.out, d)].into_iter().chain(carry).collect())
        }
        Action::Load(access) => (vec![(wide(access.wide_address), a)], data(program, &access, d)),
        Action::Store(access) => {
            let mut sources = data(program, &access, b);
            sources.push((wide(access.wide_address), a));
            (sources, Vec::new())
        }
        Action::Atomic { access, op, quiet, .. } => {
            let slot = wide(access.wide);
            let mut sources = vec![(wide(access.wide_address), a), (slot, b)];
            sources.extend((op == AtomicOp::Cas).then_some((slot, c)));
            (sources, if quiet { Vec::new() } else { vec![(slot, d)] })
        }
        Action::Texture(fetch) => {
            let (results, place) =
                program.lists[fetch.list as usize..][..4 + usize::from(fetch.axes)].split_at(4);
            let mut sources: Registers = words(place);
            sources.push((Slot::R64, a));
            (sources, words(results))
        }
        Action::Surface(what) => {
            let place = [(Slot::R64, a), (Slot::R32, c), (Slot::R32, e)];
            let mut sources = place[..=usize::from(what.axes)].to_vec();
            if what.store {
                sources.extend(data(program, &what.access, b));
                return (sources, Vec::new());
            }
            (sources, data(program, &what.access, d))
        }
        Action::BranchTable { .. } | Action::WarpBarrier => (words(&[a]), Vec::new()),
        Action::Barrier { counted, .. } => (words(&[a, b][..=usize::from(counted)]), Vec::new()),
        Action::BarrierReduce { popc, .. } => {
            (vec![(Slot::Pred, c)], vec![(if popc { Slot::R32 } else { Slot::Pred }, d)])
        }
        Action::Shuffle { predicate, .. } => (words(&[a, b, c, e]), result(d, predicate)),
        Action::Vote { mode, .. } => {
            let slot = if mode == VoteMode::Ballot { Slot::R32 } else { Slot::Pred };
            (vec![(Slot::Pred, a), (Slot::R32, b)], vec![(slot, d)])
        }
        Action::Match { wide: long, predicate, .. } => {
            (vec![(wide(long), a), (Slot::R32, b)], result(d, predicate))
        }
        Action::Reduce(_) => (words(&[a, b]), words(&[d])),
        Action::Elect { predicate } => (words(&[b]), result(d, Some(predicate))),
        Action::ActiveMask => (Vec::new(), words(&[d])),
        Action::Clock { wide: long } => (Vec::new(), vec![(wide(long), d)]),
        Action::IsSpace(_) => (vec![(Slot::R64, a)], vec![(Slot::Pred, d)]),
        Action::ToGeneric { wide: long, .. } | Action::FromGeneric { wide: long, .. } => {
            (vec![(wide(long), a)], vec![(wide(long), d)])
        }
        Action::Branch { .. }
        | Action::Call(_)
        | Action::Return
        | Action::Exit
        | Action::GridBarrier
        | Action::Fence
        | Action::Trap
        | Action::Nothing => Default::default(),
    }
}

/// A word, and a predicate if there is one.
fn result(word: u16, predicate: Option<u16>) -> Registers {
    let predicate = predicate.map(|predicate| (Slot::Pred, predicate));
    [(Slot::R32, word)].into_iter().chain(predicate).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pretty_assertions::assert_eq;

    use crate::{Checks, Device, Launch, LaunchReport, Limits, Module};

    /// Runs code in blocks of so many threads; line 1 of the source is the first of the code.
    fn launch(code: &str, blocks: u32, threads: u32, checks: Checks) -> LaunchReport {
        let lines: Vec<String> = code
            .lines()
            .enumerate()
            .map(|(number, line)| format!(".loc 1 {} 1\n{line}", number + 1))
            .collect();
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<4>;\n\
             .reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n.shared .align 4 .b8 s[256];\n{}\nret;\n}}\n\
             .file 1 \"a.cu\"\n",
            lines.join("\n")
        );
        let mut device = Device::new(Arc::new(Module::from_ptx(&text).unwrap()), Limits::default());
        let launch = Launch {
            kernel: "k",
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            arguments: &[],
            checks,
        };
        let report = device.launch(&launch).unwrap();
        assert!(!report.stopped, "{:?}", report.findings);
        report
    }

    const FOLLOWED: Checks = Checks { dependencies: true, ..Checks::COUNT };

    /// The depth of each line, for one warp.
    fn depths(code: &str) -> Vec<u64> {
        let report = launch(code, 1, 32, FOLLOWED);
        // The return belongs to the last line.
        let mut depths = vec![0; code.lines().count()];
        for line in &report.lines {
            depths[line.location.line as usize - 1] = line.counters.dependency_depth;
        }
        assert_eq!(depths.iter().sum::<u64>(), report.counters.dependency_depth);
        depths
    }

    #[test]
    fn a_chain_is_as_long_as_it_has_links() {
        // The special register is there before the first instruction.
        assert_eq!(
            depths("add.u32 %r1, %tid.x, 1;\nmul.lo.u32 %r2, %r1, %r1;\nxor.b32 %r3, %r2, 5;"),
            [1, 1, 1]
        );
        assert_eq!(
            depths("add.u32 %r1, %tid.x, 1;\nadd.u32 %r2, %tid.x, 2;\nadd.u32 %r3, %tid.x, 3;"),
            [1, 0, 0]
        );
        // What joins two chains stands behind the longer one.
        assert_eq!(
            depths(
                "add.u32 %r1, %tid.x, 1;\nadd.u32 %r1, %r1, 1;\nadd.u32 %r2, %tid.x, 1;\nadd.u32 %r3, %r2, %r1;"
            ),
            [1, 1, 0, 1]
        );
    }

    #[test]
    fn guards_loads_and_shuffles_are_links() {
        assert_eq!(
            depths(
                "setp.lt.u32 %p1, %tid.x, 40;\n@%p1 add.u32 %r1, %tid.x, 1;\n\
                 shfl.sync.idx.b32 %r2|%p2, %r1, 0, 31, -1;\n@%p2 add.u32 %r3, %r2, 1;"
            ),
            [1, 1, 1, 1]
        );
        // A store reads; nothing comes out of it but through memory, which is not followed.
        assert_eq!(
            depths(
                "shl.b32 %r1, %tid.x, 2;\nst.shared.u32 [%r1], %r1;\nld.shared.u32 %r2, [%r1];\n\
                 add.u32 %r3, %r2, 1;"
            ),
            [1, 1, 0, 1]
        );
        // A guard that lets nobody pass lengthens nothing.
        assert_eq!(depths("setp.gt.u32 %p1, %tid.x, 40;\n@%p1 add.u32 %r1, %tid.x, 1;"), [1, 0]);
    }

    #[test]
    fn a_barrier_stands_between_what_is_before_and_after() {
        let apart = "add.u32 %r1, %tid.x, 1;\nadd.u32 %r1, %r1, 1;\nbar.sync 0;\nadd.u32 %r2, %tid.x, 1;";
        assert_eq!(depths(apart), [1, 1, 1, 1]);
    }

    #[test]
    fn launches_add_up_whatever_the_workers() {
        let code = "add.u32 %r1, %tid.x, 1;\nmul.lo.u32 %r2, %r1, %r1;";
        let depth = |blocks, threads, checks| launch(code, blocks, threads, checks).counters.dependency_depth;
        assert_eq!(depth(1, 32, FOLLOWED), 2);
        assert_eq!(depth(300, 64, FOLLOWED), 2 * 2 * 300);
        // Beside the analyses that watch blocks in order, the same.
        assert_eq!(depth(300, 64, Checks::ALL), 2 * 2 * 300);
        assert_eq!(depth(300, 64, Checks::COUNT), 0);
    }
}
