//! What a rung is worth: its measured and its predicted time beside those of the rung before, and its code, folded. The chapters
//! of the labs include these pieces.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use judge::numbers::significant;
use records::{Matrix, MatrixRow, Model, Scores, Set};

use crate::data::Data;
use crate::difference;
use crate::files::is_rung;
use crate::files::{LABS, entries, file_name, lab_folder, read};
use crate::header;
use crate::markdown::{Align, capital, prose, table};
use crate::page::Page;

/// The picture that predicted and measured times are compared on: whole rows of words, so that no rung meets odd addresses.
pub const PICTURE: &str = "scene 8784x5352";

/// Tasks that do other work on this picture than on the scored one. Lab 4's filter depends on the width, and the filter of this
/// width has a weight that no signed byte holds: rungs with dot products take their plain path. Such a task's times are those on
/// the scored picture.
const OTHER_WORK: [(&str, &str); 1] = [("lab4", "filter_rgb")];

fn does_other_work(lab: &str, task: &str) -> bool {
    OTHER_WORK.contains(&(lab, task))
}

/// Which picture the times are of, and why a reader's own predictions differ from those in the table.
fn note(lab: &str, tasks: &[&str]) -> String {
    let (scored, large): (Vec<&str>, Vec<&str>) = tasks.iter().partition(|task| does_other_work(lab, task));
    let scored: Vec<String> = scored
        .iter()
        .map(|task| format!("`{task}` on 8773 × 5352, with the filter of the lab's score"))
        .collect();
    let large = (!large.is_empty()).then(|| "on 8784 × 5352 pixels".to_owned());
    let all: Vec<String> = large.into_iter().chain(scored).collect();
    format!(
        "\n*Times {}; [your report takes another picture or another compiler](../../reading.md#two-predictions-of-one-file).*\n",
        all.join(", ")
    )
}

/// A time of a rung, and what the model says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// The rung's file without its ending.
    pub rung: String,
    /// Measured, in milliseconds.
    pub measured: f64,
    /// Predicted; absent where the model does not go: over the link between host and GPU.
    pub predicted: Option<f64>,
    /// Share of the yardstick's speed, measured.
    pub share: f64,
    /// The part of the model that takes most of its time.
    pub limiter: String,
}

/// The times of a task's rungs, lowest first. Where there is no prediction, they are those that the ladder is scored on.
pub fn times(data: &[Data], lab: &str, task: &str) -> Vec<Time> {
    let model = data.iter().filter_map(|file| file.contents.get::<Model>()).flat_map(|model| &model.rows);
    let predicted = model.filter(|row| {
        let point = &row.point;
        point.set == Set::Ladder && point.lab == lab && point.task == task && point.case == PICTURE
    });
    let predicted: Vec<Time> = predicted
        .map(|row| Time {
            rung: row.point.kernel.clone(),
            measured: 1e3 * row.point.seconds,
            predicted: Some(1e3 * row.predicted_seconds),
            share: row.point.yardstick_seconds / row.point.seconds,
            limiter: row.limiter.clone(),
        })
        .collect();
    if !predicted.is_empty() && !does_other_work(lab, task) {
        return predicted;
    }
    let rows = data.iter().filter_map(|file| file.contents.get::<Matrix>()).flat_map(|matrix| &matrix.rows);
    let own = rows.filter(|row| row.lab == lab && row.task == task);
    own.map(|row| Time {
        rung: row.rung.clone(),
        measured: 1e3 * row.seconds,
        predicted: does_other_work(lab, task).then(|| scored_milliseconds(data, row)).flatten(),
        share: row.share,
        limiter: String::new(),
    })
    .collect()
}

/// The predicted time on the scored picture: the task's fixed sequential time, divided by the predicted speedup.
fn scored_milliseconds(data: &[Data], row: &MatrixRow) -> Option<f64> {
    let mut rungs =
        data.iter().filter_map(|file| file.contents.get::<Scores>()).flat_map(|scores| &scores.rungs);
    let rung = rungs.find(|rung| rung.lab == row.lab && rung.rung == row.rung)?;
    let speedup = rung.tasks.iter().find(|own| own.task == row.task)?.predicted.times;
    let mut tasks =
        judge::labs::all().into_iter().filter(|lab| lab.name() == row.lab).flat_map(lab::Lab::tasks);
    let nominal = tasks.find(|task| task.name() == row.task)?.nominal_nanoseconds_per_pixel();
    Some(1e-6 * nominal * (row.width * row.height) as f64 / speedup)
}

/// The tasks of a lab that were measured, in order.
pub fn tasks(data: &[Data], lab: &str) -> Vec<String> {
    let rows = data.iter().filter_map(|file| file.contents.get::<Matrix>()).flat_map(|matrix| &matrix.rows);
    crate::tables::numbers::distinct(rows.filter(|row| row.lab == lab).map(|row| row.task.clone()))
}

/// A piece for every rung of every lab: `step-lab1-04.md`.
pub fn pieces(root: &Path, data: &[Data]) -> anyhow::Result<Vec<Page>> {
    let mut pages = Vec::new();
    for lab in LABS {
        let Some(folder) = lab_folder(root, "solutions", lab)? else { continue };
        let times: Vec<(String, Vec<Time>)> =
            tasks(data, lab).into_iter().map(|task| (task.clone(), times(data, lab, &task))).collect();
        let mut before = (String::new(), String::new());
        for path in entries(&folder)?.into_iter().filter(|path| is_rung(path)) {
            let text = read(&path)?;
            let shown = format!("solutions/{}/{}", file_name(&folder), file_name(&path));
            let piece = piece(lab, &shown, (&before.0, &before.1), &text, &times)
                .with_context(|| format!("failed to describe the rung `{shown}`"))?;
            pages.push(Page { name: format!("step-{lab}-{}.md", number(&shown)), text: piece });
            before = (file_name(&path), text);
        }
    }
    Ok(pages)
}

/// `04` of `solutions/lab1-grayscale/04_four_pixels.cu`.
fn number(shown: &str) -> &str {
    let name = shown.rsplit('/').next().unwrap_or(shown);
    name.split('_').next().unwrap_or(name)
}

/// `before` is the name and the text of the rung before.
fn piece(
    lab: &str,
    shown: &str,
    before: (&str, &str),
    text: &str,
    times: &[(String, Vec<Time>)],
) -> anyhow::Result<String> {
    let rung = header::rung(text).map_err(|error| anyhow!("{error}"))?;
    let name = file_name(Path::new(shown)).trim_end_matches(".cu").to_owned();
    let mut out = table_of(&name, times);
    let is_predicted =
        |times: &[Time]| times.iter().any(|time| time.rung == name && time.predicted.is_some());
    let tasks: Vec<&str> =
        times.iter().filter(|(_, times)| is_predicted(times)).map(|(task, _)| task.as_str()).collect();
    if !tasks.is_empty() {
        out += &note(lab, &tasks);
    }
    let number = number(shown);
    let mut folded = String::new();
    if let Some((_, lines)) = rung.parts.iter().find(|(label, _)| label == "Change") {
        let words = lines.iter().map(|line| match line {
            header::Line::Prose(words) => words.clone(),
            header::Line::Indented(words) => format!("({words})"),
        });
        let _ = writeln!(folded, "{}\n", capital(&prose(&words.collect::<Vec<_>>().join(" "))));
    }
    if let Some(sides) = difference::sides(before, (&file_name(Path::new(shown)), text)) {
        let _ = writeln!(folded, "The rung before and this rung, around the lines that differ:\n\n{sides}");
    } else {
        let places = match &header::anchors(text)[..] {
            [] => vec![shown.to_owned()],
            anchors => anchors.iter().map(|anchor| format!("{shown}:{anchor}")).collect(),
        };
        for place in places {
            let _ = writeln!(folded, "```cpp\n{{{{#include ../../../{place}}}}}\n```\n");
        }
    }
    let _ = write!(
        out,
        "\n<details><summary>Spoiler: the code of rung {number}, {}</summary>\n\n{folded}The whole file: `{shown}`.\n\n</details>\n",
        prose(&rung.title)
    );
    Ok(out)
}

/// The rung and the one before it, in each task that it is about.
fn table_of(name: &str, times: &[(String, Vec<Time>)]) -> String {
    let mut cells = Vec::new();
    let mut has_predictions = false;
    for (task, times) in times {
        let Some(at) = times.iter().position(|time| time.rung == name) else { continue };
        for index in at.saturating_sub(1)..=at {
            let time = &times[index];
            has_predictions |= time.predicted.is_some();
            let times_as_fast = |of: &dyn Fn(&Time) -> Option<f64>| {
                let before = (index == at).then(|| at.checked_sub(1)).flatten().and_then(|at| of(&times[at]));
                let ratio = before.zip(of(time)).map(|(before, own)| before / own);
                ratio.map_or_else(String::new, |ratio| format!(" ({}×)", significant(ratio)))
            };
            let measured =
                format!("{}{}", significant(time.measured), times_as_fast(&|time| Some(time.measured)));
            let predicted = time.predicted.map_or_else(String::new, |predicted| {
                format!("{}{}", significant(predicted), times_as_fast(&|time| time.predicted))
            });
            let shown = if index == at { format!("**`{}`**", time.rung) } else { format!("`{}`", time.rung) };
            cells.push(vec![
                format!("`{task}`"),
                shown,
                measured,
                predicted,
                format!("{} %", significant(100.0 * time.share)),
                time.limiter.clone(),
            ]);
        }
    }
    if cells.is_empty() {
        return "This rung was not measured yet.\n".to_owned();
    }
    let all = [
        ("task", Align::Left),
        ("rung", Align::Left),
        ("measured, ms", Align::Right),
        ("predicted, ms", Align::Right),
        ("of the yardstick", Align::Right),
        ("the model's limit", Align::Left),
    ];
    if has_predictions {
        return table(&all, &cells);
    }
    let kept = [0, 1, 2, 4];
    let cells: Vec<Vec<String>> =
        cells.iter().map(|row| kept.iter().map(|index| row[*index].clone()).collect()).collect();
    table(&kept.map(|index| all[index]), &cells)
}

#[cfg(test)]
mod tests {
    use lab::{Argument, Case, Element, Memory, Picture};
    use pretty_assertions::assert_eq;

    use super::*;

    fn time(rung: &str, measured: f64) -> Time {
        Time {
            rung: rung.to_owned(),
            measured,
            predicted: Some(2.0 * measured),
            share: 0.5,
            limiter: "DRAM".to_owned(),
        }
    }

    /// The 32-bit inputs of a task that lie in host memory, such as a filter.
    fn parameters(task: &dyn lab::Task, width: usize) -> Vec<Vec<u8>> {
        let picture = Picture::Flat { width, height: 8, value: [1, 2, 3] };
        let arguments = task.arguments(&Case::new("flat", picture).image(1).unwrap());
        let parameter = |argument| match argument {
            Argument::Input { memory: Memory::Host, element: Element::I32, bytes, .. } => Some(bytes),
            _ => None,
        };
        arguments.into_iter().filter_map(parameter).collect()
    }

    #[test]
    fn tasks_whose_work_depends_on_the_width_are_those_of_the_list() {
        let mut found = Vec::new();
        for lab in judge::labs::all() {
            for task in lab.tasks() {
                if parameters(*task, 8784) != parameters(*task, 8773) {
                    found.push((lab.name(), task.name()));
                }
            }
        }
        assert_eq!(found, OTHER_WORK);
    }

    #[test]
    fn a_table_says_which_picture_each_task_was_timed_on() {
        let both = note("lab4", &["smooth_box", "filter_rgb"]);
        assert!(both.contains("on 8784 × 5352 pixels, `filter_rgb` on 8773 × 5352"), "{both}");
        assert!(!note("lab1", &["grayscale"]).contains("8773"));
    }

    #[test]
    fn a_rung_stands_below_the_one_before_it() {
        let times = [("t".to_owned(), vec![time("01_a", 8.0), time("02_b", 4.0), time("03_c", 1.0)])];
        let text = table_of("03_c", &times);
        assert!(!text.contains("01_a") && text.contains("`02_b` | 4.00 | 8.00 |"), "{text}");
        assert!(text.contains("**`03_c`** | 1.00 (4.00×) | 2.00 (4.00×) | 50.0 % | DRAM |"), "{text}");
    }
}
