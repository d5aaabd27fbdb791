//! How long the GPU is kept busy while timed work is queued.
//!
//! The host takes two to four microseconds per launch, and a small kernel takes less on the GPU. After a short fill the
//! GPU would soon wait for the host, and the measured time of a batch would be the host's.

/// Most fills, each of twice the size of the L2: more than a millisecond.
const MOST: u32 = 64;

/// The number of fills before a measurement. It only grows, so that clocks and caches are in the same state each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ahead(u32);

impl Default for Ahead {
    fn default() -> Self {
        Self(1)
    }
}

impl Ahead {
    /// Fills before the next measurement.
    pub(super) fn fills(self) -> u32 {
        self.0
    }

    /// Doubles the number if the GPU had `begun` before everything was queued: it may have waited for the host.
    pub(super) fn learn(&mut self, begun: bool) {
        if begun {
            self.0 = (2 * self.0).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Microseconds of a fill, and of the host for a launch.
    const FILL: f64 = 25.0;
    const LAUNCH: f64 = 2.5;

    fn after(launches: u32, runs: u32) -> u32 {
        let mut ahead = Ahead::default();
        for _ in 0..runs {
            let host = f64::from(launches) * LAUNCH;
            ahead.learn(f64::from(ahead.fills()) * FILL < host);
        }
        ahead.fills()
    }

    #[test]
    fn a_batch_of_many_launches_gets_as_much_time_as_the_host_needs() {
        assert_eq!(after(1, 10), 1);
        // The host takes 160 µs.
        assert_eq!(after(64, 10), 8);
        // The number stays, and it has a bound: a call that waits in its middle is never queued in time.
        assert_eq!([after(64, 3), after(64, 4), after(1 << 20, 100)], [8, 8, MOST]);
    }
}
