//! Elements of buffers that were never read or written, or by the wrong thread.

use lab::OutputShape;
use runtime::engine::{Touched, Toucher, Touches, Witness};

use super::threads::stranger;
use super::words::{in_words, launch_in_words, were};
use super::{Facts, LEFT_OUT, last_writer};
use crate::rounding::Output;

/// What to try if rows were written at another distance.
pub const PITCH: &str = "look at what the row is multiplied by in the index of the store: row y of a picture begins at y * width, or at 3 * y * width in one of three \
                     bytes per pixel, and nothing lies between two rows";

/// What to try if elements between others are left out.
pub const BETWEEN: &str = "other elements of the same array are read, and these never: work out by hand, for two threads, which elements each line reads, and find the line \
                       that should read these";

/// What to try if a kernel reads nothing of an array that it is given.
pub const NEVER_READ: &str = "follow thread 0 of block 0 of this small picture: which condition or loop keeps it from reading? A quotient of integers, such as pixels per \
                          thread, is 0 where there are fewer pixels than threads";

/// What to try if elements are left out while others are taken twice.
pub const OTHER_INDEX: &str = "some elements are taken more than once and others never: the index is at fault, not the number of threads. Work out, for one thread, \
                           which elements it should have, and which the index gives it";

/// What to try if a thread reads a pixel and does not store its result.
pub const NOT_STORED: &str = "this thread has the pixel: let it store the result";

/// What to try if nothing is stored.
pub const NO_STORE: &str = "follow thread 0 of block 0 line by line: which condition or `return` keeps it from the store? If a loop \
                         moves an index on, the index stays past the end: a test of it after the loop is never true";

/// What to try if a thread uses the element of another one.
pub const OWN_INDEX: &str = "compute the index that this thread should have, and compare: `blockIdx.x * blockDim.x + \
                         threadIdx.x` differs for every thread of the grid, and so does (x, y) in two dimensions";

/// Elements of an output that were not written, or by the wrong threads.
pub fn written(
    facts: &mut Facts,
    witness: &Witness,
    output: &Output<'_>,
    buffer: &Touched,
    size: (usize, usize),
) {
    let OutputShape { name, zeroed, row, .. } = *output.shape;
    let elements = elements(buffer, output.shape.element.size());
    let changed = |touches: &Touches| touches.writes > 0 || touches.readers[0].is_some();
    if !elements.iter().any(changed) {
        let kernels: Vec<String> = witness.launches.iter().map(launch_in_words).collect();
        let kernels = kernels.join(", then ");
        facts.tell(format!("{kernels} ran, and no thread stored anything to `{name}`"), NO_STORE);
        return;
    }
    if zeroed {
        return;
    }
    let never = indices(&elements, |touches| touches.writes == 0);
    if !never.is_empty() {
        facts.left_out(
            format!("{} never written", were(name, &never, elements.len())),
            witness,
            &never,
            size,
        );
    }
    if facts.hint == LEFT_OUT
        && row == size.0
        && let Some(seen) = read_for(witness, &elements, name, never[0], size)
    {
        facts.seen.push(seen);
        NOT_STORED.clone_into(&mut facts.hint);
    }
    let twice = stored_twice(&elements, output, !never.is_empty());
    let owner =
        (row == size.0).then(|| stranger(witness, &elements, size, |touches| touches.writers)).flatten();
    if let Some((thread, at, own)) = owner {
        let text = format!(
            "{} stored to `{name}[{at}]`; with one pixel per thread, it should store to `{name}[{own}]`",
            in_words(witness, thread)
        );
        facts.tell(text, OWN_INDEX);
    } else if let Some(at) = twice
        && let [Some(first), Some(second)] = elements[at].writers
        && first.launch == second.launch
    {
        let both = [first, second].map(|thread| in_words(witness, thread));
        let text = format!("`{name}[{at}]` was written by {}, and by {} too", both[0], both[1]);
        facts.tell(text, "let one thread store each element: find the index that both compute");
    }
    // Of a picture of one column, only a thread for each row tells rows from elements.
    let of_rows = |(thread, ..): &(Toucher, usize, usize)| {
        let launch = witness.launches.get(thread.launch as usize);
        launch.is_some_and(|launch| launch.grid[1] * launch.block[1] > 1)
    };
    if (row > 1 || owner.as_ref().is_some_and(of_rows))
        && let Some(seen) = pitch(name, &elements, row)
    {
        facts.seen.insert(0, seen);
        PITCH.clone_into(&mut facts.hint);
    }
}

/// A wrong element that two threads have stored. Threads that store a right value both do no harm; nor do they where all is written and what one thread
/// alone stores is wrong as well.
fn stored_twice(elements: &[Touches], output: &Output<'_>, is_left_out: bool) -> Option<usize> {
    let off = elements.iter().zip(output.off()).enumerate();
    let wrong: Vec<(usize, bool)> = off
        .filter(|(_, (_, off))| output.is_wrong(*off))
        .map(|(at, (touches, _))| (at, touches.writers[1].is_some()))
        .collect();
    let explains = is_left_out || wrong.iter().all(|(_, is_twice)| *is_twice);
    wrong.into_iter().find(|(_, is_twice)| explains && *is_twice).map(|(at, _)| at)
}

/// The distance of the rows that were written, where it is more than a row, as a sentence.
fn pitch(name: &str, elements: &[Touches], row: usize) -> Option<String> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in indices(elements, |touches| touches.writes > 0) {
        match runs.last_mut() {
            Some((first, length)) if at == *first + *length => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    let (last, before) = runs.split_last().filter(|(_, before)| before.len() > 1)?;
    let step = before[1].0 - before[0].0;
    let fits = runs.iter().enumerate().all(|(number, (first, _))| *first == number * step);
    let is_whole = |(_, length): &(usize, usize)| *length == row;
    let ends = is_whole(last) || last.0 + last.1 == elements.len() && last.1 < row;
    (fits && ends && before.iter().all(is_whole)).then(|| {
        let times = if row > 1 && step.is_multiple_of(row) {
            format!(" ({} rows)", step / row)
        } else {
            String::new()
        };
        format!(
            "`{name}` was written as if its rows began {step} elements apart{times}: a row has {row}, so that row y begins at y * {row}"
        )
    })
}

/// The thread that reads the input of a pixel, and no neighbours, whose output `name` nothing was stored to.
fn read_for(
    witness: &Witness,
    stored: &[Touches],
    name: &str,
    pixel: usize,
    (width, height): (usize, usize),
) -> Option<String> {
    let inputs = witness.buffers.iter().filter(|buffer| buffer.name != name);
    inputs.into_iter().find_map(|buffer| {
        let channels = buffer.bytes.len() / (width * height);
        // In a planar image the channels of a pixel lie apart.
        let whole = !buffer.name.starts_with("planar")
            && buffer.bytes.len() == channels * width * height
            && [1, 3].contains(&channels);
        let touches = buffer.bytes.get(channels * pixel).filter(|_| whole)?;
        // A kernel before it may have read the picture for something else.
        let stores = |reader: &Toucher| witness.launches.len() == reader.launch as usize + 1;
        let reader = touches.readers[0].filter(|reader| reader.line > 0 && stores(reader))?;
        let single = buffer.bytes.iter().all(|touches| touches.reads <= SEVERAL && touches.writes == 0);
        let same = |one: Toucher, other: Toucher| {
            (one.launch, one.block, one.thread) == (other.launch, other.block, other.thread)
        };
        // Where another thread stores what a thread reads, threads read neighbours.
        let neighbours =
            stored.iter().enumerate().filter(|(_, touches)| touches.writes > 0).any(|(at, touches)| {
                let mut readers = buffer.bytes[channels * at].readers.into_iter().flatten();
                readers.any(|one| {
                    stores(&one) && !touches.writers.into_iter().flatten().any(|other| same(one, other))
                })
            });
        let own = |touches: &Touches| {
            let last = touches.last.filter(|last| last.line > 0)?;
            let is_own =
                (last.launch, last.block, last.thread) == (reader.launch, reader.block, reader.thread);
            is_own.then_some(last.line)
        };
        let others = stored.iter().enumerate().find_map(|(at, touches)| Some((at, own(touches)?)));
        let others = others
            .map_or_else(String::new, |(at, line)| format!("; to `{name}[{at}]` it does, in line {line}"));
        (single && !neighbours).then(|| {
            format!(
                "{} reads this pixel in line {}, and stores nothing to `{name}[{pixel}]`{others}",
                in_words(witness, reader),
                reader.line
            )
        })
    })
}

/// Elements of an input that were not read, or by the wrong threads.
pub fn read(facts: &mut Facts, witness: &Witness, buffer: &Touched, size: (usize, usize)) {
    let name = &buffer.name;
    let elements = elements(buffer, 1);
    let never = indices(&elements, |touches| touches.reads == 0);
    if never.is_empty() {
        return;
    }
    // Without a single load, it may have been copied, or read as a texture.
    if never.len() == elements.len() {
        if let Some(kernel) = last_writer::given_to(witness, buffer) {
            facts.tell(format!("`{name}`, which `{kernel}` is given, was never read"), NEVER_READ);
        }
        return;
    }
    let seen = format!("{} never read", were(name, &never, elements.len()));
    // The thread of the only pixel has read the others.
    let is_end = never.last() == Some(&(elements.len() - 1)) && never[0] + never.len() == elements.len();
    if is_end && size != (1, 1) || elements.len() == size.0 * size.1 {
        facts.left_out(seen, witness, &never, size);
    } else {
        facts.tell(seen, BETWEEN);
    }
    if [LEFT_OUT, BETWEEN].contains(&facts.hint.as_str())
        && let Some(seen) = taken_twice(witness, name, &elements)
    {
        facts.seen.push(seen);
        OTHER_INDEX.clone_into(&mut facts.hint);
    }
    if elements.len() == size.0 * size.1
        && let Some((thread, at, own)) = stranger(witness, &elements, size, |touches| touches.readers)
    {
        let text = format!(
            "{} read `{name}[{at}]`; with one pixel per thread, it should read `{name}[{own}]`",
            in_words(witness, thread)
        );
        facts.tell(text, OWN_INDEX);
    }
}

/// Whether each element was read once.
pub fn read_once(buffer: &Touched) -> bool {
    buffer.bytes.iter().all(|touches| touches.reads == 1)
}

/// Loads of one element from which on threads use it for several pixels, as in a filter.
const SEVERAL: u32 = 3;

/// An element that is read twice where others are read once and others never: their number is right.
fn taken_twice(witness: &Witness, name: &str, elements: &[Touches]) -> Option<String> {
    let some = |reads: u32| elements.iter().any(|touches| touches.reads == reads);
    if elements.iter().any(|touches| touches.reads > SEVERAL) || !some(1) {
        return None;
    }
    let at = elements.iter().position(|touches| touches.reads > 1)?;
    let by: Vec<String> = elements[at]
        .readers
        .into_iter()
        .flatten()
        .map(|thread| match thread.line {
            0 => in_words(witness, thread),
            line => format!("{} in line {line}", in_words(witness, thread)),
        })
        .collect();
    let by = match by.as_slice() {
        [first, second] => format!("by {first}, and by {second}"),
        [only] => format!("{} times by {only}", elements[at].reads),
        _ => return None,
    };
    Some(format!("`{name}[{at}]` was read {by}"))
}

/// The touches of each element: those of its first byte.
pub fn elements(buffer: &Touched, size: usize) -> Vec<Touches> {
    buffer.bytes.iter().step_by(size).copied().collect()
}

/// Those of which this is true.
pub fn indices(elements: &[Touches], is: impl Fn(&Touches) -> bool) -> Vec<usize> {
    elements.iter().enumerate().filter(|(_, touches)| is(touches)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use lab::{Element, Tolerance};

    use super::*;

    #[test]
    fn the_distance_of_the_rows_that_were_written_is_told() {
        let told = |rows: usize, step: usize| {
            let mut elements = vec![Touches::default(); 30];
            for at in (0..rows).flat_map(|y| (0..3).map(move |x| y * step + x)).filter(|at| *at < 30) {
                elements[at].writes = 1;
            }
            pitch("out", &elements, 3)
        };
        let four = "`out` was written as if its rows began 4 elements apart: a row has 3, so that row y begins at y * 3";
        assert_eq!(told(10, 4).as_deref(), Some(four));
        let nine = "`out` was written as if its rows began 9 elements apart (3 rows): a row has 3, so that row y begins at y * 3";
        assert_eq!(told(10, 9).as_deref(), Some(nine));
        assert_eq!([told(10, 3), told(5, 3), told(2, 9), told(0, 9)], [None, None, None, None]);
    }

    #[test]
    fn two_stores_are_blamed_only_where_they_explain_all_wrong_elements() {
        let shape = OutputShape { name: "out", element: Element::U8, row: 4, zeroed: false };
        let thread = Some(Toucher { launch: 0, block: 0, thread: 0, line: 7 });
        let twice = |found: [u8; 4], is_left_out: bool| {
            let output =
                Output { shape: &shape, expected: &[9; 4], found: &found, tolerance: Tolerance::Exact };
            let mut elements = vec![Touches { writers: [thread, None], ..Touches::default() }; 4];
            elements[2].writers[1] = thread;
            stored_twice(&elements, &output, is_left_out)
        };
        assert_eq!(twice([9, 9, 0, 9], false), Some(2));
        assert_eq!(twice([9, 0, 0, 9], false), None, "another one is wrong, too");
        assert_eq!(twice([9, 0, 0, 9], true), Some(2), "what is left out may be here");
        assert_eq!(twice([9, 0, 9, 9], true), None, "a right value");
    }
}
