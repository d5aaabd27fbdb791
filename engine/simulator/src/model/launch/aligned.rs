//! Sectors of a launch where samples of a picture say little about them: where accesses begin within a sector.
//!
//! A picture that is cut in parts has its parts begin elsewhere within a sector at each height, as long as its rows are no multiple
//! of a sector. Then the accesses of one sample may touch a sector more each than those of another one, and that is no growth.

use super::kernel::Kernel;
use crate::model::counters::Counters;

/// How many sectors more an access touches at the most that begins elsewhere within one, and a little.
const ONE_MORE: f64 = 1.05;
/// A difference in sectors of an access that chance does not make.
const CLEAR: f64 = 1.1;

/// One way of accesses, loads or stores: their requests, their sectors, and counts that follow the sectors.
struct Way {
    requests: fn(&Counters) -> u64,
    sectors: fn(&Counters) -> u64,
    following: fn(&mut Counters) -> Vec<&mut u64>,
}

const WAYS: [Way; 2] = [
    Way {
        requests: |counters| counters.global_load_requests,
        sectors: |counters| counters.global_load_sectors,
        following: |counters| {
            let traffic = &mut counters.traffic;
            let first = traffic.first_by_request.iter_mut().chain(&mut traffic.first_by_round);
            let others = [
                &mut counters.global_load_sectors,
                &mut counters.missed_sectors,
                &mut traffic.distinct_missed_sectors,
            ];
            others.into_iter().chain(first).collect()
        },
    },
    Way {
        requests: |counters| counters.global_store_requests,
        sectors: |counters| counters.global_store_sectors,
        following: |counters| {
            let traffic = &mut counters.traffic;
            vec![&mut counters.global_store_sectors, &mut traffic.partial_sectors, &mut traffic.store_lines]
        },
    },
];

impl Way {
    /// Sectors of a request.
    fn each(&self, counters: &Counters) -> Option<f64> {
        let [requests, sectors] = [self.requests, self.sectors].map(|count| count(counters) as f64);
        (requests > 0.0).then(|| sectors / requests)
    }

    /// The sectors of a request that are more likely than the `predicted` ones, by those of a sample and of the whole's blocks that were
    /// tried. More than an access can touch for where it begins is not explained by it.
    fn likely(&self, predicted: &Counters, sample: &Counters, tried: &Counters) -> Option<f64> {
        let each = |counters| self.each(counters);
        let (predicted, sample, tried) = (each(predicted)?, each(sample)?, each(tried)?);
        let most = sample.max(tried);
        if CLEAR * predicted < tried && tried <= sample + ONE_MORE {
            Some(tried)
        } else {
            (predicted > CLEAR * most).then_some(most)
        }
    }
}

impl Kernel {
    /// Takes the sectors of this launch on the whole, as its samples predict them, to what each access of the larger `sample` or of the
    /// `tried` blocks touches, if that is clearly something else.
    pub fn align(&mut self, sample: &Counters, tried: &Counters) {
        for way in WAYS {
            let Some(each) = way.likely(&self.counters, sample, tried) else { continue };
            let share = each * (way.requests)(&self.counters) as f64 / (way.sectors)(sample) as f64;
            let mut own = sample.clone();
            for (count, sample) in
                (way.following)(&mut self.counters).into_iter().zip((way.following)(&mut own))
            {
                *count = (*sample as f64 * share).round() as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn stores(requests: u64, sectors: u64) -> Counters {
        let mut counters = Counters {
            global_store_requests: requests,
            global_store_sectors: sectors,
            ..Counters::default()
        };
        counters.traffic.store_lines = sectors / 2;
        counters
    }

    fn aligned(predicted: [u64; 2], sample: [u64; 2], tried: [u64; 2]) -> (u64, u64) {
        let of = |[requests, sectors]: [u64; 2]| stores(requests, sectors);
        let mut kernel = Kernel::of(of(predicted), 1, 32);
        kernel.align(&of(sample), &of(tried));
        (kernel.counters.global_store_sectors, kernel.counters.traffic.store_lines)
    }

    #[test]
    fn accesses_that_begin_elsewhere_in_a_sector_are_no_growth() {
        // A sample with aligned parts whose half had none, and the other way round; the parts of the whole are not aligned.
        assert_eq!(aligned([6000, 100], [100, 100], [20, 40]), (12_000, 6000));
        assert_eq!(aligned([6000, 20_000], [100, 200], [20, 40]), (12_000, 6000));
    }

    #[test]
    fn what_is_about_right_or_not_explained_stays() {
        assert_eq!(aligned([6000, 6100], [100, 100], [20, 20]), (6100, 3050), "chance");
        assert_eq!(aligned([6000, 6000], [100, 100], [20, 640]), (6000, 3000), "other work on the whole");
        assert_eq!(aligned([6000, 12_000], [100, 200], [20, 20]), (12_000, 6000), "the dearer of both");
    }
}
