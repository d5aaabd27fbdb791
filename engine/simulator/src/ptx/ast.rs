//! The syntax tree of a PTX module, as far as compilers emit it.

/// A whole PTX text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ast {
    /// `.version`, major and minor.
    pub version: (u32, u32),
    /// `.target`, such as `sm_90`.
    pub target: String,
    /// `.file` entries: number and path.
    pub files: Vec<(u32, String)>,
    /// Variables at module scope (`.global`, `.const`, `.shared`), in the order of the text.
    pub variables: Vec<Variable>,
    /// Kernels and functions, declared or defined. A definition replaces its earlier declaration.
    pub functions: Vec<Function>,
    /// Source positions that instructions refer to by index; entry 0 is unused and means "unknown".
    pub locations: Vec<SourceLocation>,
}

/// A `.loc`, unwound: where the instruction stands, and the chain of calls it was inlined through.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceLocation {
    /// Number of the `.file`.
    pub file: u32,
    /// Line, from 1 (0 where the compiler does not know).
    pub line: u32,
    /// Column, from 1 (0 if unknown).
    pub column: u32,
    /// The call this was inlined into, as an index into [`Ast::locations`]; 0 if none.
    pub inlined_at: u32,
}

/// State space of a variable or an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// `.global`
    Global,
    /// `.const`
    Const,
    /// `.shared` (also `.shared::cta`)
    Shared,
    /// `.local`
    Local,
    /// `.param`
    Param,
}

/// A scalar type as PTX writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are PTX's own")]
pub enum Type {
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    BF16,
    BF16x2,
    F32,
    F64,
    Pred,
    TexRef,
    SamplerRef,
    SurfRef,
}

/// A variable: at module scope, in a function's body, or a parameter.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the declaration")]
pub struct Variable {
    /// Where it lives.
    pub space: Space,
    /// Element type.
    pub ty: Type,
    /// Its name.
    pub name: String,
    /// Elements: 1 for a scalar, 0 for an array of open size (`extern __shared__ x[]`), product of all dimensions otherwise (times the vector width).
    pub elements: u64,
    /// Whether brackets were written.
    pub array: bool,
    /// Alignment in bytes: as declared, else the element's size.
    pub align: u32,
    /// Initial bytes, little endian, and the symbols whose addresses are filled in; empty if none.
    pub init: Vec<Init>,
    /// `.extern`
    pub external: bool,
    /// `.visible`, `.weak` or `.common`
    pub visible: bool,
    /// `.attribute(.managed)`: host and device share it.
    pub managed: bool,
}

/// One element of an initialiser.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// Literal bytes of one element, little endian, of the element's size.
    Bytes(Vec<u8>),
    /// The address of a symbol plus an offset (`generic(x)` too): eight bytes, also in an array of bytes,
    /// where PTX writes it as eight masks `0xFF(x)`, `0xFF00(x)`, ….
    Address {
        /// The symbol.
        symbol: String,
        /// Bytes past it.
        offset: i64,
        /// Whether `generic(…)` was written.
        generic: bool,
    },
}

/// A kernel (`.entry`) or function (`.func`).
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its (mangled) name.
    pub name: String,
    /// `.entry` rather than `.func`.
    pub entry: bool,
    /// `.extern`
    pub external: bool,
    /// Return parameters of a function.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub parameters: Vec<Variable>,
    /// `.maxntid` product, if given.
    pub max_threads: Option<u32>,
    /// `.reqnctapercluster`, if given: blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// `.reqntid`, if given.
    pub required_threads: Option<[u32; 3]>,
    /// Body, if this is a definition.
    pub body: Option<Body>,
    /// Line of the text, from 1.
    pub line: u32,
}

/// The body of a function. Scopes are flattened: the parser renames registers, variables, labels and tables
/// of inner `{ … }` scopes to `name@2` (2 numbers the scopes), so that each name is unique in the function.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Body {
    /// Registers, expanded (`%r<4>` gives `%r0` to `%r3`).
    pub registers: Vec<(String, Type)>,
    /// `.local`, `.shared` and call `.param` variables.
    pub variables: Vec<Variable>,
    /// Instructions in order.
    pub instructions: Vec<Instruction>,
    /// Label name → index of the instruction it stands before (may equal `instructions.len()`).
    pub labels: Vec<(String, usize)>,
    /// `.branchtargets` tables for `brx.idx`: name and labels.
    pub branch_targets: Vec<(String, Vec<String>)>,
    /// `.callprototype` labels for indirect calls: name, returns, parameters.
    pub prototypes: Vec<(String, Vec<Variable>, Vec<Variable>)>,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// `@%p` or `@!%p`: register name, and whether negated.
    pub guard: Option<(String, bool)>,
    /// First word, such as `ld`.
    pub opcode: String,
    /// The rest, in order, without dots: `["global", "nc", "v4", "u32"]`; `shared::cta` stays one word.
    pub modifiers: Vec<String>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// Line of the PTX text, from 1.
    pub line: u32,
    /// Index into [`Ast::locations`]; 0 if unknown.
    pub location: u32,
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A register, or a special register such as `%tid.x` or `WARP_SZ`.
    Register(String),
    /// `!%p`
    Negated(String),
    /// `%p|%q` of `setp`, `shfl`, `vote`; `_` where a half is dropped.
    Pair(String, String),
    /// An integer literal (the 64-bit pattern).
    Integer(i64),
    /// `0f…` or `0d…` as its bit pattern, and whether it was the 32-bit form.
    Float {
        /// IEEE bits; the low 32 for `0f`.
        bits: u64,
        /// Whether written as `0f`.
        single: bool,
    },
    /// A variable's, function's or label's name, perhaps with `+ offset`.
    Symbol {
        /// The name.
        name: String,
        /// Bytes past it.
        offset: i64,
    },
    /// `[base + offset]`.
    Address {
        /// A register, a symbol, or nothing (absolute).
        base: AddressBase,
        /// Bytes past it.
        offset: i64,
    },
    /// `[tex, {%f1, %f2}]` and the like.
    TextureAddress {
        /// Register or symbol of the texture or surface.
        texture: Box<Operand>,
        /// Register or symbol of the sampler, in the three-part form.
        sampler: Option<Box<Operand>>,
        /// Coordinates.
        coordinates: Vec<Operand>,
    },
    /// `{%r1, %r2}`
    Vector(Vec<Operand>),
    /// `(…)` of a call: return or argument list.
    List(Vec<Operand>),
    /// `_`
    Sink,
}

/// The base of an address.
#[derive(Debug, Clone, PartialEq)]
pub enum AddressBase {
    /// A register.
    Register(String),
    /// A variable or parameter.
    Symbol(String),
    /// Nothing: the offset is the address.
    Absolute,
}
