//! Pairs of files that have much of their own code in common.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::Print;
use super::{FEWEST, SHARE};
use crate::result::Pair;

/// Students from which on the class itself tells what everybody writes.
const CLASS: usize = 8;

/// A line of a file in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// Of neither kind below.
    Own,
    /// In the skeleton or a published solution.
    Known,
    /// In the other file too.
    Alike,
}

/// Two files side by side: the kind of each of their lines.
pub struct Compared {
    /// Lines of the first.
    pub a: Vec<Line>,
    /// Lines of the second.
    pub b: Vec<Line>,
}

/// The pairs of these files (name and text) that are alike, the most alike first.
pub fn pairs(files: &[(&str, &str)], published: &[String]) -> Vec<Pair> {
    let mut known = known(published);
    let prints: Vec<Print> = files.iter().map(|(_, text)| Print::new(text)).collect();
    let sets: Vec<BTreeSet<u64>> =
        prints.iter().map(|print| print.sequences.iter().copied().collect()).collect();
    let mut owners: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (index, set) in sets.iter().enumerate() {
        set.difference(&known).for_each(|sequence| owners.entry(*sequence).or_default().push(index));
    }
    if files.len() >= CLASS {
        known.extend(
            owners.iter().filter(|(_, who)| 2 * who.len() > files.len()).map(|(sequence, _)| *sequence),
        );
        owners.retain(|sequence, _| !known.contains(sequence));
    }
    let own: Vec<Vec<bool>> = prints.iter().map(|print| own(print, &known)).collect();
    let mut candidates = BTreeSet::new();
    for who in owners.values() {
        for (at, a) in who.iter().enumerate() {
            candidates.extend(who[at + 1..].iter().map(|b| (*a, *b)));
        }
    }
    let pair = |(a, b): (usize, usize)| {
        let size = |index: usize| own[index].iter().filter(|own| **own).count();
        let (smaller, other) = if size(a) <= size(b) { (a, b) } else { (b, a) };
        if size(smaller) < FEWEST {
            return None;
        }
        let alike =
            prints[smaller].covered(|sequence| sets[other].contains(&sequence) && !known.contains(&sequence));
        let tokens = alike.iter().zip(&own[smaller]).filter(|(alike, own)| **alike && **own).count();
        let share = tokens as f64 / size(smaller) as f64;
        let name = |index: usize| files[index].0.to_owned();
        (share >= SHARE).then(|| Pair { a: name(a), b: name(b), share, tokens })
    };
    let mut pairs: Vec<Pair> = candidates.into_iter().filter_map(pair).collect();
    pairs.sort_by(|one, other| {
        other.share.total_cmp(&one.share).then_with(|| (&one.a, &one.b).cmp(&(&other.a, &other.b)))
    });
    pairs
}

/// Which tokens are in no known sequence.
fn own(print: &Print, known: &BTreeSet<u64>) -> Vec<bool> {
    print.covered(|sequence| known.contains(&sequence)).into_iter().map(|known| !known).collect()
}

/// The lines of two files that are alike, and those that are published.
pub fn compare(a: &str, b: &str, published: &[String]) -> Compared {
    let known = known(published);
    let (first, second) = (Print::new(a), Print::new(b));
    let set = |print: &Print| -> BTreeSet<u64> { print.sequences.iter().copied().collect() };
    let common: BTreeSet<u64> = set(&first).intersection(&set(&second)).copied().collect();
    let lines = |text: &str, print: &Print| {
        let mut lines = vec![Line::Own; text.split('\n').count()];
        let own = own(print, &known);
        let alike = print.covered(|sequence| common.contains(&sequence) && !known.contains(&sequence));
        let mut seen = BTreeMap::new();
        for ((line, own), alike) in print.lines.iter().zip(own).zip(alike) {
            let (any_own, any_alike) = seen.entry(*line).or_insert((false, false));
            *any_own |= own;
            *any_alike |= own && alike;
        }
        for (line, (any_own, any_alike)) in seen {
            lines[line - 1] = match (any_alike, any_own) {
                (true, _) => Line::Alike,
                (false, true) => Line::Own,
                (false, false) => Line::Known,
            };
        }
        lines
    };
    Compared { a: lines(a, &first), b: lines(b, &second) }
}

fn known(published: &[String]) -> BTreeSet<u64> {
    published.iter().flat_map(|text| Print::new(text).sequences).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const SKELETON: &str = "void histogram(const uint8_t* gray, unsigned* counts, int n) { cudaMemset(counts, 0, 256 * sizeof(unsigned)); }\n";

    fn one(n: &str, i: &str) -> String {
        format!(
            "{SKELETON}__global__ void count(const uint8_t* g, unsigned* c, int {n}) {{\n  __shared__ unsigned own[256];\n  \
             for (int {i} = threadIdx.x; {i} < 256; {i} += blockDim.x) own[{i}] = 0;\n  __syncthreads();\n  \
             for (int {i} = blockIdx.x * blockDim.x + threadIdx.x; {i} < {n}; {i} += gridDim.x * blockDim.x)\n    \
             atomicAdd(&own[g[{i}]], 1);\n  __syncthreads();\n  if (own[threadIdx.x] > 0) atomicAdd(&c[threadIdx.x], own[threadIdx.x]);\n}}\n"
        )
    }

    const OTHER: &str = "__global__ void levels(const uint8_t* image, unsigned* bins, int size) {\n  unsigned mine = 0;\n  \
        const int level = blockIdx.x;\n  for (int at = threadIdx.x; at < size; at += blockDim.x) mine += image[at] == level;\n  \
        for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);\n  \
        if ((threadIdx.x & 31) == 0 && mine != 0) atomicAdd(bins + level, mine);\n}\n";

    #[test]
    fn a_renamed_copy_is_found_and_other_work_is_not() {
        let (a, b) = (one("n", "i"), one("size", "at"));
        let found = pairs(&[("ada", &a), ("bob", &b), ("eve", OTHER)], &[SKELETON.to_owned()]);
        let named: Vec<(&str, &str)> = found.iter().map(|pair| (pair.a.as_str(), pair.b.as_str())).collect();
        assert_eq!(named, [("ada", "bob")]);
        assert!(found[0].share > 0.99, "{}", found[0].share);
    }

    #[test]
    fn what_is_published_does_not_count() {
        let (a, b) = (one("n", "i"), one("size", "at"));
        assert_eq!(pairs(&[("ada", &a), ("bob", &b)], std::slice::from_ref(&a)), []);
    }

    #[test]
    fn lines_are_told_apart() {
        let (a, b) = (one("n", "i"), one("size", "at"));
        let compared = compare(&a, &b, &[SKELETON.to_owned()]);
        assert_eq!(compared.a[0], Line::Known);
        assert!(compared.a[3..7].iter().all(|line| *line == Line::Alike), "{:?}", compared.a);
        assert_eq!(compared.a, compared.b);
    }
}
