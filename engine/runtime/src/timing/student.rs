//! One measurement of the student's work: a call of the host function, or a batch of calls if one is too short to time alone.
//!
//! Each call of a batch has its own buffers, so that no call finds the data of another in the cache. Nothing that a call can
//! know tells it that it is not checked, because each one is: after the measurement, hashes of all outputs show which calls led
//! to the same bytes, and hashes of inputs and guard bands that nothing else was changed.

use kernels::digest;

use super::checked::{CallsSoFar, Seen};
use super::digest::Digests;
use super::pairs::{TimeRequest, Timed};
use super::patches;
use crate::engine::{DeviceRange, Engine};
use crate::finding::{Finding, merge};
use crate::job::{self, Called, Failure, Prepared, Program};
use crate::poison::Random;

/// The buffers of one call, and the patches of its inputs that are on.
struct Set<'a> {
    prepared: Prepared<'a>,
    on: u64,
    /// The places of its outputs and of what no call may change, among the hashed ranges.
    outputs: std::ops::Range<usize>,
    sealed: std::ops::Range<usize>,
    findings: Vec<Finding>,
}

/// The student's work as it is timed, and an engine whose kernels hash memory.
pub struct Student<'a> {
    program: &'a Program,
    request: &'a TimeRequest,
    sets: Vec<Set<'a>>,
    digests: Digests,
    random: Random,
    /// Of the hashes.
    key: u64,
    versions: Vec<u64>,
    calls: CallsSoFar,
    damage: Vec<Finding>,
}

impl<'a> Student<'a> {
    /// Starts with one call per measurement.
    pub fn new(
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
        program: &'a Program,
        request: &'a TimeRequest,
    ) -> Result<Self, Failure> {
        // Before any kernel has run.
        engine.restore_variables()?;
        let mut random = Random::secret();
        let versions = patches::versions(request.patches.len(), &mut random);
        let mut student = Self {
            program,
            request,
            sets: Vec::new(),
            digests: Digests::new(engine, beside, Vec::new())?,
            key: random.number(),
            random,
            versions,
            calls: CallsSoFar::default(),
            damage: Vec::new(),
        };
        student.batch(engine, beside, 1)?;
        Ok(student)
    }

    /// Prepares buffers for this many calls per measurement.
    pub fn batch(
        &mut self,
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
        calls: usize,
    ) -> Result<(), Failure> {
        while self.sets.len() < calls {
            let prepared = Prepared::new(engine, &self.request.job)?;
            self.sets.push(Set { prepared, on: 0, outputs: 0..0, sealed: 0..0, findings: Vec::new() });
        }
        let mut ranges: Vec<DeviceRange> = Vec::new();
        for set in &mut self.sets {
            let first = ranges.len();
            ranges.extend(set.prepared.output_ranges());
            set.outputs = first..ranges.len();
            let (sealed, findings): (Vec<DeviceRange>, Vec<Finding>) =
                set.prepared.sealed_ranges().into_iter().unzip();
            ranges.extend(sealed);
            (set.sealed, set.findings) = (set.outputs.end..ranges.len(), findings);
        }
        let digests = Digests::new(engine, beside, ranges)?;
        Ok(std::mem::replace(&mut self.digests, digests).release(beside)?)
    }

    /// Calls per measurement.
    pub fn calls(&self) -> usize {
        self.sets.len()
    }

    /// Calls the host function once on each version of the inputs, and at least twice; returns the seconds of each call. No state
    /// is reset in between, so that an answer kept from another version shows.
    pub fn try_versions(
        &mut self,
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
    ) -> Result<Vec<f64>, Failure> {
        let mut seconds = Vec::new();
        for index in 0..self.versions.len().max(2) {
            let version = self.versions[index % self.versions.len()];
            seconds.push(self.on_versions(engine, beside, &[version])?.0);
        }
        Ok(seconds)
    }

    /// Measures the seconds of one call: other inputs than before, poisoned outputs, an empty L2, buffers in random order. Also
    /// returns the last call of the batch.
    pub fn run(
        &mut self,
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
    ) -> Result<(f64, Called), Failure> {
        let mut next = |set: &Set<'_>| {
            let others: Vec<u64> =
                self.versions.iter().copied().filter(|version| *version != set.on).collect();
            match others.len() {
                0 => set.on,
                some => others[self.random.number() as usize % some],
            }
        };
        let versions: Vec<u64> = self.sets.iter().map(&mut next).collect();
        self.on_versions(engine, beside, &versions)
    }

    /// The same with variables as they were before any call: a kernel that has kept answers in them finds nothing.
    pub fn run_afresh(
        &mut self,
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
    ) -> Result<(f64, Called), Failure> {
        engine.restore_variables()?;
        self.run(engine, beside)
    }

    /// Runs without looking at the outputs: for runs whose operations are reordered.
    pub fn run_unchecked(&mut self, engine: &mut dyn Engine) -> Result<(), Failure> {
        let versions: Vec<u64> = self.sets.iter().map(|set| set.on).collect();
        self.prepare(engine, &versions)?;
        self.timed(engine).map(drop)
    }

    /// Whether further measurements would tell nothing: memory was damaged, or outputs differ from call to call.
    pub fn has_failed(&self) -> bool {
        !self.damage.is_empty() || self.calls.unchecked > 0
    }

    /// Moves what was found to `timed`; returns the outputs to compare.
    pub fn report(&mut self, timed: &mut Timed) -> Vec<Vec<u8>> {
        let CallsSoFar { kept, outputs, unchecked, .. } = std::mem::take(&mut self.calls);
        (timed.checked, timed.unchecked) = (kept, unchecked);
        timed.findings = std::mem::take(&mut self.damage);
        outputs
    }

    fn on_versions(
        &mut self,
        engine: &mut dyn Engine,
        beside: &mut dyn Engine,
        versions: &[u64],
    ) -> Result<(f64, Called), Failure> {
        self.prepare(engine, versions)?;
        let before = self.digests.take(engine, beside, self.key)?;
        let (seconds, called) = self.timed(engine)?;
        let after = self.digests.take(engine, beside, self.key)?;
        for (set, called) in self.sets.iter().zip(&called) {
            let changed = set.sealed.clone().zip(&set.findings);
            let changed = changed.filter(|(place, _)| before[*place] != after[*place]);
            let on_host = set.prepared.changed_on_host(&called.host_buffers);
            let faults = called.findings.iter().filter(|finding| finding.is_error()).cloned();
            for finding in changed.map(|(_, finding)| finding.clone()).chain(on_host).chain(faults) {
                merge(&mut self.damage, finding, None);
            }
            let on_host = set.prepared.host_outputs(&called.host_buffers);
            let hashes = after[set.outputs.clone()].iter().copied();
            let hashes = hashes.chain(on_host.iter().map(|bytes| digest(bytes, self.key))).collect();
            if let Seen::New(call) = self.calls.note(set.on, hashes) {
                self.calls.keep(call, set.prepared.outputs(engine, &called.host_buffers)?);
            }
        }
        let last = called.into_iter().next_back();
        Ok((seconds, last.ok_or_else(|| Failure::Broken("a batch of no calls".to_owned()))?))
    }

    /// Brings the sets to these versions, and overwrites their outputs.
    fn prepare(&mut self, engine: &mut dyn Engine, versions: &[u64]) -> Result<(), Failure> {
        let TimeRequest { job, patches, .. } = self.request;
        for (Set { prepared, on, .. }, version) in self.sets.iter_mut().zip(versions) {
            patches::switch(engine, prepared, job, patches, on, *version)?;
            prepared.poison_flat(engine, self.random.number() as u8)?;
        }
        Ok(())
    }

    /// The seconds of one call, and what each set's call led to.
    fn timed(&mut self, engine: &mut dyn Engine) -> Result<(f64, Vec<Called>), Failure> {
        engine.synchronize()?;
        engine.flush_before_next()?;
        engine.take_seconds();
        engine.take_apart()?;
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        self.random.shuffle(&mut order);
        let job = &self.request.job;
        // Gathered whether batched or not, so that equal work takes equal time.
        engine.gather(!self.request.over_link);
        let mut called = Vec::new();
        for set in order {
            let prepared = &self.sets[set].prepared;
            // Limits of instructions are those of one call.
            engine.take_work();
            called.push((set, job::call(engine, self.program, prepared, job.poison)?));
        }
        engine.gather(false);
        engine.synchronize()?;
        let seconds = engine.take_seconds() / called.len().max(1) as f64;
        called.sort_by_key(|(set, _)| *set);
        Ok((seconds, called.into_iter().map(|(_, called)| called).collect()))
    }

    /// Frees the buffers.
    pub fn release(self, engine: &mut dyn Engine, beside: &mut dyn Engine) -> Result<(), Failure> {
        self.digests.release(beside)?;
        self.sets.into_iter().try_for_each(|set| Ok(set.prepared.release(engine)?))
    }
}
