//! The parts that instructions play: where execution continues, which memory accesses they are, for which operation lanes meet.
//!
//! Every match lists all actions: a new one has to be given its part.

use super::inst::{AccessKind, Action, ReduceOp, ShuffleMode, VoteMode};

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
            Self::Compute(_)
            | Self::Checked(..)
            | Self::Load(_)
            | Self::Store(_)
            | Self::Atomic { .. }
            | Self::Texture(_)
            | Self::Surface(_)
            | Self::Branch { .. }
            | Self::BranchTable { .. }
            | Self::Call(_)
            | Self::Return
            | Self::Exit
            | Self::Barrier { .. }
            | Self::BarrierReduce { .. }
            | Self::GridBarrier
            | Self::Fence
            | Self::ActiveMask
            | Self::Clock { .. }
            | Self::IsSpace(_)
            | Self::ToGeneric { .. }
            | Self::FromGeneric { .. }
            | Self::Trap
            | Self::Nothing
            | Self::Asynchronous(_) => None,
        }
    }

    /// The kind of memory access, if it is one.
    pub fn access_kind(&self) -> Option<AccessKind> {
        match *self {
            Self::Load(_) | Self::Texture(_) => Some(AccessKind::Read),
            Self::Store(_) => Some(AccessKind::Write),
            Self::Surface(surface) => Some(if surface.store { AccessKind::Write } else { AccessKind::Read }),
            Self::Atomic { .. } => Some(AccessKind::Atomic),
            Self::Compute(_)
            | Self::Checked(..)
            | Self::Branch { .. }
            | Self::BranchTable { .. }
            | Self::Call(_)
            | Self::Return
            | Self::Exit
            | Self::Barrier { .. }
            | Self::BarrierReduce { .. }
            | Self::GridBarrier
            | Self::WarpBarrier
            | Self::Fence
            | Self::Shuffle { .. }
            | Self::Vote { .. }
            | Self::Match { .. }
            | Self::Reduce(_)
            | Self::Elect { .. }
            | Self::ActiveMask
            | Self::Clock { .. }
            | Self::IsSpace(_)
            | Self::ToGeneric { .. }
            | Self::FromGeneric { .. }
            | Self::Trap
            | Self::Nothing
            | Self::Asynchronous(_) => None,
        }
    }

    /// Where a thread goes that executes this; calls return.
    pub fn successor(&self) -> Successor {
        match *self {
            Self::Branch { target } => Successor::Jump(target),
            Self::BranchTable { first, count } => Successor::Table { first, count },
            Self::Return | Self::Exit | Self::Trap => Successor::End,
            Self::Compute(_)
            | Self::Checked(..)
            | Self::Load(_)
            | Self::Store(_)
            | Self::Atomic { .. }
            | Self::Texture(_)
            | Self::Surface(_)
            | Self::Call(_)
            | Self::Barrier { .. }
            | Self::BarrierReduce { .. }
            | Self::GridBarrier
            | Self::WarpBarrier
            | Self::Fence
            | Self::Shuffle { .. }
            | Self::Vote { .. }
            | Self::Match { .. }
            | Self::Reduce(_)
            | Self::Elect { .. }
            | Self::ActiveMask
            | Self::Clock { .. }
            | Self::IsSpace(_)
            | Self::ToGeneric { .. }
            | Self::FromGeneric { .. }
            | Self::Nothing
            | Self::Asynchronous(_) => Successor::Next,
        }
    }
}
