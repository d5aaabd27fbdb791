//! One measurement: a call of the host function, or several in a row where one is too short to time alone.
//!
//! Each call of a batch has buffers of its own, so that none finds in the cache what another left there.

use super::patches;
use super::{TimeRequest, Yardstick, YardstickBytes};
use crate::engine::Engine;
use crate::job::{self, Called, Failure, Prepared, Program};
use crate::poison::Random;

/// Calls shorter than this are batched, in seconds.
const SHORT: f64 = 50e-6;
/// What a batch of them should last, in seconds.
const BATCH: f64 = 200e-6;
/// Most calls of a batch.
const MOST_CALLS: usize = 64;
/// Most bytes of device memory that the buffers of a batch take.
const MOST_BYTES: u64 = 4 << 30;

/// How many calls make a batch, given what one takes and the bytes of its buffers.
pub fn calls(seconds: f64, bytes: u64) -> usize {
    if seconds >= SHORT {
        return 1;
    }
    let wanted = (BATCH / seconds.max(1e-7)).ceil() as usize;
    let room = (MOST_BYTES / bytes.max(1)) as usize;
    wanted.min(MOST_CALLS).min(room).max(1)
}

/// Buffers of one call, and which patches of its inputs are on.
struct Set<'a> {
    prepared: Prepared<'a>,
    on: u64,
}

/// The student's work as it is timed.
pub struct Student<'a> {
    program: &'a Program,
    request: &'a TimeRequest,
    sets: Vec<Set<'a>>,
}

impl<'a> Student<'a> {
    /// One call a measurement, for now.
    pub fn new(
        engine: &mut dyn Engine,
        program: &'a Program,
        request: &'a TimeRequest,
    ) -> Result<Self, Failure> {
        let first = Set { prepared: Prepared::new(engine, &request.job)?, on: 0 };
        Ok(Self { program, request, sets: vec![first] })
    }

    /// Prepares buffers for this many calls a measurement.
    pub fn batch(&mut self, engine: &mut dyn Engine, calls: usize) -> Result<(), Failure> {
        while self.sets.len() < calls {
            self.sets.push(Set { prepared: Prepared::new(engine, &self.request.job)?, on: 0 });
        }
        Ok(())
    }

    /// Calls a measurement.
    pub fn calls(&self) -> usize {
        self.sets.len()
    }

    /// Which patches are on in the buffers whose outputs [`Self::outputs`] reads.
    pub fn on(&self) -> u64 {
        self.sets[0].on
    }

    /// Seconds of one call: new inputs, poisoned outputs, an empty L2. The first call of the batch comes too.
    pub fn run(&mut self, engine: &mut dyn Engine, random: &mut Random) -> Result<(f64, Called), Failure> {
        for Set { prepared, on } in &mut self.sets {
            patches::switch(engine, prepared, self.request, on, random)?;
            prepared.poison_flat(engine, random.number() as u8)?;
        }
        engine.synchronize()?;
        engine.flush_before_next()?;
        engine.take_seconds();
        engine.take_apart()?;
        let job = &self.request.job;
        // Calls of the same work take the same time, whether they are long enough to be timed alone or not.
        engine.gather(!self.request.over_link);
        let mut first = None;
        for set in &self.sets {
            let called = job::call(engine, self.program, job, &set.prepared, job.poison)?;
            first.get_or_insert(called);
        }
        engine.gather(false);
        engine.synchronize()?;
        let called = first.ok_or_else(|| Failure::Broken("a batch of no calls".to_owned()))?;
        Ok((engine.take_seconds() / self.sets.len() as f64, called))
    }

    /// The outputs of the first call of the last batch.
    pub fn outputs(&self, engine: &mut dyn Engine, called: &Called) -> Result<Vec<Vec<u8>>, Failure> {
        Ok(self.sets[0].prepared.outputs(engine, &called.host_buffers)?)
    }

    /// Frees the buffers.
    pub fn release(self, engine: &mut dyn Engine) -> Result<(), Failure> {
        self.sets.into_iter().try_for_each(|set| Ok(set.prepared.release(engine)?))
    }
}

/// The yardstick as it is timed.
pub struct Beside {
    sets: Vec<Yardstick>,
}

impl Beside {
    /// As many runs a measurement as the student's work has calls, so that both have the same lie before and behind them.
    ///
    /// `over_link`: the bytes travel between host and GPU; never batched, because all use the same locked memory.
    pub fn new(
        engine: &mut dyn Engine,
        fewest: YardstickBytes,
        over_link: bool,
        calls: usize,
    ) -> Result<Self, Failure> {
        let sets = (0..calls).map(|_| Yardstick::new(engine, fewest, over_link)).collect::<Result<_, _>>()?;
        Ok(Self { sets })
    }

    /// Beside nothing: one run a measurement, or several, decided by what one takes.
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
