//! How many bytes an array needs whose size the launch gives: worked out from the indices in its kernel.

use runtime::finding::Finding;

use super::arguments::{launches, parts};
use super::block::body;
use super::code::{has, places, value};
use super::expression::parsed;
use super::missed::indices;
use super::walk::{Thread, Way};
use crate::numbers::grouped;

/// How a message tells that the bytes of a launch are too few.
const TOO_FEW: &str = ", but the launch gives it ";

/// Puts the bytes that a kernel is seen to need in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    let told =
        finding.message.split_once(TOO_FEW).filter(|_| finding.code == "W0106").and_then(|(what, _)| {
            let (_, rest) = what.split_once(" for which `")?;
            let (name, rest) = rest.split_once('`')?;
            let at = what.split_once('[')?.1.split(']').next()?.parse::<u64>().ok()?;
            let least: u64 = digits(rest).parse().ok()?;
            let kernel = finding.thread.as_ref()?.kernel.split('<').next()?;
            needed(text, finding.task()?, kernel, name, least.checked_div(at + 1)?)
        });
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// The first number of a text, without commas.
fn digits(text: &str) -> String {
    let from = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    text[from..].chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect()
}

/// What the lines use whose indices can be worked out, as advice. `bytes`: those of an element.
fn needed(text: &str, task: &str, kernel: &str, name: &str, bytes: u64) -> Option<String> {
    let lines = body(text, kernel);
    let (declared, _) = lines.iter().find(|(_, line)| has(line, "extern") && has(line, name))?;
    let sides = row(&lines, name, text)?;
    let launch = launches(text, task).into_iter().find(|launch| launch.kernel == kernel)?;
    let uses = lines.iter().filter(|(number, _)| number != declared);
    let uses = uses.flat_map(|(number, line)| places(line, name).map(move |at| (*number, *line, at)));
    let largest = uses.filter_map(|(number, line, at)| {
        Some((largest(text, task, (number, line, at + name.len()), &sides)?, number))
    });
    let (last, line) = largest.max()?;
    let elements = u64::try_from(last).ok()? + 1;
    Some(format!(
        "line {line} uses elements up to `{name}[{last}]`: {} elements of {bytes} bytes are {} bytes, the third parameter of the launch in line {}: \
         `<<<{}>>>`",
        grouped(elements),
        grouped(elements * bytes),
        launch.line,
        with_bytes(&launch.sizes, &format!("{elements} * {bytes}"))?
    ))
}

/// The sizes of a launch with these bytes of shared memory.
fn with_bytes(sizes: &str, bytes: &str) -> Option<String> {
    let mut sizes: Vec<String> = parts(sizes).iter().map(|size| size.replace(',', ", ")).collect();
    match sizes.get_mut(2) {
        Some(given) => bytes.clone_into(given),
        None => sizes.push(bytes.to_owned()),
    }
    (sizes.len() > 2).then(|| sizes.join(", "))
}

/// The sides of an array whose first one the launch gives, from the second on.
fn row(lines: &[(u32, &str)], name: &str, text: &str) -> Option<Vec<i64>> {
    let (_, line) = lines.iter().find(|(_, line)| has(line, "extern") && has(line, name))?;
    let (given, _) = indices(&line[places(line, name).next()? + name.len()..])?;
    let (_, rest) = given.split_first().filter(|(first, _)| first.is_empty())?;
    rest.iter().map(|side| i64::try_from(value(side, text)?).ok()).collect()
}

/// The largest element that any thread of the first block comes to by the indices at this byte of a line.
fn largest(text: &str, task: &str, (number, line, at): (u32, &str, usize), rows: &[i64]) -> Option<i64> {
    let (texts, _) = indices(&line[at..])?;
    let indices: Vec<_> = texts.iter().map(|text| parsed(text)).collect::<Option<_>>()?;
    let way = Way::to(text, task, number, at).filter(|_| indices.len() == rows.len() + 1)?;
    let sides: Vec<i64> = std::iter::once(1).chain(rows.iter().copied()).collect();
    let mut found = None;
    let [across, down] = way.sides;
    for at in 0..across * down {
        let thread = Thread { own: [at % across, at / across, 0], ..Thread::default() };
        way.rounds(&thread, &mut |counters| {
            let mut flat = 0;
            for (index, side) in indices.iter().zip(&sides) {
                flat = flat * side + way.value(index, &thread, counters)?;
            }
            found = found.max(Some(flat));
            Some(true)
        })?;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::with_bytes;

    #[test]
    fn the_bytes_are_put_into_the_launch_of_the_file() {
        let told = |sizes| with_bytes(sizes, "8192 * 4");
        assert_eq!(told("blocks,block_size").as_deref(), Some("blocks, block_size, 8192 * 4"));
        assert_eq!(told("ceil_div(n,256),256,0,s").as_deref(), Some("ceil_div(n, 256), 256, 8192 * 4, s"));
        assert_eq!(told("blocks"), None);
    }
}
