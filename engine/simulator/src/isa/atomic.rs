//! The new value of an atomic's cell.

use super::half::atomic_sum;
use super::inst::{AtomicOp, AtomicType};
use super::nan::nan64;
use super::rounding::{canonical, flush};

/// The new value of an atomic's cell. `swap` is the third operand of a compare-and-swap, whose `value` is
/// the value it compares with. All words are zero-extended.
pub(crate) fn apply_atomic(op: AtomicOp, ty: AtomicType, old: u64, value: u64, swap: u64) -> u64 {
    let (old32, value32) = (old as u32, value as u32);
    match (op, ty) {
        (AtomicOp::Add, AtomicType::F32) => {
            u64::from(canonical(f32::from_bits(old32) + f32::from_bits(value32)).to_bits())
        }
        (AtomicOp::Add, AtomicType::F16 | AtomicType::F16x2) => u64::from(atomic_sum(old32, value32, false)),
        (AtomicOp::Add, AtomicType::Bf16 | AtomicType::Bf16x2) => u64::from(atomic_sum(old32, value32, true)),
        (AtomicOp::Add, AtomicType::F64) => {
            let (a, b) = (f64::from_bits(old), f64::from_bits(value));
            nan64([a, b], a + b).to_bits()
        }
        (AtomicOp::Add, AtomicType::U64 | AtomicType::S64) => old.wrapping_add(value),
        (AtomicOp::Add, _) => u64::from(old32.wrapping_add(value32)),
        (AtomicOp::Min, AtomicType::S32) => u64::from((old32 as i32).min(value32 as i32) as u32),
        (AtomicOp::Max, AtomicType::S32) => u64::from((old32 as i32).max(value32 as i32) as u32),
        (AtomicOp::Min, AtomicType::S64) => (old as i64).min(value as i64) as u64,
        (AtomicOp::Max, AtomicType::S64) => (old as i64).max(value as i64) as u64,
        (AtomicOp::Min, _) => old.min(value),
        (AtomicOp::Max, _) => old.max(value),
        (AtomicOp::And, _) => old & value,
        (AtomicOp::Or, _) => old | value,
        (AtomicOp::Xor, _) => old ^ value,
        // Counts up to `value`, then starts at 0.
        (AtomicOp::Inc, _) => u64::from(if old32 >= value32 { 0 } else { old32 + 1 }),
        // Counts down from `value`.
        (AtomicOp::Dec, _) => u64::from(if old32 == 0 || old32 > value32 { value32 } else { old32 - 1 }),
        (AtomicOp::Exch, _) => value,
        (AtomicOp::Cas, _) => {
            if old == value {
                swap
            } else {
                old
            }
        }
    }
}

/// `atom.add.f32` in global memory: subnormal numbers are zero before and after, whatever the compiler's options; in
/// shared memory they are kept (found by experiment: NVIDIA's developer forum, thread 31531).
pub(crate) fn add_flushing(old: u64, value: u64) -> u64 {
    let number = |word: u64| flush(f32::from_bits(word as u32));
    u64::from(flush(canonical(number(old) + number(value))).to_bits())
}
