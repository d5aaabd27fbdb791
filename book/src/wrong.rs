//! The known-wrong kernels of a lab: the fault of each, and how its check has to end.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};

use crate::files::{entries, file_name, has_ending, lab_folder, read};
use crate::header::{self, Wrong};
use crate::markdown::{Align, capital, prose, table};

/// The page of a lab's known-wrong kernels.
pub fn page(root: &Path, lab: &str) -> anyhow::Result<String> {
    let number = lab.trim_start_matches("lab");
    let mut out = format!("# Known-wrong kernels of lab {number}\n\n");
    let Some(folder) = lab_folder(root, "solutions", lab)? else {
        let _ = writeln!(out, "This checkout has no known-wrong kernels for lab {number} yet.");
        return Ok(out);
    };
    let folder = folder.join("wrong");
    let shown = format!("solutions/{}/wrong", file_name(folder.parent().unwrap_or(&folder)));
    let mut rows = Vec::new();
    for path in entries(&folder)?.iter().filter(|path| has_ending(path, "cu")) {
        let wrong = header::wrong(&read(path)?)
            .map_err(|error| anyhow!("{error}"))
            .with_context(|| format!("failed to read the header of `{}`", path.display()))?;
        rows.push(row(file_name(path).trim_end_matches(".cu"), &wrong));
    }
    let _ = writeln!(
        out,
        "Each of these files has one fault, and the workbook's own tests hold the checker to finding it. Read a \
         kernel, say what is wrong and what will happen, then see what the report says:\n\n```sh\ncargo run \
         --release -- {lab} --file {shown}/NAME.cu\n```\n"
    );
    out +=
        &table(&[("name", Align::Left), ("fault", Align::Left), ("the check ends in", Align::Left)], &rows);
    Ok(out)
}

fn row(name: &str, wrong: &Wrong) -> Vec<String> {
    let mut fault = capital(&prose(&wrong.fault));
    if let Some(line) = &wrong.line {
        let _ = write!(fault, " The line: `{line}`");
    }
    vec![format!("`{name}`"), fault, ending(wrong)]
}

fn ending(wrong: &Wrong) -> String {
    let words = match wrong.expect.split_once(' ') {
        Some(("mismatch", task)) => format!("wrong values of `{task}`"),
        Some(("finding", kind)) => format!("an error of the kind *{kind}*"),
        _ => wrong.expect.clone(),
    };
    let words = match &wrong.cause {
        Some(cause) => format!("{words}, and their cause: {}", cause.replace('_', " ")),
        None => words,
    };
    // Not that a GPU misses it for certain: it need not notice.
    if wrong.simulator_only { words + ", on the simulator" } else { words }
}
