//! The registers of one warp, as columns of 32 lanes.
//!
//! Three files: 32-bit (also 8- and 16-bit values), 64-bit, and predicates as lane masks. Immediates and
//! special registers are columns too, filled when the warp starts, so that an instruction never asks what
//! kind of operand it has.

use super::inst::Inst;

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;
/// All lanes.
pub(crate) const FULL: u32 = u32::MAX;

/// Each lane's bit of a mask. In a loop over all lanes, `mask & BIT[lane] != 0` becomes vector instructions;
/// shifting the mask does not.
pub(crate) const BIT: [u32; LANES] = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// The register file that holds a value of some type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// 8, 16 and 32 bits.
    R32,
    /// 64 bits.
    R64,
    /// One bit per lane.
    Pred,
}

/// The register files of one warp.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Regs {
    pub r32: Vec<[u32; LANES]>,
    pub r64: Vec<[u64; LANES]>,
    pub pred: Vec<u32>,
}

/// A type that a lane can hold.
pub(crate) trait Lane: Copy + Default {
    /// Its register file.
    const SLOT: Slot;
    /// All 32 lanes of a register.
    fn get(regs: &Regs, register: u16) -> [Self; LANES];
    /// Replaces the lanes in `mask`.
    fn put(regs: &mut Regs, register: u16, values: [Self; LANES], mask: u32);
    /// One lane of a register.
    fn get_one(regs: &Regs, register: u16, lane: usize) -> Self;
    /// Replaces one lane.
    fn put_one(regs: &mut Regs, register: u16, lane: usize, value: Self);
}

#[inline(always)]
pub(crate) fn blend<T: Copy>(column: &mut [T; LANES], values: &[T; LANES], mask: u32) {
    if mask == FULL {
        *column = *values;
    } else {
        for lane in 0..LANES {
            column[lane] = if mask & BIT[lane] != 0 { values[lane] } else { column[lane] };
        }
    }
}

macro_rules! lane {
    ($type:ty, $file:ident, $slot:ident, $word:ty, $from:expr, $to:expr) => {
        impl Lane for $type {
            const SLOT: Slot = Slot::$slot;

            #[inline(always)]
            fn get(regs: &Regs, register: u16) -> [Self; LANES] {
                let column = &regs.$file[register as usize];
                let mut out = [Self::default(); LANES];
                for lane in 0..LANES {
                    out[lane] = $from(column[lane]);
                }
                out
            }

            #[inline(always)]
            fn put(regs: &mut Regs, register: u16, values: [Self; LANES], mask: u32) {
                let mut words: [$word; LANES] = [0; LANES];
                for lane in 0..LANES {
                    words[lane] = $to(values[lane]);
                }
                blend(&mut regs.$file[register as usize], &words, mask);
            }

            #[inline(always)]
            fn get_one(regs: &Regs, register: u16, lane: usize) -> Self {
                $from(regs.$file[register as usize][lane])
            }

            #[inline(always)]
            fn put_one(regs: &mut Regs, register: u16, lane: usize, value: Self) {
                regs.$file[register as usize][lane] = $to(value);
            }
        }
    };
}

lane!(u32, r32, R32, u32, |word: u32| word, |value: u32| value);
lane!(i32, r32, R32, u32, |word: u32| word as i32, |value: i32| value as u32);
lane!(f32, r32, R32, u32, f32::from_bits, f32::to_bits);
lane!(u16, r32, R32, u32, |word: u32| word as u16, u32::from);
lane!(i16, r32, R32, u32, |word: u32| word as i16, |value: i16| u32::from(value as u16));
lane!(u8, r32, R32, u32, |word: u32| word as u8, u32::from);
// A signed byte result fills its 16-bit register, as `ld.s8` and `cvt.s8` do.
lane!(i8, r32, R32, u32, |word: u32| word as i8, |value: i8| i32::from(value) as u32);
lane!(half::f16, r32, R32, u32, |word: u32| half::f16::from_bits(word as u16), |value: half::f16| u32::from(
    value.to_bits()
));
lane!(half::bf16, r32, R32, u32, |word: u32| half::bf16::from_bits(word as u16), |value: half::bf16| {
    u32::from(value.to_bits())
});
lane!(u64, r64, R64, u64, |word: u64| word, |value: u64| value);
lane!(i64, r64, R64, u64, |word: u64| word as i64, |value: i64| value as u64);
lane!(f64, r64, R64, u64, f64::from_bits, f64::to_bits);

impl Lane for bool {
    const SLOT: Slot = Slot::Pred;

    #[inline(always)]
    fn get(regs: &Regs, register: u16) -> [Self; LANES] {
        let mask = regs.pred[register as usize];
        let mut out = [false; LANES];
        for (lane, value) in out.iter_mut().enumerate() {
            *value = mask & BIT[lane] != 0;
        }
        out
    }

    #[inline(always)]
    fn put(regs: &mut Regs, register: u16, values: [Self; LANES], mask: u32) {
        regs.put_bits(register, bits(&values), mask);
    }

    #[inline(always)]
    fn get_one(regs: &Regs, register: u16, lane: usize) -> Self {
        regs.pred[register as usize] & BIT[lane] != 0
    }

    #[inline(always)]
    fn put_one(regs: &mut Regs, register: u16, lane: usize, value: Self) {
        regs.put_bits(register, u32::from(value) << lane, BIT[lane]);
    }
}

/// Each lane's truth as a bit of a mask.
#[inline(always)]
fn bits(values: &[bool; LANES]) -> u32 {
    // Eight lanes at a time: bytes of 0 or 1, whose bits a multiplication gathers in the top byte.
    let mut bits = 0u32;
    for (group, lanes) in values.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(lanes.map(u8::from));
        bits |= ((bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * group);
    }
    bits
}

/// The lanes of a mask, rising.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let lane = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

impl Regs {
    /// Replaces a predicate's bits in `mask`.
    #[inline(always)]
    pub fn put_bits(&mut self, register: u16, bits: u32, mask: u32) {
        let old = &mut self.pred[register as usize];
        *old = *old & !mask | bits & mask;
    }

    /// `d = f(a)` in the lanes of `mask`. `f` runs on every lane, so it must not panic on any value.
    #[inline(always)]
    pub fn map1<A: Lane, D: Lane>(&mut self, inst: &Inst, mask: u32, f: impl Fn(A) -> D) {
        let a = A::get(self, inst.a);
        let mut out = [D::default(); LANES];
        for lane in 0..LANES {
            out[lane] = f(a[lane]);
        }
        D::put(self, inst.d, out, mask);
    }

    /// `d = f(a, b)`.
    #[inline(always)]
    pub fn map2<A: Lane, B: Lane, D: Lane>(&mut self, inst: &Inst, mask: u32, f: impl Fn(A, B) -> D) {
        let (a, b) = (A::get(self, inst.a), B::get(self, inst.b));
        let mut out = [D::default(); LANES];
        for lane in 0..LANES {
            out[lane] = f(a[lane], b[lane]);
        }
        D::put(self, inst.d, out, mask);
    }

    /// `d = f(a, b, c)`.
    #[inline(always)]
    pub fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        inst: &Inst,
        mask: u32,
        f: impl Fn(A, B, C) -> D,
    ) {
        let (a, b, c) = (A::get(self, inst.a), B::get(self, inst.b), C::get(self, inst.c));
        let mut out = [D::default(); LANES];
        for lane in 0..LANES {
            out[lane] = f(a[lane], b[lane], c[lane]);
        }
        D::put(self, inst.d, out, mask);
    }

    /// `d = f(a, b, c, e)`, for the few instructions of four inputs.
    #[inline(always)]
    pub fn map4<A: Lane, B: Lane, C: Lane, E: Lane, D: Lane>(
        &mut self,
        inst: &Inst,
        mask: u32,
        f: impl Fn(A, B, C, E) -> D,
    ) {
        let (a, b) = (A::get(self, inst.a), B::get(self, inst.b));
        let (c, e) = (C::get(self, inst.c), E::get(self, inst.e));
        let mut out = [D::default(); LANES];
        for lane in 0..LANES {
            out[lane] = f(a[lane], b[lane], c[lane], e[lane]);
        }
        D::put(self, inst.d, out, mask);
    }

    /// `d = f(a, b)`, fast where all lanes have the same `b`.
    #[inline(always)]
    pub fn alike2<A: Lane, B: Lane, D: Lane>(&mut self, inst: &Inst, mask: u32, f: fn(A, B) -> D) {
        match self.of_all_lanes(inst.b) {
            Some(b) => self.map1(inst, mask, |a| f(a, b)),
            None => self.each2(inst, mask, f),
        }
    }

    /// `d = f(a, b, c)`, fast where all lanes have the same `c`, faster where they have the same `b`, too.
    #[inline(always)]
    pub fn alike3<A: Lane, B: Lane, C: Lane, D: Lane>(
        &mut self,
        inst: &Inst,
        mask: u32,
        f: fn(A, B, C) -> D,
    ) {
        match (self.of_all_lanes(inst.b), self.of_all_lanes(inst.c)) {
            (Some(b), Some(c)) => self.map1(inst, mask, |a| f(a, b, c)),
            (None, Some(c)) => self.map2(inst, mask, |a, b| f(a, b, c)),
            (_, None) => self.each3(inst, mask, f),
        }
    }

    /// `d = f(a, b, c, e)`, fast where all lanes have the same `e`, faster where they have the same `c`, too.
    #[inline(always)]
    pub fn alike4<A: Lane, B: Lane, C: Lane, E: Lane, D: Lane>(
        &mut self,
        inst: &Inst,
        mask: u32,
        f: fn(A, B, C, E) -> D,
    ) {
        match (self.of_all_lanes(inst.c), self.of_all_lanes(inst.e)) {
            (Some(c), Some(e)) => self.map2(inst, mask, |a, b| f(a, b, c, e)),
            (None, Some(e)) => self.map3(inst, mask, |a, b, c| f(a, b, c, e)),
            (_, None) => self.each4(inst, mask, f),
        }
    }

    /// The value that all lanes of a 32-bit register have, if they have the same.
    #[inline(always)]
    fn of_all_lanes<T: Lane>(&self, register: u16) -> Option<T> {
        const { assert!(matches!(T::SLOT, Slot::R32), "only these lie in a column of words") };
        let column = &self.r32[register as usize];
        let first = column[0];
        let differ = column.iter().fold(0, |differ, word| differ | word ^ first);
        (differ == 0).then(|| T::get_one(self, register, 0))
    }

    /// The lanes in which `test(a, b)` holds.
    #[inline(always)]
    pub fn test<A: Lane, B: Lane>(&self, inst: &Inst, test: impl Fn(A, B) -> bool) -> u32 {
        let (a, b) = (A::get(self, inst.a), B::get(self, inst.b));
        let mut out = [false; LANES];
        for lane in 0..LANES {
            out[lane] = test(a[lane], b[lane]);
        }
        bits(&out)
    }

    /// `d = truth` in the lanes of `bits`, 0 in the others of `mask`.
    #[inline(never)]
    pub fn put_truth(&mut self, inst: &Inst, mask: u32, bits: u32, truth: u32) {
        let mut words = [0; LANES];
        for lane in 0..LANES {
            words[lane] = if bits & BIT[lane] != 0 { truth } else { 0 };
        }
        blend(&mut self.r32[inst.d as usize], &words, mask);
    }
}

/// [`Regs::map1`] and its like for rare instructions: one loop per combination of types, which calls `f` for one lane
/// after another. A kernel seldom executes them, and the compiler has only `f` to compile for each.
impl Regs {
    /// `d = f(a)`.
    #[inline(never)]
    pub fn each1<A: Lane, D: Lane>(&mut self, inst: &Inst, mask: u32, f: fn(A) -> D) {
        for lane in lanes(mask) {
            let value = f(A::get_one(self, inst.a, lane));
            D::put_one(self, inst.d, lane, value);
        }
    }

    /// `d = f(a, b)`.
    #[inline(never)]
    pub fn each2<A: Lane, B: Lane, D: Lane>(&mut self, inst: &Inst, mask: u32, f: fn(A, B) -> D) {
        for lane in lanes(mask) {
            let value = f(A::get_one(self, inst.a, lane), B::get_one(self, inst.b, lane));
            D::put_one(self, inst.d, lane, value);
        }
    }

    /// `d = f(a, b, c)`.
    #[inline(never)]
    pub fn each3<A: Lane, B: Lane, C: Lane, D: Lane>(&mut self, inst: &Inst, mask: u32, f: fn(A, B, C) -> D) {
        for lane in lanes(mask) {
            let (a, b) = (A::get_one(self, inst.a, lane), B::get_one(self, inst.b, lane));
            let value = f(a, b, C::get_one(self, inst.c, lane));
            D::put_one(self, inst.d, lane, value);
        }
    }

    /// `d = f(a, b, c, e)`.
    #[inline(never)]
    pub fn each4<A: Lane, B: Lane, C: Lane, E: Lane, D: Lane>(
        &mut self,
        inst: &Inst,
        mask: u32,
        f: fn(A, B, C, E) -> D,
    ) {
        for lane in lanes(mask) {
            let (a, b) = (A::get_one(self, inst.a, lane), B::get_one(self, inst.b, lane));
            let (c, e) = (C::get_one(self, inst.c, lane), E::get_one(self, inst.e, lane));
            let value = f(a, b, c, e);
            D::put_one(self, inst.d, lane, value);
        }
    }

    /// The lanes of `mask` in which `test(a, b)` holds.
    #[inline(never)]
    pub fn test_each<A: Lane, B: Lane>(&self, inst: &Inst, mask: u32, test: fn(A, B) -> bool) -> u32 {
        lanes(mask).fold(0, |bits, lane| {
            let holds = test(A::get_one(self, inst.a, lane), B::get_one(self, inst.b, lane));
            bits | u32::from(holds) << lane
        })
    }
}
