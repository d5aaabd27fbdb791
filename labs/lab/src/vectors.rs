//! Loops compiled for the vectors of the CPU that runs them.
//!
//! A program for any x86-64 machine has vectors of 16 bytes, and cannot pick every third byte of one: colour to gray runs
//! five times as fast with the instructions that CPUs have had since 2013. So the parallel references are compiled
//! twice, and `pulp` chooses when they run. The sequential references are not: they are the plain loops that a
//! speedup is measured against. Results are the same either way.

/// Work that is worth compiling twice. [`Vectorised::run`] and all that it calls in a loop must be
/// `#[inline(always)]`, or they stay compiled for any machine.
pub trait Vectorised {
    /// Does the work. With `FUSED` the CPU multiplies and adds in one instruction (`mul_add`); without, that would
    /// be a call of a library function.
    fn run<const FUSED: bool>(self);
}

/// Runs `work` with the widest vectors that this CPU has.
pub fn widest(work: impl Vectorised) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = pulp::x86::V4::try_new() {
        return avx512.vectorize(Wide(work));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = pulp::x86::V3::try_new() {
        return avx2.vectorize(Wide(work));
    }
    work.run::<false>();
}

#[cfg(target_arch = "x86_64")]
struct Wide<V>(V);

#[cfg(target_arch = "x86_64")]
impl<V: Vectorised> pulp::NullaryFnOnce for Wide<V> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.run::<true>();
    }
}
