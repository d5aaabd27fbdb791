//! Which blocks of a large launch are watched: the last, the first, and neighbours at random places.

/// A number for a text: FNV-1a.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The next of a row of random numbers (`SplitMix64`).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Groups of neighbours besides the first and the last block.
const GROUPS: usize = 8;

/// The blocks to watch, each once. At each place a block, its right neighbour and the one below: halos overlap there.
pub(crate) fn blocks(grid: [u32; 3], seed: u64) -> impl Iterator<Item = u64> {
    let [x, y, z] = grid.map(u64::from);
    let count = x * y * z;
    let mut state = seed;
    let mut chosen = vec![count - 1];
    if count > 1 {
        chosen.push(0);
    }
    for _ in 0..GROUPS {
        let place = next(&mut state) % count;
        for block in [place, place + 1, place + x] {
            if block < count && !chosen.contains(&block) {
                chosen.push(block);
            }
        }
    }
    chosen.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_of_the_grid_and_each_once() {
        for (grid, seed) in [([1, 1, 1], 1), ([7, 3, 1], 2), ([65_535, 1000, 3], 3)] {
            let all = grid.map(u64::from).iter().product::<u64>();
            let mut chosen: Vec<u64> = blocks(grid, seed).collect();
            assert!(chosen.contains(&0) && chosen.contains(&(all - 1)));
            let before = chosen.len();
            chosen.sort_unstable();
            chosen.dedup();
            assert!(chosen.len() == before && chosen.iter().all(|&block| block < all));
        }
    }

    #[test]
    fn seeds_choose_other_blocks_and_always_the_same() {
        let of = |seed| blocks([1000, 1000, 1], seed).collect::<Vec<_>>();
        assert!(of(1) == of(1) && of(1) != of(2));
    }
}
