//! What the text of a file says of a wrong output that was watched: the line or the number that is likely at fault.

use super::{
    Facts, LEFT_OUT, TILE, added, by_level, carried, columns, covered, cut, divided, empty_if, located,
    loose, narrow, parts, per_level, quotient, read_twice, rounded, stages, window,
};
use crate::build::channels::{HINT as CHANNELS, told as channels};
use crate::build::code::line_of;
use crate::build::host::{SYMBOL, symbol};
use crate::build::kept::{HINT as KEPT, told as kept};
use crate::build::{
    arguments, atomics, block, bytes, copies, host, launches, numbering, of_all_blocks, reached, slips,
    steps, strides, unlaunched, unset,
};
use crate::counted::{IN_A_SMALL_TYPE, LOST};
use crate::rounding;
use crate::tunable::of_task;

/// What to try if an array of the block has an index of the grid.
const OF_ALL_BLOCKS: &str = "an array of the block needs an index that begins with 0 in each block; an array of the GPU, one of the whole grid";

/// Facts beside a line that is at fault.
const MOST: usize = 4;

impl Facts {
    /// Puts first what this source says: sums without a first value, elements of GPU memory that the host uses, quotients of integers
    /// that are 0. If neither it nor what was seen points to anything, tells what the host computes for the kernels of `task`. `again`: only
    /// calls after the first are wrong; `is_large`: only large pictures are;
    /// `few`: most values are right.
    #[must_use]
    pub fn with_source(
        mut self,
        source: &str,
        task: &str,
        [is_named, again, is_large, few]: [bool; 4],
    ) -> Self {
        let other_kernel =
            unlaunched::other_kernel(source, task).map(|other| (other.told(), unlaunched::OTHER));
        let source = &of_task(source, task);
        if self.is_skipped(source, task) {
            return self;
        }
        self.tell_of_divisor(source);
        self.seen.retain(|seen| !stores_sums(seen, source));
        let kept = || Some((kept(source, task).filter(|_| again)?, KEPT));
        let symbol = || Some((symbol(source)?.1, SYMBOL));
        let unset = || Some((unset::told(source)?, unset::HINT));
        let quotient = || Some((quotient::zero(source)?, quotient::HINT));
        let twice = || Some((arguments::twice(source, task)?, arguments::TWICE));
        let both = || Some((arguments::both_add(source, task)?, arguments::BOTH));
        let window = || Some((window::told(source)?, window::HINT));
        let stands = || Some((window::stands(source).or_else(|| window::passes(source))?, window::MOVE));
        let copies = || Some((copies::told(source)?, copies::HINT));
        let left_out = [LEFT_OUT, covered::HINT, covered::LINE].contains(&self.hint.as_str());
        let fixed = || Some((rounded::fixed(source).filter(|_| left_out || is_large)?, rounded::FIXED));
        let line = self.hint == covered::LINE;
        let up = if line { rounded::UP } else { covered::HINT };
        let rounded = || Some((rounded::told(source).filter(|_| left_out)?, up));
        let exchanged = || Some((arguments::exchanged(source, None, task)?, arguments::EXCHANGED));
        let other = || Some((arguments::other_named(source, None, task)?, arguments::EXCHANGED));
        let index_added = || Some((atomics::adds_index(source, task)?.1, atomics::ONE));
        let comma = || Some((block::comma(source)?, block::COMMA));
        let flat = || Some((block::flat(source, task)?, block::FLAT));
        let size = || Some((block::other_size(source, task, None)?.0, block::HINT));
        let swapped = || Some((launches::swapped_sizes(source, task, None)?.0, launches::SWAPPED));
        self.counted_twice(source);
        if line {
            self.seen.extend(launched(source, task));
        }
        self.tell_of_double_reads(source, task);
        let numbered = || Some((numbering::told(source, task)?, numbering::HINT));
        let turned = || Some((numbering::turned(source, task)?, numbering::ROWS));
        let early = || Some((arguments::read_early(source, task)?, arguments::EARLY));
        let side = || Some((arguments::side_for_pixels(source, task)?, arguments::SIDE));
        let of_blocks = || Some((of_all_blocks(source, task, None)?, OF_ALL_BLOCKS));
        let left_over = || Some((reached::left_over(source, task)?, reached::LEFT_OVER));
        let offsets = || Some((copies::offsets(source)?, copies::OFFSETS));
        let short_loop = || Some((window::short_loop(source)?, window::SHORT_LOOP));
        let cut = || Some((cut::told(source, task).filter(|_| left_out || is_large)?, cut::HINT));
        let lost = left_out || self.hint == LOST;
        let scaled = || Some((arguments::scaled(source, None, task).filter(|_| lost)?, arguments::SCALED));
        let moved = || Some((slips::moved_index(source).filter(|_| left_out)?, slips::KEEP));
        let empty = || Some((empty_if::told(source)?, empty_if::HINT));
        let forgotten = || Some((unlaunched::forgotten(source, task)?.told(), unlaunched::FORGOTTEN));
        let told = kept()
            .or(other_kernel)
            .or_else(forgotten)
            .or_else(|| counted_by_all(source, task))
            .or_else(empty)
            .or_else(|| self.slip(source, task))
            .or_else(symbol)
            .or_else(numbered)
            .or_else(turned)
            .or_else(side)
            .or_else(early)
            .or_else(swapped)
            .or_else(comma)
            .or_else(unset)
            .or_else(quotient)
            .or_else(twice)
            .or_else(both);
        let last = || Some((atomics::last_block(source)?.1, atomics::LAST));
        let extremes = || Some((atomics::exchanged(source)?, atomics::EXTREMES));
        let begins = || Some((atomics::begins_wrong(source)?, atomics::BEGINS));
        let told = told.or_else(last).or_else(extremes).or_else(begins);
        let alone = || Some((block::alone(source, task)?, block::ALONE));
        let told = told
            .or_else(exchanged)
            .or_else(other)
            .or_else(index_added)
            .or_else(flat)
            .or_else(alone)
            .or_else(size)
            .or_else(window)
            .or_else(stands);
        let loose = || loose::told(source, task, left_out);
        let per_level = || Some((per_level::told(source)?, per_level::HINT));
        let channels = || Some((channels(source)?, CHANNELS));
        let told = told
            .or_else(of_blocks)
            .or_else(left_over)
            .or_else(offsets)
            .or_else(|| steps::told(source, task))
            .or_else(|| self.worked_out(source, task))
            .or_else(copies)
            .or_else(scaled)
            .or_else(cut)
            .or_else(moved)
            .or_else(rounded)
            .or_else(fixed)
            .or_else(per_level)
            .or_else(channels)
            .or_else(short_loop)
            .or_else(loose);
        self.take_over(told, (source, task), is_named, is_large || few);
        self
    }

    /// Puts first what the text says; or else, what its types and its host function say.
    fn take_over(
        &mut self,
        told: Option<(String, &str)>,
        (source, task): (&str, &str),
        is_named: bool,
        not_by_host: bool,
    ) {
        let of_steps = [stages::FIRST, stages::HINT].contains(&self.hint.as_str());
        let are_cut = self.hint == LOST && self.seen.iter().any(|seen| seen.contains(IN_A_SMALL_TYPE));
        if let Some((seen, hint)) = told {
            self.seen.insert(0, seen);
            // Behind the line that is at fault, more says less.
            self.seen.truncate(MOST);
            // Which call leaves something unset says more than that a parameter is not used.
            if hint != loose::UNUSED || !self.are_faults() {
                hint.clone_into(&mut self.hint);
            }
        } else if !is_named && (self.hint.is_empty() || self.hint == by_level::HINT) {
            self.with_host(source, task, not_by_host);
        } else if let Some((seen, hint)) = narrow::told(source).filter(|_| !is_named && (of_steps || are_cut))
        {
            self.hint.clear();
            self.tell(seen, hint);
        }
        self.with_lines(source, task);
    }

    /// Names the lines that what was seen is about.
    fn with_lines(&mut self, source: &str, task: &str) {
        if self.name_an_index() {
            self.seen.splice(0..0, numbering::of_block(source, task));
        }
        if self.hint.is_empty() {
            self.tell_of_functions(source, task);
        }
        if parts::is_hint(&self.hint) {
            self.seen.extend(parts::line(source, &self.hint));
        }
    }

    /// Names the functions whose results a kernel stores, where only the line of the store is known.
    fn tell_of_functions(&mut self, source: &str, task: &str) {
        let written = self.seen.iter().find(|seen| seen.starts_with("every output was written"));
        let lines: Vec<u32> = written.map_or(Vec::new(), |seen| {
            seen.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
        });
        self.seen.extend(launches::functions(source, task, &lines));
    }

    /// What the text alone shows: slips, counts that are not added, divisors that do not fit.
    fn slip(&self, source: &str, task: &str) -> Option<(String, &'static str)> {
        let rounded = rounding::is_hint(&self.hint);
        let by_all = || Some((divided::by_all(source, task)?, divided::ADDED_ONLY));
        let twice = || Some((divided::twice(source, task).filter(|_| rounded)?, divided::ONCE));
        let slip = slips::told(source).map(|(_, seen, hint)| (seen, hint));
        slip.or_else(|| added::told(source, task)).or_else(by_all).or_else(twice)
    }

    /// Tells what is carried from one round to the next, or too narrow, or what the host computes for the kernels of `task`, unless that
    /// cannot be it: all pixels need its numbers.
    fn with_host(&mut self, source: &str, task: &str, not_by_host: bool) {
        let carried = carried::told(source).map(|seen| (seen, carried::HINT));
        let narrow = || narrow::told(source);
        let computed = || Some((host::computed(source, task).filter(|_| !not_by_host)?, host::COMPUTED));
        if let Some((seen, hint)) = carried.or_else(narrow).or_else(computed) {
            // Which levels are wrong says where to look; a line says what to change.
            if self.hint == by_level::HINT {
                self.hint.clear();
            }
            self.tell(seen, hint);
        }
    }

    /// Tells of launches that were not reached, if none was. Returns whether that is so.
    fn is_skipped(&mut self, source: &str, task: &str) -> bool {
        let seen = unlaunched::skipped(source, task).filter(|_| self.name_no_launch());
        let is_skipped = seen.is_some();
        if let Some(seen) = seen {
            self.seen = vec![seen];
            unlaunched::SKIPPED.clone_into(&mut self.hint);
        }
        is_skipped
    }

    /// Names the line that has added nothing to a divisor.
    fn tell_of_divisor(&mut self, source: &str) {
        if self.name_a_division()
            && let Some(line) = self.seen.first().and_then(|seen| seen.split(' ').nth(1)?.parse().ok())
            && let Some(seen) = quotient::unadded(source, line)
        {
            self.seen.push(seen);
            quotient::ADDED.clone_into(&mut self.hint);
        }
    }

    /// Says of elements that were read twice which index or step does it.
    fn tell_of_double_reads(&mut self, source: &str, task: &str) {
        if self.hint != read_twice::HINT {
            return;
        }
        if let Some(line) = read_twice::without_loop(source, task, &self.seen) {
            read_twice::OWN.clone_into(&mut self.hint);
            if let Some(number) = read_twice::shared_number(source, task, line) {
                self.seen.insert(0, number);
            }
        } else if let Some(step) = read_twice::of_a_block(source, task, &self.seen) {
            self.seen.insert(0, step);
            strides::SHORT.clone_into(&mut self.hint);
        } else if strides::told(source, task, self.pixels).is_none()
            && let Some(step) = read_twice::step(source)
        {
            self.seen.insert(0, step);
        }
    }

    /// What loops, words and sums of a kernel come to, worked out from its text.
    fn worked_out(&self, source: &str, task: &str) -> Option<(String, &'static str)> {
        let (lost, cut) =
            (self.hint == LOST || parts::is_hint(&self.hint), rounding::is_rounding(&self.hint));
        let sum = || Some((columns::told(source, task).filter(|_| lost)?, columns::HINT));
        let fixed = || Some((block::fixed(source, task)?, rounded::FIXED));
        let truncated = || Some((narrow::truncated(source).filter(|_| cut)?, narrow::TRUNCATED));
        strides::told(source, task, self.pixels)
            .or_else(|| bytes::told(source, task, lost))
            .or_else(sum)
            .or_else(fixed)
            .or_else(truncated)
    }

    /// Tells of pixels that a kernel reads twice to count them, in place of an index in shared memory.
    fn counted_twice(&mut self, source: &str) {
        let of_steps = [stages::HINT, stages::FIRST].contains(&self.hint.as_str());
        if ![TILE, ""].contains(&self.hint.as_str()) && !of_steps {
            return;
        }
        let twice = self.twice.take().filter(|(line, _)| read_twice::counts(source, *line));
        if let Some((_, told)) = twice {
            self.seen.truncate(if of_steps { self.seen.len() } else { 0 });
            self.seen.insert(0, told);
            read_twice::HINT.clone_into(&mut self.hint);
        }
    }

    /// Adds the line of a mistake that the outputs have named, with this message.
    pub fn locate(&mut self, source: &str, task: &str, mistake: &str, message: &str) {
        let meet = || strides::told(&of_task(source, task), task, self.pixels);
        if mistake == "last_pixels_left_out"
            && let Some((seen, hint)) = meet()
        {
            self.tell(seen, hint);
            return;
        }
        // Blocks of another size count other levels.
        if mistake == "levels_missing"
            && let Some((seen, ..)) = launches::swapped_sizes(source, task, None)
        {
            self.hint.clear();
            self.tell(seen, launches::SWAPPED);
            return;
        }
        // The lines that copy too little are named already.
        match unlaunched::other_kernel(source, task) {
            Some(other) => self.tell(other.told(), unlaunched::OTHER),
            None if self.name_a_misplaced_call() => {}
            None => {
                let told = located::told(source, task, mistake, message);
                // The line is one of the kernel: the number of blocks is right.
                if told
                    .as_ref()
                    .is_some_and(|told| mistake == "last_pixels_left_out" && told.starts_with("line "))
                {
                    self.tell(told.unwrap_or_default(), located::REST);
                } else {
                    self.seen.extend(told);
                }
            }
        }
    }
}

/// Pixels that each block counts, as the text has it.
fn counted_by_all(source: &str, task: &str) -> Option<(String, &'static str)> {
    let same = || Some((read_twice::same_in_all_blocks(source, task)?, read_twice::SAME));
    atomics::rest_by_all(source, task).map(|told| (told, atomics::REST)).or_else(same)
}

/// Whether a fact takes lines for those that add the counts of blocks, and one of them stores a number in place of others: a kernel behind that
/// counts adds up parts.
fn stores_sums(seen: &str, source: &str) -> bool {
    let mut parts = seen.split("; ");
    let Some(lines) = parts.find_map(|part| {
        part.strip_suffix(" adds the counts").or_else(|| part.strip_suffix(" add the counts"))
    }) else {
        return false;
    };
    let stores = |line: u32| {
        let line = line_of(source, line);
        line.contains(" = ") && !["atomic", "+=", "++"].iter().any(|adds| line.contains(adds))
    };
    lines.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).any(stores)
}

/// The only launch of a task, as it stands there.
fn launched(source: &str, task: &str) -> Option<String> {
    let all = arguments::launches(source, task);
    let [launch] = all.as_slice() else { return None };
    let line = source.lines().nth(launch.line as usize - 1)?;
    let sizes = line.split_once("<<<")?.1.split_once(">>>")?.0;
    Some(format!("line {} launches it: `{}<<<{sizes}>>>`", launch.line, launch.kernel))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::host_arrays;

    #[test]
    fn a_line_that_stores_a_sum_adds_no_counts() {
        let source = "\natomicAdd(&bins[t], counts[t]);\nif (t == 0) bins[blockIdx.x] = sums[0];\n";
        assert!(!stores_sums("line 1 counts in shared memory; line 2 adds the counts", source));
        assert!(stores_sums(
            "line 2 counts in shared memory; line 3 adds the counts; line 1 reads shared memory",
            source
        ));
        assert!(stores_sums("lines 2 and 3 add the counts", source));
        assert!(!stores_sums("line 3 stores", source));
    }

    /// What the text alone tells is told of no right file, whatever else may be wrong with its like.
    #[test]
    fn right_files_are_told_nothing_of_their_text() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solutions");
        let mut seen = 0;
        for lab in crate::labs::all() {
            let name = std::path::Path::new(lab.folder()).file_name().unwrap_or_default();
            for folder in [root.join(name), root.join(name).join("unusual")] {
                let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
                for path in files.map(|file| file.path()).filter(|path| path.extension().is_some()) {
                    let text = std::fs::read_to_string(&path).expect("a file");
                    for task in lab.tasks().iter().map(|task| task.name()) {
                        let told = [
                            numbering::told(&text, task),
                            of_all_blocks(&text, task, None),
                            steps::told(&text, task).map(|(told, _)| told),
                            strides::told(&text, task, 0).map(|(told, _)| told),
                            bytes::told(&text, task, false).map(|(told, _)| told),
                            arguments::both_add(&text, task),
                            block::fixed(&text, task),
                            narrow::truncated(&text),
                            narrow::told(&text)
                                .map(|(told, _)| told)
                                .filter(|told| told.contains("gives it a count")),
                            unlaunched::forgotten(&text, task).map(|of| of.told()),
                            atomics::rest_by_all(&text, task),
                            atomics::begins_wrong(&text),
                            atomics::last_block(&text).map(|(_, told)| told),
                            atomics::exchanged(&text),
                            arguments::read_early(&text, task),
                            arguments::side_for_pixels(&text, task),
                            reached::left_over(&text, task),
                            copies::offsets(&text),
                            window::short_loop(&text),
                            empty_if::told(&text),
                            arguments::other_named(&text, None, task),
                            atomics::adds_index(&text, task).map(|(_, told)| told),
                            unlaunched::other_kernel(&text, task).map(|other| other.told()),
                            host_arrays::read_past(&text).map(|(_, told, _)| told),
                            crate::wasted::told(&text, task),
                            numbering::turned(&text, task),
                            window::stands(&text).or_else(|| window::passes(&text)),
                            carried::told(&text),
                            slips::told(&text).map(|(_, told, _)| told),
                            arguments::scaled(&text, None, task),
                            added::told(&text, task).map(|(told, _)| told),
                            cut::told(&text, task),
                            slips::moved_index(&text),
                            divided::by_all(&text, task),
                            divided::twice(&text, task),
                            read_twice::same_in_all_blocks(&text, task),
                        ];
                        assert_eq!(told, [const { None }; 36], "{}: {task}", path.display());
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
