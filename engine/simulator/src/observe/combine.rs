//! Several observers as one: a pair forwards to both, an `Option` to what it holds, if anything.

use std::ops::Range;

use super::{Observer, Place, Request};
use crate::decode::{Copy, FunctionRange, Inst};
use crate::exec::Warp;

/// Two observers.
#[derive(Debug, Default)]
pub(crate) struct Both<A, B>(pub A, pub B);

macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[inline(always)]
        fn $name(&mut self, $($argument: $type),*) {
            self.0.$name($($argument),*);
            self.1.$name($($argument),*);
        }
    )*};
}

macro_rules! forward_if_there {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[inline(always)]
        fn $name(&mut self, $($argument: $type),*) {
            if let Some(observer) = self {
                observer.$name($($argument),*);
            }
        }
    )*};
}

macro_rules! calls {
    ($forward:ident) => {
        $forward! {
            issue(pc: u32, mask: u32);
            access(pc: u32, request: &Request<'_>, place: &Place<'_>);
            landed(pc: u32, request: &Request<'_>, place: &Place<'_>);
            texels(pc: u32, request: &Request<'_>, fresh: u32, place: &Place<'_>);
            block(number: u64);
            turn(warp: &Warp);
            compute(warp: &Warp, inst: &Inst, pc: u32, mask: u32, active: u32);
            step(warp: &Warp, inst: &Inst, pc: u32, mask: u32, active: u32);
            fence(warp: &Warp, mask: u32, wide: bool);
            converge(warp: &Warp, inst: &Inst, pc: u32, ready: u32);
            copy_local(warp: &Warp, copies: &[Copy], mask: u32);
            enter(warp: &Warp, function: &FunctionRange, frame: &Range<u32>, mask: u32);
            leave(warp: &Warp, function: &FunctionRange, mask: u32);
            forget(warp: &Warp, locals: &Range<u32>, mask: u32);
            external(warp: &Warp, result: Option<(u32, u32)>, mask: u32);
            arrive(id: u32, warp: u32);
            park(number: u64);
            resume(number: u64);
            grid_barrier();
        }
    };
}

impl<A: Observer, B: Observer> Observer for Both<A, B> {
    const REGISTERS: bool = A::REGISTERS || B::REGISTERS;
    const MEMORY: bool = A::MEMORY || B::MEMORY;
    const OUTLIVES_FAULTS: bool = A::OUTLIVES_FAULTS || B::OUTLIVES_FAULTS;

    calls!(forward);

    fn release(&mut self, id: u32, waiting: &mut dyn Iterator<Item = u32>, everyone: bool) {
        let waiting: Vec<u32> = waiting.collect();
        self.0.release(id, &mut waiting.iter().copied(), everyone);
        self.1.release(id, &mut waiting.iter().copied(), everyone);
    }

    fn in_doubt(&self) -> bool {
        self.0.in_doubt() || self.1.in_doubt()
    }

    fn absorb(&mut self, other: Self) {
        self.0.absorb(other.0);
        self.1.absorb(other.1);
    }
}

impl<O: Observer> Observer for Option<O> {
    const REGISTERS: bool = O::REGISTERS;
    const MEMORY: bool = O::MEMORY;
    const OUTLIVES_FAULTS: bool = O::OUTLIVES_FAULTS;

    calls!(forward_if_there);

    fn release(&mut self, id: u32, waiting: &mut dyn Iterator<Item = u32>, everyone: bool) {
        if let Some(observer) = self {
            observer.release(id, waiting, everyone);
        }
    }

    fn in_doubt(&self) -> bool {
        self.as_ref().is_some_and(O::in_doubt)
    }

    fn absorb(&mut self, other: Self) {
        if let (Some(mine), Some(theirs)) = (self, other) {
            mine.absorb(theirs);
        }
    }
}
