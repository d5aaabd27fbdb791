//! Puts the workers' private pages back into shared memory, if they are independent of each other.

use std::collections::HashMap;

use super::arena::Memory;
use super::page::{PAGE, Page, PageKind};
use super::view::Footprint;
use super::word::read_word;
use crate::isa::apply_atomic;

/// Two workers touched the same bytes: the launch has to run with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conflict;

/// Merges the workers' pages, or changes nothing.
pub(crate) fn merge(memory: &mut Memory, footprints: &[Footprint]) -> Result<(), Conflict> {
    check(footprints)?;
    for footprint in footprints {
        for (allocation, touched) in footprint.touched.iter().enumerate() {
            for (number, &page) in touched.table.iter().enumerate() {
                if page != 0 {
                    put_back(memory.data_mut(allocation), number * PAGE, &footprint.pages[page as usize - 1]);
                }
            }
        }
    }
    Ok(())
}

/// A line of which one worker wrote a byte may be read by no other; bytes that one stored may be stored by no
/// other; reductions of the same kind combine.
fn check(footprints: &[Footprint]) -> Result<(), Conflict> {
    if footprints.iter().any(|footprint| footprint.conflict) {
        return Err(Conflict);
    }
    if footprints.len() < 2 {
        return Ok(());
    }
    let mut writers: HashMap<(usize, usize), Vec<(usize, &Page)>> = HashMap::new();
    for (worker, footprint) in footprints.iter().enumerate() {
        for (allocation, touched) in footprint.touched.iter().enumerate() {
            for (number, &page) in touched.table.iter().enumerate() {
                if page != 0 {
                    let entry = writers.entry((allocation, number)).or_default();
                    entry.push((worker, &footprint.pages[page as usize - 1]));
                }
            }
        }
    }
    for (&(allocation, number), pages) in &writers {
        let clash = pages.iter().enumerate().any(|(index, (_, page))| {
            pages[index + 1..].iter().any(|(_, other)| page.kind != other.kind || both_stored(page, other))
        });
        let read_elsewhere = footprints.iter().enumerate().any(|(worker, footprint)| {
            let read = footprint.touched[allocation].read.get(number).copied().unwrap_or(0);
            pages.iter().any(|&(writer, page)| writer != worker && page.written_lines() & read != 0)
        });
        if clash || read_elsewhere {
            return Err(Conflict);
        }
    }
    Ok(())
}

fn both_stored(a: &Page, b: &Page) -> bool {
    a.kind == PageKind::Plain && a.written.iter().zip(&b.written).any(|(a, b)| a & b != 0)
}

fn put_back(data: &mut [u8], start: usize, page: &Page) {
    for (word, &bits) in page.written.iter().enumerate() {
        if bits == 0 {
            continue;
        }
        let first = word * 64;
        match page.kind {
            PageKind::Plain if bits == u64::MAX => {
                data[start + first..start + first + 64].copy_from_slice(&page.data[first..first + 64]);
            }
            PageKind::Plain => {
                for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
                    data[start + first + bit] = page.data[first + bit];
                }
            }
            PageKind::Reduction(op, ty) => {
                let width = ty.bytes();
                for cell in (0..64).step_by(width).filter(|cell| bits >> cell & 1 == 1) {
                    let contribution = read_word(&page.data[first + cell..first + cell + width]);
                    let target = &mut data[start + first + cell..start + first + cell + width];
                    let sum = apply_atomic(op, ty, read_word(target), contribution, 0);
                    target.copy_from_slice(&sum.to_le_bytes()[..width]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::isa::LANES;
    use crate::isa::{AtomicOp, AtomicType};
    use crate::memory::View;

    fn memory() -> (Memory, u64) {
        let mut memory = Memory::new(0x1_0000);
        let base = memory.alloc(10_000, "a").unwrap();
        memory.bytes_mut(base, 10_000).unwrap().fill(0);
        (memory, base)
    }

    fn store(view: &mut View<'_>, address: u64, value: u8) {
        let mut addresses = [0; LANES];
        addresses[0] = address;
        let located = view.locate(&addresses, 1, 1).unwrap();
        view.scatter::<1>(located, &addresses, 1, &[[value]; LANES]);
    }

    fn load(view: &mut View<'_>, address: u64) -> u8 {
        let addresses = [address; LANES];
        let located = view.locate(&addresses, 1, 1).unwrap();
        view.gather::<1>(located, &addresses, 1)[0][0]
    }

    #[test]
    fn neighbours_in_a_page_merge() {
        let (mut shared, base) = memory();
        let (mut a, mut b) = (View::new(&shared, false), View::new(&shared, false));
        store(&mut a, base + 5, 1);
        store(&mut b, base + 6, 2);
        assert_eq!(load(&mut a, base + 5), 1);
        let footprints = [a.finish(), b.finish()];
        merge(&mut shared, &footprints[..1]).unwrap();
        merge(&mut shared, &footprints[1..]).unwrap();
        assert_eq!(shared.bytes(base + 5, 2).unwrap(), [1, 2]);
    }

    #[test]
    fn the_same_byte_twice_is_a_conflict_and_changes_nothing() {
        let (mut shared, base) = memory();
        let (mut a, mut b) = (View::new(&shared, false), View::new(&shared, false));
        store(&mut a, base + 5, 1);
        store(&mut b, base + 5, 1);
        let footprints = [a.finish(), b.finish()];
        assert_eq!(merge(&mut shared, &footprints), Err(Conflict));
        assert_eq!(shared.bytes(base + 5, 1).unwrap(), [0]);
    }

    #[test]
    fn reading_what_another_wrote_is_a_conflict() {
        let (mut shared, base) = memory();
        let (mut a, mut b) = (View::new(&shared, false), View::new(&shared, false));
        store(&mut a, base + 5, 1);
        assert_eq!(load(&mut b, base + 7), 0);
        let footprints = [a.finish(), b.finish()];
        assert_eq!(merge(&mut shared, &footprints), Err(Conflict));
    }

    #[test]
    fn lines_in_a_page_are_read_apart() {
        let conflicts = |from: u64, to: u64, other: u64| {
            let (mut shared, base) = memory();
            let (mut a, mut b) = (View::new(&shared, false), View::new(&shared, false));
            store(&mut a, base + other, 1);
            let mut addresses = [base + from; LANES];
            addresses[31] = base + to;
            let located = b.locate(&addresses, crate::isa::FULL, 1).unwrap();
            b.gather::<1>(located, &addresses, crate::isa::FULL);
            let footprints = [a.finish(), b.finish()];
            merge(&mut shared, &footprints).is_err()
        };
        // Within a page, over the border of two, and further apart, lane by lane.
        for (from, to) in [(128, 128), (64, 191), (4095, 4096), (4000, 4200), (127, 9000)] {
            let (first, last) = (from / 64 * 64, to / 64 * 64 + 63);
            assert!(conflicts(from, to, first) && conflicts(from, to, last), "{from} {to}");
            assert!(!conflicts(from, to, first - 1) && !conflicts(from, to, last + 1), "{from} {to}");
        }
        assert!(conflicts(64, 191, 130) && !conflicts(127, 9000, 5000));
    }

    #[test]
    fn reductions_combine() {
        let (mut shared, base) = memory();
        let (mut a, mut b) = (View::new(&shared, false), View::new(&shared, false));
        for (view, value) in [(&mut a, 3), (&mut b, 4)] {
            let located = view.locate(&[base + 8; LANES], 1, 4).unwrap();
            view.contribute(located, base + 8, 4, (AtomicOp::Add, AtomicType::U32), |old| old + value);
        }
        let footprints = [a.finish(), b.finish()];
        merge(&mut shared, &footprints).unwrap();
        assert_eq!(shared.bytes(base + 8, 4).unwrap(), [7, 0, 0, 0]);
    }
}
