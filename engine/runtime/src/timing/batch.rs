//! A measurement has one call, or a batch of calls if one is too short to time alone; and so many runs of the yardstick.

use super::yardstick::{Yardstick, YardstickBytes};
use crate::engine::Engine;
use crate::job::Failure;

/// Calls shorter than this are batched, in seconds.
const SHORT: f64 = 50e-6;
/// The duration to reach with a batch, in seconds.
const BATCH: f64 = 200e-6;
/// Most calls of a batch.
const MOST_CALLS: usize = 64;
/// Most bytes of device memory for the buffers of a batch.
const MOST_BYTES: u64 = 4 << 30;

/// The number of calls in a batch, from the seconds of one call and the bytes of its buffers.
pub fn calls(seconds: f64, bytes: u64) -> usize {
    if seconds >= SHORT {
        return 1;
    }
    let wanted = (BATCH / seconds.max(1e-7)).ceil() as usize;
    let room = (MOST_BYTES / bytes.max(1)) as usize;
    wanted.min(MOST_CALLS).min(room).max(1)
}

/// The yardstick as it is timed.
pub struct Beside {
    sets: Vec<Yardstick>,
}

impl Beside {
    /// The same number of runs per measurement as the student's work has calls, so that both run under the same
    /// conditions.
    ///
    /// `over_link`: the bytes travel between host and GPU. Then there is one run, because all share the same locked
    /// memory.
    pub fn new(
        engine: &mut dyn Engine,
        fewest: YardstickBytes,
        over_link: bool,
        calls: usize,
    ) -> Result<Self, Failure> {
        let sets = (0..calls).map(|_| Yardstick::new(engine, fewest, over_link)).collect::<Result<_, _>>()?;
        Ok(Self { sets })
    }

    /// The yardstick without a student's work: the time of one run decides the number of runs per measurement.
    pub fn alone(engine: &mut dyn Engine, fewest: YardstickBytes) -> Result<Self, Failure> {
        let mut one = Self::new(engine, fewest, false, 1)?;
        one.run(engine)?;
        let seconds = one.run(engine)?;
        for _ in 1..calls(seconds, fewest.read + fewest.write) {
            one.sets.push(Yardstick::new(engine, fewest, false)?);
        }
        Ok(one)
    }

    /// Seconds of one run, from an empty L2.
    pub fn run(&mut self, engine: &mut dyn Engine) -> Result<f64, Failure> {
        engine.synchronize()?;
        engine.flush_before_next()?;
        engine.take_seconds();
        for set in &self.sets {
            set.issue(engine)?;
        }
        engine.synchronize()?;
        Ok(engine.take_seconds() / self.sets.len() as f64)
    }

    /// Frees the buffers.
    pub fn release(self, engine: &mut dyn Engine) -> Result<(), Failure> {
        self.sets.into_iter().try_for_each(|set| Ok(set.release(engine)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_calls_are_batched_and_memory_bounds_them() {
        assert_eq!(calls(1e-3, 1000), 1);
        assert_eq!(calls(SHORT, 1000), 1);
        assert_eq!(calls(40e-6, 1000), 5);
        assert_eq!(calls(1e-6, 1000), MOST_CALLS);
        assert_eq!(calls(1e-6, 3 << 30), 1);
        assert_eq!(calls(1e-6, 1 << 30), 4);
    }
}
