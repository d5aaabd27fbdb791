//! The parts that instructions play: where execution continues, which memory accesses they are, for which operation lanes meet.
//!
//! Every match lists all actions, alone or with [`actions`]: a new one has to be given its part.

use super::inst::{AccessKind, Action, ReduceOp, ShuffleMode, VoteMode};

/// A pattern for groups of actions, which together are all: `actions!(jumps | ends)`. A match that uses it instead of `_` does not
/// compile until a new action has been put into a group.
macro_rules! actions {
    // Values of one lane, in its registers alone.
    (registers) => {
        $crate::isa::Action::Compute(_)
            | $crate::isa::Action::Checked(..)
            | $crate::isa::Action::Clock { .. }
            | $crate::isa::Action::IsSpace(_)
            | $crate::isa::Action::ToGeneric { .. }
            | $crate::isa::Action::FromGeneric { .. }
    };
    // Memory.
    (accesses) => {
        $crate::isa::Action::Load(_)
            | $crate::isa::Action::Store(_)
            | $crate::isa::Action::Atomic { .. }
            | $crate::isa::Action::Texture(_)
            | $crate::isa::Action::Surface(_)
    };
    // Between the lanes of a warp.
    (warps) => {
        $crate::isa::Action::Shuffle { .. }
            | $crate::isa::Action::Vote { .. }
            | $crate::isa::Action::Match { .. }
            | $crate::isa::Action::Reduce(_)
            | $crate::isa::Action::Elect { .. }
            | $crate::isa::Action::ActiveMask
            | $crate::isa::Action::WarpBarrier
    };
    // Barriers of blocks and of the grid.
    (barriers) => {
        $crate::isa::Action::Barrier { .. }
            | $crate::isa::Action::BarrierReduce { .. }
            | $crate::isa::Action::GridBarrier
    };
    (jumps) => {
        $crate::isa::Action::Branch { .. } | $crate::isa::Action::BranchTable { .. } | $crate::isa::Action::Call(_)
    };
    // Of a function or a thread.
    (ends) => {
        $crate::isa::Action::Return | $crate::isa::Action::Exit | $crate::isa::Action::Trap
    };
    // What other instructions may have to wait for.
    (waits) => {
        $crate::isa::Action::Fence | $crate::isa::Action::Asynchronous(_) | $crate::isa::Action::Nothing
    };
    ($first:ident | $($others:ident)|+) => {
        $crate::isa::actions!($first) | $crate::isa::actions!($($others)|+)
    };
}
pub(crate) use actions;

/// An operation for which lanes of a warp meet, wherever they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    Shuffle { mode: ShuffleMode, predicate: Option<u16> },
    Vote { mode: VoteMode, negated: bool },
    Match { all: bool, wide: bool, predicate: Option<u16> },
    Reduce(ReduceOp),
    Elect { predicate: u16 },
    Barrier,
}

/// Where a thread goes from an instruction, within a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Successor {
    /// To the next instruction.
    Next,
    /// To this one.
    Jump(u32),
    /// To one of these in [`crate::decode::Program::branch_tables`].
    Table { first: u32, count: u32 },
    /// Nowhere: it returns or ends.
    End,
}

impl Action {
    /// The operation that lanes meet for, if this is one.
    pub fn meeting(&self) -> Option<Meeting> {
        match *self {
            Self::Shuffle { mode, predicate } => Some(Meeting::Shuffle { mode, predicate }),
            Self::Vote { mode, negated } => Some(Meeting::Vote { mode, negated }),
            Self::Match { all, wide, predicate } => Some(Meeting::Match { all, wide, predicate }),
            Self::Reduce(op) => Some(Meeting::Reduce(op)),
            Self::Elect { predicate } => Some(Meeting::Elect { predicate }),
            Self::WarpBarrier => Some(Meeting::Barrier),
            Self::ActiveMask | actions!(registers | accesses | barriers | jumps | ends | waits) => None,
        }
    }

    /// The kind of memory access, if it is one.
    pub fn access_kind(&self) -> Option<AccessKind> {
        match *self {
            Self::Load(_) | Self::Texture(_) => Some(AccessKind::Read),
            Self::Store(_) => Some(AccessKind::Write),
            Self::Surface(surface) => Some(if surface.store { AccessKind::Write } else { AccessKind::Read }),
            Self::Atomic { .. } => Some(AccessKind::Atomic),
            actions!(registers | warps | barriers | jumps | ends | waits) => None,
        }
    }

    /// Where a thread goes that executes this; calls return.
    pub fn successor(&self) -> Successor {
        match *self {
            Self::Branch { target } => Successor::Jump(target),
            Self::BranchTable { first, count } => Successor::Table { first, count },
            Self::Return | Self::Exit | Self::Trap => Successor::End,
            Self::Call(_) | actions!(registers | accesses | warps | barriers | waits) => Successor::Next,
        }
    }
}
