//! Ideas that make a kernel faster, and how to tell from what a kernel does now that it lacks one.

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
    /// Atomics on global memory.
    pub global_atomics: f64,
    /// Atomics on shared memory.
    pub shared_atomics: f64,
    /// Passes of shared memory for each request of an atomic: lanes that wait for each other at one bank or address.
    pub atomic_passes: f64,
    /// Loads and stores of shared memory.
    pub shared_accesses: f64,
    /// Passes of shared memory, as a multiple of what its loads and stores need without bank conflicts.
    pub conflicts: f64,
    /// Loads and stores of the threads' own memory: spills, and arrays with an index that is not a constant.
    pub local_accesses: f64,
    /// Instructions.
    pub instructions: f64,
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
    /// The idea, as an imperative without a full stop.
    pub idea: &'static str,
    /// How to go about it.
    pub sketch: &'static str,
    /// A fragment of code, which does not compile by itself.
    pub code: &'static str,
}

/// The first of the ideas that a kernel lacks.
pub fn next_idea(ideas: &'static [Idea], signs: &Signs) -> Option<&'static Idea> {
    ideas.iter().find(|idea| (idea.lacks)(signs))
}
