//! Faults and remarks put into words: what happened, to whom, and what to try.

mod arithmetic;
mod barriers;
mod endless;
mod images;
mod limits;
mod place;
pub(crate) mod races;
pub(crate) mod undefined;

use crate::decode::{Program, waits_for_others, waits_in_the_block};
use crate::exec::{AccessKind, Fault, FaultKind, Remark};
use crate::finding::{Finding, Kind, Label, Location, Severity, ThreadId};
use crate::layout::{HOST_BASE, HOST_END};
use crate::lines::LineTable;
use crate::memory::Memory;
use crate::names::readable;
use crate::ptx::ast::Space;

/// The context of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// The program that ran.
    pub program: &'a Program,
    /// Its source lines.
    pub lines: &'a LineTable,
    /// Global memory of its side.
    pub memory: &'a Memory,
    /// `blockDim`; all ones for a host function.
    pub block: [u32; 3],
    /// A host function rather than a kernel.
    pub host: bool,
    /// Bytes of shared memory of a block.
    pub shared_bytes: usize,
    /// The parameter block of the launch; empty for a host function.
    pub parameters: &'a [u8],
}

/// The words of a fault or remark, without its place.
struct Words {
    code: &'static str,
    kind: Kind,
    message: String,
    hint: String,
    labels: Vec<Label>,
}

impl Words {
    fn new(code: &'static str, kind: Kind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, kind, message: message.into(), hint: hint.into(), labels: Vec::new() }
    }
}

impl Scene<'_> {
    /// The student's line of an instruction; for one that the compiler gave none, that of its nearest
    /// predecessor.
    pub fn location(&self, pc: u32) -> Option<Location> {
        let until = (pc as usize + 1).min(self.program.code.len());
        self.program.code[..until].iter().rev().find_map(|inst| self.lines.get(inst.location).cloned())
    }

    /// The call of a function that was inlined, whose line alone does not say where it was called; nothing of a function of the host.
    fn called_at(&self, pc: u32) -> Option<Label> {
        let number = self.program.code.get(pc as usize).filter(|_| !self.host)?.location;
        let location = self.lines.callers(number).first()?.clone();
        Some(Label { location, text: "called here".to_owned() })
    }

    fn thread(&self, index: [u32; 3], warp: u32, lane: u32) -> Option<ThreadId> {
        let [x, y, _] = self.block;
        let thread = warp * 32 + lane;
        (!self.host).then(|| ThreadId {
            kernel: readable(&self.program.name),
            block: index,
            thread: [thread % x, thread / x % y, thread / x / y],
        })
    }

    /// A fault, as an error.
    pub fn fault(&self, fault: &Fault, index: [u32; 3]) -> Finding {
        let mut words = self.words(&fault.kind, fault.pc);
        words.labels.extend(self.called_at(fault.pc));
        Finding {
            code: words.code,
            kind: words.kind,
            severity: Severity::Error,
            message: words.message,
            location: self.location(fault.pc),
            labels: words.labels,
            thread: self.thread(index, fault.warp, fault.lane),
            count: 1,
            hint: words.hint,
        }
    }

    /// A remark. All but one are errors: since compute capability 7.0 a barrier waits only for the threads that have not
    /// returned.
    pub fn remark(&self, remark: &Remark, count: u64, index: [u32; 3], warp: u32, lane: u32) -> Finding {
        let (words, pc) = self.remark_words(remark);
        Finding {
            code: words.code,
            kind: words.kind,
            severity: match remark {
                Remark::ExitedBarrier { rounds: false, .. } | Remark::NotANumber { .. } => Severity::Warning,
                Remark::ExitedBarrier { .. }
                | Remark::DivergentBarrier { .. }
                | Remark::MixedBarriers { .. }
                | Remark::TooManyCame { .. }
                | Remark::NotLanded { .. } => Severity::Error,
            },
            message: words.message,
            location: self.location(pc),
            labels: words.labels,
            thread: self.thread(index, warp, lane),
            count,
            hint: words.hint,
        }
    }

    fn words(&self, kind: &FaultKind, pc: u32) -> Words {
        match kind {
            FaultKind::OutOfBounds { address, bytes, kind, space } => {
                self.out_of_bounds(*address, *bytes, *kind, *space)
            }
            FaultKind::Misaligned { address, bytes, kind } => Words::new(
                "W0102",
                if self.host { Kind::Host } else { Kind::Memory },
                format!(
                    "{} {bytes} bytes at an address that is no multiple of {bytes} ({} past one)",
                    verb(*kind),
                    address % bytes
                ),
                format!(
                    "a {bytes}-byte access needs a {bytes}-byte aligned address: check the offset that the \
                     pointer was cast at, or handle the unaligned ends one byte at a time"
                ),
            ),
            FaultKind::WriteConstant { .. } => Words::new(
                "W0104",
                Kind::Memory,
                "writes to constant memory, which kernels can only read",
                "copy to it from the host with `cudaMemcpyToSymbol`, or use a `__device__` variable",
            ),
            FaultKind::InstructionLimit if !self.host && waits_for_others(self.program, pc) => {
                endless::waiting()
            }
            FaultKind::Endless if waits_in_the_block(self.program, pc) => endless::waiting_in_the_block(),
            FaultKind::Endless => endless::comes_back(self.host),
            FaultKind::InstructionLimit if self.host => endless::on_the_host(),
            FaultKind::InstructionLimit => Words::new(
                "W0504",
                Kind::Launch,
                "does not come to an end: the limit of instructions was reached here",
                "check that the loop's condition becomes false in every thread: does the index grow by a step \
                 that is not zero, and is it compared with the right bound? A `uint8_t` is always below 256, and an `unsigned` never \
                 below 0",
            ),
            FaultKind::DividedByZero => arithmetic::divided_by_zero(),
            FaultKind::LaunchLimit => limits::launch(),
            FaultKind::MemoryLimit { bytes } => limits::memory(*bytes, self.host),
            FaultKind::Trap { message: Some(message) } => {
                Words::new("W0505", Kind::Launch, message.clone(), trap_hint(message))
            }
            FaultKind::Trap { message: None } => Words::new(
                "W0505",
                Kind::Launch,
                "the kernel stopped itself with a trap instruction",
                "the compiler inserts a trap where the code cannot go on, such as after undefined behaviour",
            ),
            FaultKind::BadObject { surface, problem } => images::bad_object(*surface, *problem),
            FaultKind::TextureType { float } => images::texture_type(*float),
            FaultKind::SurfaceOutside { x, y, bytes, row, rows, kind } => {
                images::surface_outside([*x, *y], *bytes, [*row, *rows], *kind)
            }
            FaultKind::Deadlock { waiting } => self.deadlock(waiting),
            FaultKind::NotCooperative => Words::new(
                "W0408",
                Kind::Barrier,
                "waits for the whole grid in a launch that is not cooperative: on a GPU the kernel fails or hangs",
                "launch it with `cudaLaunchCooperativeKernel`, which keeps all blocks on the GPU at once; `<<<…>>>` may \
                 start the last blocks only when the first have ended",
            ),
            FaultKind::GridDeadlock { waiting, blocks, first_ended: [x, y, z] } => Words::new(
                "W0407",
                Kind::Barrier,
                format!(
                    "the grid hangs: {waiting} of its {blocks} blocks wait{} here for all others, and block \
                     ({x}, {y}, {z}) has already returned",
                    if *waiting == 1 { "s" } else { "" }
                ),
                "every thread of every block has to come to each `grid.sync()`: guard the work with `if` instead of \
                 returning, and let all blocks go round a loop with a barrier equally often",
            ),
            FaultKind::LaneOutsideMask { members, active } => Words::new(
                "W0405",
                Kind::Barrier,
                format!(
                    "a lane takes part in a warp operation whose mask {members:#010x} leaves it out (active: {active:#010x})"
                ),
                "the mask of `__shfl_sync`, `__ballot_sync` and their kin must name every lane that executes it",
            ),
            FaultKind::MissingFunction { name } => Words::new(
                "W0506",
                if self.host { Kind::Host } else { Kind::Launch },
                format!("calls `{}`, which the workbook does not provide", readable(name)),
                "use what `workbook.cuh` and the CUDA runtime offer, or write the function in this file",
            ),
            FaultKind::BadBarrier { id, count } => Words::new(
                "W0406",
                Kind::Barrier,
                format!("a barrier with number {id} and a count of {count} threads"),
                "barrier numbers go from 0 to 15, and a count must be a multiple of 32 threads",
            ),
        }
    }

    fn out_of_bounds(&self, address: u64, bytes: u64, kind: AccessKind, space: Space) -> Words {
        let verb = verb(kind);
        match space {
            Space::Shared if address >= WRAPPED => Words::new(
                "W0106",
                Kind::Memory,
                format!("{verb} {} of shared memory at a negative index", count_bytes(bytes)),
                UNSIGNED,
            ),
            Space::Shared
                if self.program.red_zones.iter().any(|zone| zone.contains(&(address + bytes - 1))) =>
            {
                self.between_arrays(address, bytes, verb)
            }
            Space::Shared => self.past_shared(address, bytes, verb),
            Space::Local => Words::new(
                "W0107",
                if self.host { Kind::Host } else { Kind::Memory },
                format!("{verb} {} outside a local array", count_bytes(bytes)),
                "check the index against the size of the array that the function declares",
            ),
            Space::Param => Words::new(
                "W0107",
                Kind::Memory,
                format!("{verb} {} outside the kernel's parameters", count_bytes(bytes)),
                "check the index into the parameter",
            ),
            Space::Global | Space::Const if self.host => self.host_access(address, bytes, kind),
            Space::Global | Space::Const => self.device_access(address, bytes, verb),
        }
    }

    fn host_access(&self, address: u64, bytes: u64, kind: AccessKind) -> Words {
        let verb = verb(kind);
        if !(HOST_BASE..HOST_END).contains(&address) && address >= 4096 {
            return Words::new(
                "W0601",
                Kind::Host,
                format!("{verb} GPU memory directly from the host function"),
                match kind {
                    AccessKind::Write => {
                        "the host function runs on the CPU, and only kernels can use device pointers: do the work in a kernel, set all \
                         bytes with `cudaMemset`, or fill an array of the host and copy it with `cudaMemcpy(…, cudaMemcpyHostToDevice)` \
                         before the launch that needs it"
                    }
                    AccessKind::Read | AccessKind::Atomic => {
                        "the host function runs on the CPU, and only kernels can use device pointers: do the work in a kernel, or copy \
                         with `cudaMemcpy(…, cudaMemcpyDeviceToHost)` and read the copy"
                    }
                },
            );
        }
        self.stray("W0602", Kind::Host, address, bytes, verb)
    }

    fn device_access(&self, address: u64, bytes: u64, verb: &str) -> Words {
        if (HOST_BASE..HOST_END).contains(&address) {
            return Words::new(
                "W0105",
                Kind::Memory,
                format!("{verb} through a pointer to host memory"),
                "a kernel can only use GPU memory: allocate with `cudaMalloc`, copy with `cudaMemcpy`, and pass \
                 the device pointer",
            );
        }
        self.stray("W0101", Kind::Memory, address, bytes, verb)
    }

    fn stray(&self, code: &'static str, kind: Kind, address: u64, bytes: u64, verb: &str) -> Words {
        if address < 4096 {
            return Words::new(
                "W0108",
                kind,
                format!("{verb} through a null pointer"),
                "the pointer was never set, or the call that should have set it failed: check its return value",
            );
        }
        let Some(near) = self.memory.nearest(address) else {
            return Words::new(
                code,
                kind,
                format!("{verb} {} where nothing is allocated", count_bytes(bytes)),
                "check how the address is computed",
            );
        };
        if !near.live {
            return Words::new(
                "W0103",
                kind,
                format!("{verb} `{}` after it was freed", near.name),
                "free memory only after the last kernel that uses it",
            );
        }
        let offset = i128::from(address) - i128::from(near.base);
        // So far above, an index below 0 has gone round all addresses.
        let offset = if offset > i128::from(i64::MAX) { offset - (1 << 64) } else { offset };
        if wrapped(offset) && offset > i128::from(near.size) {
            // So far away, the nearest allocation need not be the one that is meant.
            let message = format!("{verb} {} where nothing is allocated", count_bytes(bytes));
            return Words::new(code, kind, message, UNSIGNED);
        }
        let message = format!(
            "{verb} {} at byte {offset} of `{}`, which has {}",
            count_bytes(bytes),
            near.name,
            count_bytes(near.size)
        );
        if let Some(told) = self.begins_at_the_end(address, near) {
            return Words::new(code, kind, message, told);
        }
        Words::new(
            code,
            kind,
            message,
            if overflowed(offset, bytes) == Some(16) {
                "the index is negative here: -32,768 is what 32,767 + 1 becomes in a `short`, a type of 16 bits. Look at the types of the numbers that the \
                 index is computed from: each needs an `int`"
            } else if overflowed(offset, bytes) == Some(32) {
                "the index is negative here: -2,147,483,648 is what 2,147,483,647 + 1 becomes in an `int`, a type of 32 bits. Look at the types of the \
                 numbers that the index is computed from: one of them needs 64 bits (`size_t`, `int64_t`), or is wrong"
            } else if offset < 0 {
                "the index is negative here: work it out for this thread, and find the part that is too small"
            } else if offset / FAR > i128::from(near.size) {
                "the index is many times too large for a mere step past the end: print it with `printf` for this thread. Likely \
                 causes: a row length that is not the image's width, a product that is taken twice, or an index that was never \
                 set"
            } else if counted_in_elements(&near.name, near.size, offset, bytes) {
                "is the buffer large enough? `cudaMalloc` and `cudaMemcpy` count bytes: n elements need `n * sizeof(type)`. If it is, \
                 the index is too large: work it out for this thread"
            } else if offset < i128::from(near.size) {
                "it begins inside and ends outside: the last group of elements is not whole, or the pointer's type is wider than the elements. \
                 Do the last few one by one, where fewer are left than one access takes"
            } else if verb != "reads" {
                "has this thread an element at all? Threads past the last one must not touch memory: `if (i < n)`. \
                 If it has, its index is too large: work it out for this thread, and compare it with what the elements stand for (a \
                 pixel, or a counter of a level)"
            } else {
                "has this thread an element at all? Threads past the last one must not touch memory: `if (i < n)`. \
                 If it has, and reads a neighbour, the neighbour's column and row must be less than the image's width and height. \
                 Else its index is too large: work it out for this thread"
            },
        )
    }
}

/// Beyond all shared memory: such an offset was negative in 32 bits.
const WRAPPED: u64 = 1 << 31;

/// An offset that is so many times the size is no step past the end.
const FAR: i128 = 16;

/// Whether an index that was negative in 32 bits, times the size of an element (up to 16 bytes), may give this offset.
fn wrapped(offset: i128) -> bool {
    const TURN: i128 = 1 << 32;
    const NEAR: i128 = 1 << 24;
    let behind = (TURN - offset % TURN) % TURN;
    offset >= i128::from(WRAPPED) && offset <= 16 * TURN && (1..=NEAR).contains(&behind)
}

/// The bits of a type whose least number, times the bytes of an access or of three of them (a pixel of three colours), is this offset.
fn overflowed(offset: i128, bytes: u64) -> Option<u32> {
    [16, 32].into_iter().find(|bits| {
        let least = -(i128::from(bytes) << (bits - 1));
        offset == least || offset == 3 * least
    })
}

/// Whether a buffer that the student allocated may have one byte per element: it ends before a number of several bytes.
fn counted_in_elements(name: &str, size: u64, offset: i128, bytes: u64) -> bool {
    let short = offset >= i128::from(size) || !size.is_multiple_of(bytes);
    name.starts_with("cudaMalloc") && short && (2..=8).contains(&bytes)
}

/// What to do about a kernel that was stopped for this reason.
fn trap_hint(reason: &str) -> &'static str {
    if reason.starts_with("assertion") {
        "the kernel's own `assert` stopped it: print the values that it compares"
    } else if reason.contains("recursion") {
        "check that every call leads to the case that ends the recursion; a GPU thread has a small stack, so a loop is better"
    } else {
        "check how the pointer was set: a function's address is valid only on the side (host or GPU) that took it"
    }
}

/// What makes an index negative that looks as if it could not be.
const UNSIGNED: &str = "work out the index for this thread: it is negative, or was negative in 32 bits. In `unsigned`, the type of `threadIdx` and \
                        `blockIdx`, 0 - 2 is 4,294,967,294, which passes a test such as `i >= 0`";

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::Atomic => "updates atomically",
    }
}

fn count_bytes(bytes: u64) -> String {
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn singular(count: u32) -> &'static str {
    if count == 1 { "s" } else { "" }
}
