//! Findings: a fault or remark with its source line.

/// The family a finding belongs to. Stable: reports and the book refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The host function did something no host function may do.
    Host,
    /// An access outside an allocation, misaligned, or in the wrong address space.
    Memory,
    /// A value was used that nothing wrote.
    Initialisation,
    /// Two threads touch the same byte with nothing ordering them.
    Race,
    /// A barrier that not all its threads reach.
    Barrier,
    /// A launch that no GPU accepts, or that never ends.
    Launch,
    /// Correct, but slower than it has to be.
    Performance,
    /// Legal and probably not meant.
    Lint,
}

/// How bad it is. An error makes the case fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Works here, and may not elsewhere.
    Warning,
    /// Wrong.
    Error,
}

/// A place in a source file. Lines and columns count from 1; column 0 means unknown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file as the compiler was told its name.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// Another party to a finding: the conflicting store, the barrier where the rest waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where the party is.
    pub location: Location,
    /// Its action there, in a few words.
    pub text: String,
}

/// One thread of one launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadId {
    /// The kernel's name, demangled as far as the simulator knows it.
    pub kernel: String,
    /// `blockIdx`.
    pub block: [u32; 3],
    /// `threadIdx`.
    pub thread: [u32; 3],
}

/// One fault or remark. Grouped: the same defect at the same line appears once, with a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Stable code, such as `W0101`; the book has an entry for each.
    pub code: &'static str,
    /// Family.
    pub kind: Kind,
    /// How bad.
    pub severity: Severity,
    /// What happened, in a sentence a student understands.
    pub message: String,
    /// The student's line, where one is known.
    pub location: Option<Location>,
    /// Other lines that take part.
    pub labels: Vec<Label>,
    /// The first thread it happened to.
    pub thread: Option<ThreadId>,
    /// How many times it happened.
    pub count: u64,
    /// What to try next.
    pub hint: String,
}
