//! Ideas that make a kernel faster, and how to tell from what a kernel does now that it lacks one.

use crate::Part;

/// A part of the time is worth an idea if it is at least this multiple of the largest part.
const NEARLY: f64 = 0.8;
/// Where no idea is left for the largest part, one of at least this multiple of it counts.
const NEXT: f64 = 0.6;
/// Parts with a smaller share of the time than this are not worth an idea.
const WORTH: f64 = 0.1;

/// What all kernels of a task do, per pixel of the picture. Events of a warp count 32 times, so that they are those of threads.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Signs {
    /// Loads from global memory.
    pub loads: f64,
    /// Stores to global memory.
    pub stores: f64,
    /// Bytes that a thread loads or stores at a time.
    pub access_bytes: f64,
    /// Sectors that a request touches, as a multiple of the fewest that hold its bytes.
    pub scattered: f64,
    /// How often each sector that is stored to is stored to: 1 where all of it is stored at once.
    pub stores_a_sector: f64,
    /// Atomics on global memory.
    pub global_atomics: f64,
    /// Atomics on shared memory.
    pub shared_atomics: f64,
    /// Passes of shared memory for each request of an atomic: lanes that wait for each other at one bank or address.
    pub atomic_passes: f64,
    /// Loads and stores of shared memory.
    pub shared_accesses: f64,
    /// Bytes of shared memory of a block, the most of all launches.
    pub shared_bytes: f64,
    /// Passes of shared memory, as a multiple of what its loads and stores need without bank conflicts.
    pub conflicts: f64,
    /// Loads and stores of the threads' own memory: spills, and arrays with an index that is not a constant.
    pub local_accesses: f64,
    /// Instructions.
    pub instructions: f64,
    /// Of these, integer additions, minima and comparisons.
    pub additions: f64,
    /// Of these, integer multiplications and dot products.
    pub products: f64,
    /// Of these, operations on bits: masks, shifts, permutes of bytes.
    pub bits: f64,
    /// Of these, permutes of bytes (`__byte_perm`).
    pub permutes: f64,
    /// Dot products of bytes (`__dp4a`).
    pub dot_products: f64,
    /// Of these, branches.
    pub branches: f64,
    /// Conversions between integer and floating numbers.
    pub conversions: f64,
    /// Divisions: integer by a number that the compiler does not know, and floating.
    pub divisions: f64,
    /// Words that constant memory delivers one after the other.
    pub constant_words: f64,
    /// Shuffles and votes.
    pub shuffles: f64,
    /// Matches of lanes that have the same value.
    pub matches: f64,
    /// Barriers.
    pub barriers: f64,
    /// Copies from global to shared memory that run beside what follows.
    pub copies_ahead: f64,
    /// Pixels for each thread of the largest launch.
    pub pixels_per_thread: f64,
    /// Threads of a block of that launch.
    pub threads_per_block: f64,
    /// Kernels, fills and copies of one call.
    pub operations: f64,
    /// Kernels of one call.
    pub launches: f64,
    /// Of these, those with a single block.
    pub single_blocks: f64,
    /// Copies to the host of one call.
    pub downloads: f64,
    /// Bytes over the link between host and GPU.
    pub link_bytes: f64,
    /// Of these, those from or to ordinary (pageable) host memory.
    pub pageable_bytes: f64,
    /// Of these, those of managed memory.
    pub managed_bytes: f64,
    /// Streams in use.
    pub streams: f64,
    /// The share of the time in which the link is busy.
    pub link_share: f64,
    /// The share of the time that is spent on each [`Part`], at the part's place; zeros if it is not known.
    pub time: [f64; Part::ALL.len()],
}

impl Signs {
    /// Whether this part of the time limits the kernels: it is the largest, or nearly as large.
    pub fn limits(&self, part: Part) -> bool {
        let most = self.time.into_iter().fold(0.0, f64::max);
        self.time[part as usize] >= NEARLY * most
    }
}

/// An idea, in three stages: what to do, how to go about it, and a piece of the code.
#[derive(Debug, Clone, Copy)]
pub struct Idea {
    /// The number of the first rung of the ladder that has it.
    pub rung: u32,
    /// Its name, as a noun: `a histogram per block`.
    pub name: &'static str,
    /// Whether a kernel lacks it, by what it does now.
    pub lacks: fn(&Signs) -> bool,
    /// The parts of the time that it shortens: told only to a kernel that one of these limits.
    pub eases: &'static [Part],
    /// The idea, as an imperative without a full stop; `{instructions}` and the like stand for what the kernel does now.
    pub idea: &'static str,
    /// How to go about it.
    pub sketch: &'static str,
    /// A fragment of code, which does not compile by itself.
    pub code: &'static str,
}

impl Idea {
    /// The idea in words for a kernel that does this.
    pub fn told(&self, signs: &Signs) -> String {
        let Signs { instructions, additions, products, bits, branches, .. } = *signs;
        let block_pixels = (signs.pixels_per_thread * signs.threads_per_block).round() as u64;
        let thousands = |number: u64| match number {
            0..1000 => number.to_string(),
            _ => format!("{},{:03}", number / 1000, number % 1000),
        };
        let numbers = [
            ("{instructions}", instructions),
            ("{additions}", additions),
            ("{products}", products),
            ("{bits}", bits),
            ("{branches}", branches),
        ];
        let read_bytes = (signs.loads * signs.access_bytes).round() as u64;
        let text = self.idea.replace("{block_pixels}", &thousands(block_pixels));
        let text = text.replace("{read_bytes}", &thousands(read_bytes));
        numbers.iter().fold(text, |text, (name, number)| text.replace(name, &format!("{number:.1}")))
    }

    /// Whether it makes instructions fewer and nothing else.
    pub fn saves_instructions(&self) -> bool {
        self.eases == [Part::Instructions]
    }
}

/// The first of the ideas that a kernel lacks, of those that shorten what limits it. Where none is left for that, a part of the time that is
/// not much smaller counts; and any part where bytes limit, which have to move in every kernel.
pub fn next_idea(ideas: &'static [Idea], signs: &Signs) -> Option<&'static Idea> {
    let lacking = |limits: &dyn Fn(Part) -> bool| {
        let helps = |idea: &&Idea| idea.eases.iter().any(|part| limits(*part));
        ideas.iter().filter(helps).find(|idea| (idea.lacks)(signs))
    };
    let first = lacking(&|part| signs.limits(part));
    if first.is_some() {
        return first;
    }
    let share = |part: Part| signs.time[part as usize];
    let least = if signs.limits(Part::Bytes) {
        WORTH
    } else {
        WORTH.max(NEXT * signs.time.into_iter().fold(0.0, f64::max))
    };
    let mut others = Part::ALL.to_vec();
    others.retain(|part| !signs.limits(*part) && share(*part) >= least);
    others.sort_by(|one, other| share(*other).total_cmp(&share(*one)));
    others.into_iter().find_map(|wanted| lacking(&|part| part == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDEAS: &[Idea] = &[lacking(1, &[Part::Instructions]), lacking(2, &[Part::Waiting, Part::Bytes])];

    const fn lacking(rung: u32, eases: &'static [Part]) -> Idea {
        Idea { rung, name: "", lacks: |_| true, eases, idea: "", sketch: "", code: "" }
    }

    fn told(shares: &[(Part, f64)]) -> Option<u32> {
        told_of(IDEAS, shares)
    }

    fn told_of(ideas: &'static [Idea], shares: &[(Part, f64)]) -> Option<u32> {
        let mut signs = Signs::default();
        for (part, share) in shares {
            signs.time[*part as usize] = *share;
        }
        next_idea(ideas, &signs).map(|idea| idea.rung)
    }

    #[test]
    fn an_idea_has_the_numbers_of_the_kernel() {
        let idea = Idea { idea: "execute 27 instead of {instructions}, {bits} of them shift", ..IDEAS[0] };
        let signs = Signs { instructions: 33.46, bits: 13.15, ..Signs::default() };
        assert_eq!(idea.told(&signs), "execute 27 instead of 33.5, 13.2 of them shift");
        let idea = Idea { idea: "more pixels per block (now {block_pixels})", ..IDEAS[0] };
        let signs = Signs { pixels_per_thread: 16.0, threads_per_block: 256.0, ..Signs::default() };
        assert_eq!(idea.told(&signs), "more pixels per block (now 4,096)");
        assert!(idea.saves_instructions());
        assert!(!IDEAS[1].saves_instructions());
    }

    #[test]
    fn an_idea_that_does_not_shorten_what_limits_is_not_told() {
        assert_eq!(told(&[(Part::Instructions, 0.6), (Part::Waiting, 0.3)]), Some(1));
        assert_eq!(told(&[(Part::Instructions, 0.3), (Part::Waiting, 0.6)]), Some(2));
        assert_eq!(told(&[(Part::Instructions, 0.3), (Part::Atomics, 0.6)]), None);
        // Two parts that are nearly as large: the earlier idea.
        assert_eq!(told(&[(Part::Instructions, 0.45), (Part::Waiting, 0.5)]), Some(1));
        // None is left for the larger part.
        assert_eq!(told_of(&IDEAS[1..], &[(Part::Instructions, 0.42), (Part::Bytes, 0.33)]), Some(2));
        assert_eq!(told_of(&IDEAS[1..], &[(Part::Instructions, 0.6), (Part::Bytes, 0.3)]), None);
        // Bytes have to move: where no idea makes them fewer, the next part counts; not so for atomics.
        assert_eq!(told_of(&IDEAS[..1], &[(Part::Instructions, 0.2), (Part::Bytes, 0.7)]), Some(1));
        assert_eq!(told_of(&IDEAS[..1], &[(Part::Instructions, 0.05), (Part::Bytes, 0.9)]), None);
        assert_eq!(told_of(&IDEAS[..1], &[(Part::Instructions, 0.2), (Part::Atomics, 0.7)]), None);
        // Nothing is known of the time.
        assert_eq!(told(&[]), Some(1));
    }
}
