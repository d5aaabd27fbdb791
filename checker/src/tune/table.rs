//! A sweep as a table of at most 100 columns.

use std::fmt::Write as _;

use colored::Colorize;

use super::plan::Parameter;
use super::sweep::{Row, Swept};
use judge::wrap::shortened;

/// Columns of the whole, and of the figures.
const WIDTH: usize = 100;
const FIGURES: usize = 10 + 1 + 8 + 1 + 7 + 1 + 8;
/// The widest column of a parameter.
const WIDEST: usize = 16;

/// The table.
pub fn table(swept: &Swept) -> String {
    let mut out = format!("{}\n", format!("{}: {}", swept.lab, swept.file).bold());
    let engine = match &swept.driver {
        Some(driver) => format!("{}, driver {driver}; times are measured", swept.gpu),
        None => format!("simulator, as {}; {}", swept.gpu, crate::render::predicted(&swept.gpu)),
    };
    let _ = writeln!(out, "engine    {engine}\ncompiler  {}", swept.compiler);
    let widths: Vec<usize> = swept
        .parameters
        .iter()
        .map(|parameter| {
            let widest = parameter.values.iter().map(String::len).chain([parameter.name.len()]).max();
            widest.unwrap_or(0).min(WIDEST)
        })
        .collect();
    let mut task = "";
    for row in &swept.rows {
        if row.task != task {
            task = &row.task;
            let names = columns(swept, &widths, |parameter| &parameter.name);
            let _ = writeln!(out, "\n{}", task.bold());
            let _ = writeln!(out, "  {names}  {:>10} {:>8} {:>7} {:>8}", "ms", "GB/s", "share", "speedup");
        }
        let _ = writeln!(out, "{}", line(row, swept, &widths).trim_end());
    }
    let _ = writeln!(
        out,
        "\nbest: fastest of its task and image; file: the file's values; share: of the yardstick's speed"
    );
    out
}

/// One column per parameter.
fn columns<'a>(swept: &'a Swept, widths: &[usize], text: impl Fn(&'a Parameter) -> &'a String) -> String {
    let cell = |(parameter, width): (&'a Parameter, &usize)| {
        let width = *width;
        format!("{:>width$}", shortened(text(parameter), width))
    };
    swept.parameters.iter().zip(widths).map(cell).collect::<Vec<_>>().join(" ")
}

fn line<'a>(row: &'a Row, swept: &'a Swept, widths: &[usize]) -> String {
    let values = columns(swept, widths, |parameter| &row.values[&parameter.name]);
    let Some(timed) = &row.performance else {
        let left = WIDTH.saturating_sub(4 + values.chars().count() + 9);
        return format!("  {values}  {} {}", "refused:".red(), shortened(&row.reason, left));
    };
    let figures = format!(
        "{:>10.4} {:>8.1} {:>5.1} % {:>8.1}",
        1e3 * timed.seconds,
        timed.gigabytes_per_second,
        100.0 * timed.share,
        timed.speedup
    );
    let marks = [(row.best, "best"), (row.current, "file")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    format!("  {values}  {figures:>FIGURES$}  {}", marks.join(", ").green())
}
