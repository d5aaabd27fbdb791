//! Addresses put into words: which array, which element.

use super::{Scene, Words, count_bytes};
use crate::finding::{Kind, ThreadId};
use crate::memory::Allocation;
use crate::names::readable;
use crate::ptx::ast::Space;

/// The name of a variable without the function it stands in.
fn short(mangled: &str) -> String {
    let name = readable(mangled);
    // Parameter lists in the middle of a name hold no `::` of interest.
    name.rsplit("::").next().unwrap_or(&name).to_owned()
}

/// Whether an access of so many bytes at this offset is one of an element of an array of this size.
fn is_whole(offset: u64, size: u64, bytes: u64) -> bool {
    size > 0 && bytes > 0 && offset.is_multiple_of(bytes) && size.is_multiple_of(bytes)
}

/// An access to an element that an array does not have.
fn past_elements(name: &str, offset: u64, size: u64, bytes: u64, verb: &str) -> String {
    let (index, elements, each) = (offset / bytes, size / bytes, count_bytes(bytes));
    format!("{verb} `{name}[{index}]`, but `{name}` has {elements} elements of {each}")
}

impl Scene<'_> {
    /// The array and element behind an address, as in `tile[12]`, for an access of so many bytes.
    pub(super) fn element(&self, space: Space, address: u64, bytes: u64) -> String {
        // With the size of a variable of the program.
        let (name, offset, size) = match space {
            Space::Shared => {
                let arrays = self.program.shared_arrays.iter().filter(|array| array.0 <= address);
                match arrays.max_by_key(|array| array.0) {
                    Some((start, size, name)) => (short(name), address - start, *size),
                    None => ("shared memory".to_owned(), address, 0),
                }
            }
            Space::Local => return "a local variable".to_owned(),
            _ => match self.memory.nearest(address) {
                Some(near) => {
                    let size = if near.variable { near.size } else { 0 };
                    (short(&near.name), address.saturating_sub(near.base), size)
                }
                None => ("global memory".to_owned(), address, 0),
            },
        };
        if offset == 0 && size == bytes && bytes > 0 {
            return format!("`{name}`");
        }
        // The element type is not in the PTX: an access of its natural size tells the index.
        if bytes > 0 && offset.is_multiple_of(bytes) {
            format!("`{name}[{}]`", offset / bytes)
        } else {
            format!("byte {offset} of `{name}`")
        }
    }

    /// The same in bytes, for accesses of different sizes: the elements of one are none of the other.
    pub(super) fn bytes_of(&self, space: Space, address: u64, bytes: u64) -> String {
        let byte = self.element(space, address, 1);
        // `bins[328]` of an array of bytes.
        let place = byte.strip_suffix("]`").and_then(|of| of.rsplit_once('['));
        let Some((name, first)) = place.and_then(|(name, at)| Some((name, at.parse::<u64>().ok()?))) else {
            return byte;
        };
        match bytes {
            0 | 1 => format!("byte {first} of {name}`"),
            _ => format!("bytes {first} to {} of {name}`", first + bytes - 1),
        }
    }

    /// The array behind an address.
    pub(super) fn array(&self, space: Space, address: u64) -> String {
        let element = self.element(space, address, 1);
        let name = element.trim_matches('`').split('[').next().unwrap_or_default();
        format!("`{name}`")
    }

    /// The arguments of the launch that point into an allocation or to its end: their numbers, from 1, and their offsets.
    fn arguments_into<'a>(&'a self, near: &'a Allocation) -> impl Iterator<Item = (usize, u64)> + 'a {
        let of_launch = (1..).zip(&self.program.parameters);
        of_launch.filter_map(|(number, parameter)| {
            let bytes = self.parameters.get(parameter.offset..parameter.offset + parameter.size)?;
            let offset = u64::from_le_bytes(bytes.try_into().ok()?).checked_sub(near.base)?;
            (offset <= near.size).then_some((number, offset))
        })
    }

    /// What to try where an access past an allocation goes through a pointer that begins there: nothing is left for it.
    pub(super) fn begins_at_the_end(&self, address: u64, near: &Allocation) -> Option<String> {
        let past = address >= near.base.saturating_add(near.size);
        let (number, _) = self.arguments_into(near).find(|(_, offset)| *offset == near.size && past)?;
        let name = short(&near.name);
        Some(format!(
            "argument {number} of the launch is a pointer to the end of `{name}`, where no byte of it is left. If `{name}` is to hold that array too, allocate \
             the bytes of both; else pass another pointer"
        ))
    }

    /// What to try where accesses to elements of different sizes overlap in an allocation into which several arguments point.
    pub(super) fn overlapping(&self, address: u64) -> Option<String> {
        let near = self.memory.nearest(address)?;
        let mut into: Vec<_> =
            self.arguments_into(near).filter(|(_, offset)| near.base + offset <= address).collect();
        into.sort_by_key(|(_, offset)| *offset);
        into.dedup_by_key(|(_, offset)| *offset);
        let [(first, from), .., (last, to)] = into.as_slice() else { return None };
        let name = short(&near.name);
        Some(format!(
            "arguments {first} and {last} of the launch point into `{name}`, to its bytes {from} and {to}, and elements of different sizes overlap. If these are two \
             arrays, let the second one begin behind the last byte of the first: `+` on a pointer counts elements of its type"
        ))
    }

    /// An access to shared memory that leaves its array, where on a GPU the next one lies.
    pub(super) fn between_arrays(&self, address: u64, bytes: u64, verb: &str) -> Words {
        let arrays = &self.program.shared_arrays;
        let before = arrays.iter().filter(|array| array.0 <= address).max_by_key(|array| array.0);
        let after = arrays.iter().filter(|array| array.0 > address).min_by_key(|array| array.0);
        // Whoever is nearer was meant.
        let past = before.map(|(start, size, _)| address.saturating_sub(start + size));
        let short_of = after.map(|(start, ..)| start - address);
        let (array, at) = match (before, after) {
            (_, Some(after)) if past.is_none_or(|past| short_of.is_some_and(|short| short < past)) => {
                (after, format!("{} before the beginning", count_bytes(after.0 - address)))
            }
            (Some(before), _) => (before, format!("at byte {}", address - before.0)),
            _ => return Words::new("W0106", Kind::Memory, format!("{verb} outside shared memory"), ""),
        };
        let name = short(&array.2);
        let what = if array.0 <= address && is_whole(address - array.0, array.1, bytes) {
            past_elements(&name, address - array.0, array.1, bytes, verb)
        } else {
            let size =
                if array.1 > 0 { format!(", which has {}", count_bytes(array.1)) } else { String::new() };
            format!("{verb} {} {at} of the shared array `{name}`{size}", count_bytes(bytes))
        };
        Words::new(
            "W0106",
            Kind::Memory,
            format!("{what}: on a GPU another array of the block lies there"),
            "check each index against the size of its own array: rows, columns and the halo",
        )
    }

    /// An access past all shared memory of the block. The last array is the one that was meant.
    pub(super) fn past_shared(&self, address: u64, bytes: u64, verb: &str) -> Words {
        let last =
            self.program.shared_arrays.iter().filter(|array| array.0 <= address).max_by_key(|array| array.0);
        if let Some((start, 0, name)) = last.filter(|_| bytes > 0) {
            return self.past_dynamic(&short(name), address - start, bytes, verb);
        }
        let whole = |(start, size, _): &&(u64, u64, String)| is_whole(address - start, *size, bytes);
        let message = if let Some((start, size, name)) = last.filter(whole) {
            past_elements(&short(name), address - start, *size, bytes, verb)
        } else {
            let gaps: u64 = self.program.red_zones.iter().map(|zone| zone.end - zone.start).sum();
            let (at, size) = (address.saturating_sub(gaps), count_bytes(self.shared_bytes as u64));
            format!(
                "{verb} {} at byte {at} of shared memory, of which the block has {size}",
                count_bytes(bytes)
            )
        };
        Words::new("W0106", Kind::Memory, message, "check the index against the array's size")
    }

    /// An access past the array `name` whose size the launch gives, at this offset in it.
    fn past_dynamic(&self, name: &str, offset: u64, bytes: u64, verb: &str) -> Words {
        let given = self.shared_bytes.saturating_sub(self.program.dynamic_shared_start()) as u64;
        let element = if offset.is_multiple_of(bytes) {
            format!("`{name}[{}]`", offset / bytes)
        } else {
            format!("byte {offset} of `{name}`")
        };
        let given_words = match given {
            0 => "no shared memory".to_owned(),
            _ if given.is_multiple_of(bytes) && bytes > 1 => {
                format!("{}: {} elements of {bytes}", count_bytes(given), given / bytes)
            }
            _ => count_bytes(given),
        };
        Words::new(
            "W0106",
            Kind::Memory,
            format!(
                "{verb} {element}, for which `{name}` needs at least {}, but the launch gives it {given_words}",
                count_bytes(offset + bytes)
            ),
            format!(
                "the third parameter of `<<<blocks, threads, bytes>>>` is the size of `{name}` in bytes, elements times `sizeof(element)`: \
                 find the largest index that any thread uses, and add 1"
            ),
        )
    }

    /// What kind of memory an address space is, in words.
    pub(super) fn memory_words(space: Space) -> &'static str {
        match space {
            Space::Shared => "shared memory",
            Space::Local => "a local variable",
            _ => "global memory",
        }
    }

    /// A thread of a block given by its number in the grid.
    pub(super) fn thread_of(&self, grid: [u32; 3], block: u64, warp: u32, lane: u32) -> Option<ThreadId> {
        let [x, y, _] = grid.map(u64::from);
        let index = [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32];
        self.thread(index, warp, lane)
    }
}

/// `(3, 0, 0)`, without trailing zeros that say nothing.
pub(super) fn coordinates([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (0, 0) => format!("{x}"),
        (_, 0) => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}
