//! The ladder of a lab: what each rung changes and why, from the header of its file, and the code that does
//! it, included by anchor. A rung without anchors is included whole.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};

use crate::data::Data;
use crate::difference;
use crate::files::{LABS, entries, file_name, is_rung, lab_folder, read};
use crate::header::{self, Line};
use crate::markdown::{capital, prose};
use crate::{measurements, steps};

/// The page of a lab's ladder.
pub fn page(root: &Path, lab: &str, data: &[Data]) -> anyhow::Result<String> {
    let number = lab.trim_start_matches("lab");
    let mut out = format!("# The ladder of lab {number}\n\n");
    let Some(folder) = lab_folder(root, "solutions", lab)? else {
        let _ = writeln!(out, "This checkout has no ladder for lab {number} yet.");
        return Ok(out);
    };
    out += "Spoilers ahead. Climb a rung yourself first, then compare. Each rung is one file and one idea; each \
            can be judged in place of your own file, and the times tell what the idea was worth. A rung that names its \
            tasks leaves the others to the rung below it. Rungs marked *expert* need more than the labs teach.\n\n";
    let rungs: Vec<_> = entries(&folder)?.into_iter().filter(|path| is_rung(path)).collect();
    let pictured = if LABS.contains(&lab) { steps::tasks(data, lab) } else { Vec::new() };
    for task in pictured {
        let _ = writeln!(out, "{{{{#include ladder-{lab}-{task}.svg}}}}\n");
    }
    out += &measured(lab, data);
    let mut before = (String::new(), String::new());
    for path in rungs {
        let text = read(&path)?;
        let name = file_name(&path);
        let shown = format!("solutions/{}/{name}", file_name(&folder));
        let parsed = header::rung(&text).map_err(|error| anyhow!("{error}")).with_context(|| {
            format!("failed to read the header of `{shown}`, which the book shows as text")
        })?;
        let change = difference::sides((&before.0, &before.1), (&name, &text));
        out += &section(lab, &name, &shown, &parsed, &header::anchors(&text), change.as_deref());
        before = (name, text);
    }
    Ok(out)
}

fn measured(lab: &str, data: &[Data]) -> String {
    let tables = measurements::of_lab(data, lab);
    if tables.is_empty() {
        return "No measurements of this ladder are committed yet (`workshop matrix` makes them).\n\n".into();
    }
    format!("## Measured\n\n{tables}\n")
}

fn section(
    lab: &str,
    name: &str,
    shown: &str,
    rung: &header::Rung,
    anchors: &[&str],
    change: Option<&str>,
) -> String {
    let number = name.split('_').next().unwrap_or_default();
    let level = if rung.expert { " (expert)" } else { "" };
    let mut out = format!("## {number} {}{level}\n\n", capital(&prose(&rung.title)));
    if !rung.tasks.is_empty() {
        let names: Vec<String> = rung.tasks.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(out, "**Tasks.** {}\n", names.join(", "));
    }
    if let Some(why) = &rung.slower {
        let _ = writeln!(out, "**Slower than the rung before.** {}\n", capital(&prose(why)));
    }
    for (label, lines) in &rung.parts {
        out += &part(label, lines);
    }
    let places = match anchors {
        [] => vec![shown.to_owned()],
        anchors => anchors.iter().map(|anchor| format!("{shown}:{anchor}")).collect(),
    };
    for place in places {
        let _ = writeln!(out, "```cpp\n{{{{#include ../../../{place}}}}}\n```\n");
    }
    if let Some(change) = change {
        let _ = writeln!(
            out,
            "<details><summary>The difference to the rung before</summary>\n\n{change}\n</details>\n"
        );
    }
    let _ = writeln!(out, "The whole file: `{shown}`. To judge it:\n");
    let _ = writeln!(out, "```sh\ncargo run --release -- {lab} --solution {number}\n```\n");
    out
}

fn part(label: &str, lines: &[Line]) -> String {
    let mut out = format!("**{label}.** ");
    let mut indented = false;
    for (index, line) in lines.iter().enumerate() {
        match line {
            Line::Prose(words) => {
                out += match (index, indented) {
                    (0, _) => "",
                    (_, true) => "```\n\n",
                    (_, false) => " ",
                };
                out += &if index == 0 { capital(&prose(words)) } else { prose(words) };
                indented = false;
            }
            Line::Indented(words) => {
                out += if indented { "" } else { "\n\n```text\n" };
                let _ = writeln!(out, "{words}");
                indented = true;
            }
        }
    }
    out + if indented { "```\n\n" } else { "\n\n" }
}
