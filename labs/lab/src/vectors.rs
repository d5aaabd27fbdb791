//! Loops compiled for the vectors of the CPU that runs them.
//!
//! A program for any x86-64 machine has vectors of 16 bytes and no instruction to pick every third byte: colour to gray
//! runs five times as fast with the instructions that CPUs have had since 2013. The parallel references are therefore
//! compiled several times, and `pulp` chooses at run time. The sequential references are not: they are the plain loops
//! that a speedup is relative to. Results are the same in every version.

/// Work that is compiled once per vector width. [`Vectorised::run`] and every function that it calls in a loop must be
/// `#[inline(always)]`; otherwise they are compiled for any x86-64 machine.
pub trait Vectorised {
    /// Does the work. With `FUSED` the CPU multiplies and adds in one instruction (`mul_add`); without it, `mul_add`
    /// would call a library function.
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
