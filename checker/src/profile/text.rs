//! A profile as text that fits the terminal, of at most 100 columns.

use std::fmt::Write as _;

use colored::Colorize;

use super::gather::{Instructions, KernelTime, Profiled};
use super::lines::Line;
use judge::numbers::{grouped, significant};
use judge::prediction::{Cost, Resident};
use judge::wrap::{hanging, shortened, shortened_to_words, width};

/// Columns before a bar and behind it, and the most of a bar: in a narrow terminal, words need the room more.
const BESIDE_A_BAR: usize = 29;
const BAR: usize = 30;
/// Columns of the words about a bar.
const WORDS: usize = 41;
/// Lines whose causes are shown, and lines of the source, of one task.
const CAUSES: usize = 6;
const LINES: usize = 20;
/// The same if there are two tasks, and if there are more, with the kernels and the parts of the time that are shown: the whole has to fit a
/// screen.
const OF_TWO: Most = Most { causes: 3, lines: 4, kernels: 2, parts: 3, whole: false };
const OF_MANY: Most = Most { causes: 1, lines: 3, kernels: 0, parts: 2, whole: false };
/// Lines of the source that are shown before and after those that do something.
const AROUND: u32 = 1;
/// What the columns mean, once below all tables.
const LEGEND: &str = "share: of the time of the kernels; instr: PTX instructions per pixel of the picture, each counted for all 32 threads of its warp; lanes: active threads of 32; \
                      sectors: of 32 bytes per request to global memory, and how many would hold its bytes; passes: of shared \
                      memory per request, and without bank conflicts (* atomics); cycles: of a warp by itself each time";

/// Instructions per pixel that are worth a word.
const ELSEWHERE: f64 = 0.05;

/// Columns before the source.
const TABLE: usize = 47;

/// How many lines are shown of a task, the dearest.
#[derive(Debug, Clone, Copy)]
struct Most {
    causes: usize,
    lines: usize,
    kernels: usize,
    parts: usize,
    /// Whether the rest is told, too: the conditions of the prediction, and what all lines sum up to.
    whole: bool,
}

impl Most {
    /// Everything, but for these causes and lines.
    const fn of_one(causes: usize, lines: usize) -> Self {
        Self { causes, lines, kernels: usize::MAX, parts: usize::MAX, whole: true }
    }
}

/// The profiles of the tasks of one file: whole, or the dearest lines of each.
pub(super) fn text(profiles: &[Profiled], source: &str, gpu: &str, whole: bool) -> String {
    let most = match profiles {
        _ if whole => Most::of_one(usize::MAX, usize::MAX),
        [_] => Most::of_one(CAUSES, LINES),
        [_, _] => OF_TWO,
        _ => OF_MANY,
    };
    let mut out = String::new();
    for profile in profiles {
        out.push_str(&first_part(profile, gpu, most));
        annotated(&mut out, profile, source, most);
    }
    if !profiles.is_empty() {
        let _ = writeln!(out, "{}", hanging("  ", LEGEND).dimmed());
    }
    out
}

/// The first part of a profile: what the time is spent on, and why. The source follows it.
pub fn head(profile: &Profiled, gpu: &str) -> String {
    first_part(profile, gpu, Most::of_one(CAUSES, LINES))
}

/// The share by which the whole call has to differ from its kernels to be told.
const WORTH_A_LINE: f64 = 0.02;

fn first_part(profile: &Profiled, gpu: &str, most: Most) -> String {
    let mut out = String::new();
    let columns = width();
    let Profiled { task, width, height, rows, kernel_seconds, seconds, .. } = profile;
    let milliseconds = significant(1e3 * kernel_seconds);
    if let Some(wrong) = &profile.wrong {
        let _ = writeln!(out, "{}\n", hanging("wrong: ", wrong).yellow());
    }
    let _ = writeln!(out, "{}: kernels take {milliseconds} ms on {width} × {height} pixels", task.bold());
    let whole = significant(1e3 * seconds);
    if (seconds / kernel_seconds - 1.0).abs() > WORTH_A_LINE {
        let why =
            if seconds > kernel_seconds { "with its copies and fills" } else { "what overlaps counts once" };
        let call = format!("the whole call takes {whole} ms: {why}");
        let _ = writeln!(out, "{}", hanging("  ", &call));
    }
    if most.whole {
        let predicted = format!("predicted for {gpu} from {rows} rows of the picture");
        let _ = writeln!(out, "{}", hanging("  ", &predicted));
    }
    if most.kernels == 0 {
        let _ = writeln!(out, "{}", shortened_to_words(&format!("  {}", named(profile)), columns));
    }
    for kernel in &resident(profile, most.kernels) {
        let line = if most.whole {
            hanging("  ", kernel)
        } else {
            shortened_to_words(&format!("  {kernel}"), columns)
        };
        let _ = writeln!(out, "{line}");
    }
    if most.whole {
        out.push('\n');
    }
    for cost in profile.costs.iter().take(most.parts) {
        let _ = writeln!(out, "{}", bar(cost).trim_end());
    }
    if let Some(next) = &profile.next {
        let more = if most.whole { format!(" (`{}` says more)", next.command) } else { String::new() };
        let gap = if most.whole { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{}", hanging("  next: ", &format!("{}{more}", next.idea)));
    }
    if most.whole {
        out.push('\n');
    }
    causes(&mut out, &profile.lines, most);
    out
}

/// All kernels in a line, the longest first, with their shares of the time.
fn named(profile: &Profiled) -> String {
    let mut kernels: Vec<(&str, Option<u32>, f64)> = Vec::new();
    for kernel in &profile.kernels {
        match kernels.iter_mut().find(|(name, ..)| *name == kernel.name) {
            Some((.., seconds)) => *seconds += kernel.seconds,
            None => kernels.push((&kernel.name, kernel.line, kernel.seconds)),
        }
    }
    kernels.sort_by(|one, other| other.2.total_cmp(&one.2));
    let told = |(name, line, seconds): &(&str, Option<u32>, f64)| {
        let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
        format!("{name}{line}: {} %", percent(seconds / profile.kernel_seconds))
    };
    kernels.iter().map(told).collect::<Vec<_>>().join(", ")
}

/// The kernels, at most so many, the longest; one line each however often they are launched: their share of the time, their registers, and what limits their warps.
fn resident(profile: &Profiled, most: usize) -> Vec<String> {
    let mut seen: Vec<(&KernelTime, usize, f64)> = Vec::new();
    for kernel in &profile.kernels {
        match seen.iter_mut().find(|(one, ..)| one.name == kernel.name) {
            Some((_, launches, seconds)) => {
                (*launches, *seconds) = (*launches + 1, *seconds + kernel.seconds);
            }
            None => seen.push((kernel, 1, kernel.seconds)),
        }
    }
    let told = |(kernel, launches, seconds): &(&KernelTime, usize, f64)| {
        let Resident { warps, most, registers, shared, .. } = kernel.resident;
        let often = if *launches > 1 { format!(", {launches} launches") } else { String::new() };
        let registers = if registers > 0 { format!(", {registers} registers") } else { String::new() };
        let shared = match shared {
            0 => String::new(),
            bytes => format!(", {} bytes of shared memory per block", grouped(u64::from(bytes))),
        };
        let line = kernel.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        format!(
            "{}{line}: {} % of the time{often}; {warps:.0} of {most} warps resident (limit: {}){registers}{shared}",
            kernel.name,
            percent(seconds / profile.kernel_seconds),
            match kernel.resident.scarce {
                "grid" => "the blocks of the grid",
                other => other,
            }
        )
    };
    let mut others = None;
    if most == 0 {
        return Vec::new();
    }
    if seen.len() > most {
        seen.sort_by(|one, other| other.2.total_cmp(&one.2));
        let left_out = seen.split_off(most);
        let seconds: f64 = left_out.iter().map(|(.., seconds)| seconds).sum();
        let kernels = if left_out.len() == 1 { "kernel takes" } else { "kernels take" };
        others = Some(format!(
            "{} other {kernels} {} % of the time",
            left_out.len(),
            percent(seconds / profile.kernel_seconds)
        ));
    }
    seen.iter().map(told).chain(others).collect()
}

fn bar(cost: &Cost) -> String {
    let (name, meaning) = cost.part.words();
    let room = width().saturating_sub(BESIDE_A_BAR + WORDS).min(BAR);
    let bar = "█".repeat((room as f64 * cost.share).round() as usize);
    let left = format!("  {name:14}{:>6} % {bar:room$}  ", significant(100.0 * cost.share));
    format!("{left}{}", shortened_to_words(meaning, width().saturating_sub(left.chars().count())))
}

/// The causes of the dearest lines; what to try is said once.
fn causes(out: &mut String, lines: &[Line], most: Most) {
    let mut dear: Vec<&Line> = lines.iter().filter(|line| !line.causes.is_empty()).collect();
    let by_share = |one: &&Line, other: &&Line| other.share.total_cmp(&one.share);
    // Of few that are shown, the dearest, and those that something can be done about.
    let most_of_all = lines.iter().map(|line| line.share).fold(0.0, f64::max);
    let silent =
        |line: &&Line| line.share < most_of_all && line.causes.iter().all(|cause| cause.hint.is_empty());
    dear.sort_by(|one, other| silent(one).cmp(&silent(other)).then_with(|| by_share(one, other)));
    dear.truncate(most.causes);
    dear.sort_by(by_share);
    let mut said: Vec<&str> = Vec::new();
    let mut seen: Vec<(&str, u32)> = Vec::new();
    for line in &dear {
        let place = format!("  line {:<5}{:>5} % ", line.number, percent(line.share));
        for (index, cause) in line.causes.iter().enumerate() {
            let indent = " ".repeat(place.chars().count());
            // Lines side by side often do the same.
            let same =
                seen.iter().find(|(what, _)| *what == cause.what).map(|(_, line)| format!("as line {line}"));
            let what = same.unwrap_or_else(|| cause.what.clone());
            seen.push((&cause.what, line.number));
            let _ = writeln!(out, "{}", hanging(if index == 0 { &place } else { &indent }, &what));
            if !cause.hint.is_empty() && !said.contains(&cause.hint) {
                said.push(cause.hint);
                let _ = writeln!(out, "{}", hanging(&format!("{indent}try: "), cause.hint));
            }
        }
    }
    if !dear.is_empty() && most.whole {
        out.push('\n');
    }
}

/// The source, with what each line does at its left.
fn annotated(out: &mut String, profile: &Profiled, source: &str, most: Most) {
    let _ = writeln!(
        out,
        "{:>7} {:>5} {:>5} {:>8} {:>7} {:>6} {:>4}",
        "share", "instr", "lanes", "sectors", "passes", "cycles", "line"
    );
    let texts: Vec<&str> = source.lines().collect();
    // Of a long table, the lines that take little of the time are left out.
    let mut shares: Vec<f64> = profile.lines.iter().map(|line| line.share).collect();
    shares.sort_by(|one, other| other.total_cmp(one));
    let least = shares.get(most.lines.saturating_sub(1)).copied().unwrap_or(0.0);
    let around = if shares.len() > most.lines { 0 } else { AROUND };
    let dear = |line: &&Line| line.share >= least;
    let near =
        |number: u32| profile.lines.iter().filter(dear).any(|line| line.number.abs_diff(number) <= around);
    let mut skipped = false;
    for (index, text) in texts.iter().enumerate() {
        let number = index as u32 + 1;
        if !near(number) {
            skipped = true;
            continue;
        }
        // In a short table, the numbers of the lines say it.
        if std::mem::take(&mut skipped) && around > 0 {
            let _ = writeln!(out, "{:>width$}", "⋮", width = TABLE);
        }
        let line = profile.lines.iter().find(|line| line.number == number);
        let left = line.map_or_else(String::new, columns);
        let text = shortened(text.trim_end(), width() - TABLE - 3);
        let shown = format!("{left:43}{number:>4} | {text}");
        let shown = if line.is_some_and(|line| line.share >= 0.1) { shown.bold().to_string() } else { shown };
        let _ = writeln!(out, "{}", shown.trim_end());
    }
    let Instructions { all, products, additions, bits, branches, elsewhere } = profile.instructions;
    if elsewhere >= ELSEWHERE {
        let _ = writeln!(
            out,
            "{:>7} {:>5}{:31}   - | (instructions without a line of the file)",
            "",
            per_pixel(elsewhere),
            ""
        );
    }
    let cheap: Vec<&Line> = profile.lines.iter().filter(|line| line.share < least).collect();
    if !cheap.is_empty() {
        let share = percent(cheap.iter().map(|line| line.share).sum());
        let left_out = match cheap.len() {
            1 => format!("1 cheaper line takes {share} %; `--verbose` shows it"),
            count => format!("{count} cheaper lines take {share} % together; `--verbose` shows them"),
        };
        let gap = if most.whole { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{}", hanging("  ", &left_out).dimmed());
    }
    if profile.outside >= WORTH_A_LINE {
        let launches = format!(
            "launching kernels and starting blocks, which no line does, takes {} %",
            percent(profile.outside)
        );
        let _ = writeln!(out, "{}", hanging("  ", &launches).dimmed());
    }
    if all >= ELSEWHERE && most.whole {
        let kinds = [
            (products, "multiply"),
            (additions, "add or compare"),
            (bits, "mask or shift"),
            (branches, "branch"),
        ];
        let kinds: Vec<String> = kinds
            .iter()
            .filter(|(number, _)| *number >= ELSEWHERE)
            .map(|(number, kind)| format!("{number:.1} {kind}"))
            .collect();
        let of_them = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        let text = format!("all lines: {all:.1} per pixel{of_them}");
        let _ = writeln!(out, "{}", hanging("  ", &text).dimmed());
    }
    out.push('\n');
}

fn columns(line: &Line) -> String {
    let pair = |pair: Option<[f64; 2]>| {
        pair.map_or_else(String::new, |[one, least]| format!("{}/{}", digits(one), digits(least)))
    };
    let passes = match (line.atomic_passes, line.wavefronts) {
        (Some(passes), _) => format!("{passes:.1}*"),
        (None, wavefronts) => pair(wavefronts),
    };
    let cycles = line.cycles.map_or_else(String::new, |cycles| grouped(cycles.round() as u64));
    format!(
        "{:>5} % {:>5} {:>5.1} {:>8} {:>7} {:>6}",
        percent(line.share),
        per_pixel(line.instructions),
        line.lanes,
        pair(line.sectors),
        passes,
        cycles
    )
}

/// A small number in at most three characters.
fn digits(number: f64) -> String {
    if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") }
}

/// A share in per cent, with one decimal.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A count per pixel in at most five characters; nothing where it is almost none.
pub(super) fn per_pixel(count: f64) -> String {
    match count {
        _ if count < 0.005 => String::new(),
        _ if count < 9.995 => format!("{count:.2}"),
        _ if count < 99.95 => format!("{count:.1}"),
        _ => format!("{count:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn what_a_part_means_is_cut_between_words() {
        let bar = bar(&Cost { part: lab::Part::Requests, share: 0.264 });
        assert!(bar.ends_with("the load/store units, at work on global …"), "{bar}");
    }

    #[test]
    fn counts_are_short() {
        let shown = [0.0, 0.04, 4.152, 9.996, 33.46, 105.76, 12_345.0].map(per_pixel);
        assert_eq!(shown, ["", "0.04", "4.15", "10.0", "33.5", "106", "12345"]);
    }
}
