//! How long the GPU is kept busy while work that is to be timed is queued behind.
//!
//! The host takes two to four microseconds for a launch, and a small kernel takes the GPU less: behind a short fill the GPU would
//! soon wait for the host, and the time of a batch would be the host's.

/// Most fills, each of twice the size of the L2: more than a millisecond.
const MOST: u32 = 64;

/// How many fills come first. As many as have been found to be enough, so that clocks and caches meet the same each time.
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

    /// After all was queued: `begun` if the GPU had already come to it, and so may have waited for the host.
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
        // 160 µs of the host's.
        assert_eq!(after(64, 10), 8);
        // It stays, and it ends somewhere: who waits in the middle is never queued in time.
        assert_eq!([after(64, 3), after(64, 4), after(1 << 20, 100)], [8, 8, MOST]);
    }
}
