//! A sweep as a table of at most 100 columns.

use std::fmt::Write as _;

use colored::Colorize;

use super::plan::Parameter;
use super::sweep::{Row, Swept};
use judge::limiters;
use judge::next::MOSTLY_COPIES;
use judge::numbers::significant;
use judge::report::Performance;
use judge::tunable::CLEARLY;
use judge::wrap::{hanging, shortened};

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
    let mut task = "";
    let mut of_task: Vec<&Parameter> = Vec::new();
    for (place, row) in swept.rows.iter().enumerate() {
        if row.task != task {
            task = &row.task;
            // A constant of another task has one value only.
            of_task = swept.parameters.iter().filter(|parameter| parameter.tasks.contains(&task)).collect();
            let names = columns(&of_task, |parameter| &parameter.name);
            let _ = writeln!(out, "\n{}", task.bold());
            let _ = writeln!(out, "  {names}  {:>10} {:>8} {:>7} {:>8}", "ms", "GB/s", "share", "speedup");
        }
        let _ = writeln!(out, "{}", line(row, &of_task, is_kept(swept, row)).trim_end());
        if swept.rows.get(place + 1).is_none_or(|next| next.task != *task) {
            let told = unmoved(swept, task).or_else(|| kept(swept, task, &of_task));
            for why in [one_by_one(swept, task), told].into_iter().flatten() {
                let _ = writeln!(out, "\n{}", hanging("  ", &why));
            }
        }
    }
    for told in swept.parameters.iter().filter_map(|parameter| shared(swept, parameter)) {
        let _ = writeln!(out, "\n{}", hanging("", &told));
    }
    let any = |kept: bool| swept.rows.iter().any(|row| row.best && is_kept(swept, row) == kept);
    let best = if any(false) { "best: the values to take; " } else { "" };
    let kept = if any(true) { "kept: no row is clearly better; " } else { "" };
    let _ = writeln!(out, "\n{best}{kept}file: the file's values; share: of the yardstick's speed");
    out
}

/// Whether the file's values are the ones to take although another row of the same picture is faster, but not clearly.
fn is_kept(swept: &Swept, row: &Row) -> bool {
    let seconds = |row: &Row| row.performance.as_ref().map_or(f64::INFINITY, |timed| timed.seconds);
    let pictures = || swept.parameters.iter().filter(|parameter| parameter.current.is_none());
    let rival = |other: &&Row| {
        other.task == row.task && pictures().all(|of| other.values[&of.name] == row.values[&of.name])
    };
    row.best && swept.rows.iter().filter(rival).any(|other| seconds(other) < seconds(row))
}

/// What is said of a task whose constants were swept one after the other.
fn one_by_one(swept: &Swept, task: &str) -> Option<String> {
    swept.apart.contains(&task).then(|| {
        "One constant after the other, each beside the best values of those before it; `--all` tries all combinations.".to_owned()
    })
}

/// Said where no setting is clearly faster than the file's: smaller differences are within what a time tells.
fn kept(swept: &Swept, task: &str, of_task: &[&Parameter]) -> Option<String> {
    let rows: Vec<&Row> =
        swept.rows.iter().filter(|row| row.task == task && row.performance.is_some()).collect();
    let all_kept = rows.iter().filter(|row| row.best).all(|row| row.current);
    let constants: Vec<String> = of_task
        .iter()
        .filter_map(|parameter| Some(format!("{} = {}", parameter.name, parameter.current.as_ref()?)))
        .collect();
    let seconds = |row: &&&Row| row.performance.as_ref().map_or(f64::INFINITY, |timed| timed.seconds);
    let best = rows.iter().filter(|row| row.best).map(|row| seconds(&row)).fold(f64::INFINITY, f64::min);
    let next = rows.iter().filter(|row| !row.best).map(|row| seconds(&row)).fold(f64::INFINITY, f64::min);
    // Of several pictures, each has its own best row.
    let one_best = rows.iter().filter(|row| row.best).count() == 1;
    if all_kept && one_best && next.is_finite() && best < (1.0 - CLEARLY) * next && !constants.is_empty() {
        return Some(format!(
            "For `{task}`, the file's values are the best: keep {}. The next best setting takes {:.0} % more time.",
            constants.join(", "),
            100.0 * (next / best - 1.0)
        ));
    }
    (rows.len() > 1 && all_kept && !constants.is_empty()).then(|| {
        format!(
            "For `{task}`, no setting is clearly better (by {:.0} % or more): keep {}.",
            100.0 * CLEARLY,
            constants.join(", ")
        )
    })
}

/// Said of a constant that several tasks use, where the best value of one is not that of another.
fn shared(swept: &Swept, parameter: &Parameter) -> Option<String> {
    // Another picture may have another best value.
    let one_picture = swept.parameters.iter().all(|parameter| parameter.current.is_some());
    let of_task = |task: &'static str| swept.rows.iter().filter(move |row| row.task == task);
    let best = |task: &'static str| Some((task, of_task(task).find(|row| row.best)?));
    let best: Vec<(&'static str, &Row)> = parameter.tasks.iter().filter_map(|task| best(task)).collect();
    let mut values: Vec<&str> = best.iter().map(|(_, row)| row.values[&parameter.name].as_str()).collect();
    let told: Vec<String> =
        best.iter().zip(&values).map(|((task, _), value)| format!("{value} for `{task}`")).collect();
    values.dedup();
    if !one_picture || values.len() < 2 {
        return None;
    }
    let seconds = |row: &Row| row.performance.as_ref().map_or(f64::INFINITY, |timed| timed.seconds);
    let with = |task: &'static str, value: &str| {
        let rows = of_task(task).filter(|row| row.values[&parameter.name] == value);
        rows.map(seconds).fold(f64::INFINITY, f64::min)
    };
    let suits =
        |value: &&String| best.iter().all(|(task, row)| (1.0 - CLEARLY) * with(task, value) <= seconds(row));
    let name = &parameter.name;
    Some(match parameter.values.iter().find(suits) {
        Some(value) => format!(
            "Several tasks use `{name}`: take {value}, with which the time of each is within {:.0} % of its best.",
            100.0 * CLEARLY
        ),
        None => format!(
            "Several tasks use `{name}`, and no value suits all of them. The best is {}: give each task a constant of its own.",
            told.join(", ")
        ),
    })
}

/// Times that differ by less than this share of them are equal.
const EQUAL: f64 = 0.005;

/// Why the values make no difference to a task: said where all of its rows have the same time.
fn unmoved(swept: &Swept, task: &str) -> Option<String> {
    let timed: Vec<&Performance> =
        swept.rows.iter().filter(|row| row.task == task).filter_map(|row| row.performance.as_ref()).collect();
    let (least, most) = timed.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), timed| {
        (least.min(timed.seconds), most.max(timed.seconds))
    });
    let one_picture = timed.iter().all(|one| (one.width, one.height) == (timed[0].width, timed[0].height));
    if timed.len() < 2 || !one_picture || most - least > EQUAL * most {
        return None;
    }
    let own = swept.parameters.iter().filter(|parameter| parameter.tasks.contains(&task));
    // Sizes and levels are the picture's: no kernel can use them as a constant.
    let (constants, pictures): (Vec<_>, Vec<_>) = own.partition(|parameter| parameter.current.is_some());
    let names: Vec<String> = constants.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
    let names = names.join(", ");
    let same = least.to_bits() == most.to_bits();
    if constants.is_empty() && pictures.iter().any(|parameter| parameter.name == "levels") {
        return Some(format!(
            "The time of `{task}` is the same with each number of levels in the picture: that is the aim."
        ));
    }
    if constants.is_empty() {
        return None;
    }
    Some(if same {
        format!(
            "All rows are equal: no value of {names} changes what the kernels of `{task}` execute. Look whether they, or their launch, use it."
        )
    } else {
        let first = timed[0];
        let copies = first.transfer_seconds.filter(|copies| *copies >= MOSTLY_COPIES * first.seconds);
        let limiter = first.limiter.map(|limiter| match copies {
            Some(copies) => format!(
                ": copies between host and GPU take {} of {} ms, which they do not change",
                significant(1e3 * copies),
                significant(1e3 * first.seconds)
            ),
            None => format!(
                ": it is limited by {}, which they do not change",
                limiters::cause(limiter, first.wait, first.resident.as_ref())
            ),
        });
        format!(
            "All rows are within 0.5 %: the values of {names} make no difference to `{task}`{}. Change something else.",
            limiter.unwrap_or_default()
        )
    })
}

/// One column per parameter.
fn columns<'a>(parameters: &[&'a Parameter], text: impl Fn(&'a Parameter) -> &'a String) -> String {
    let cell = |parameter: &&'a Parameter| {
        let widest = parameter.values.iter().map(String::len).chain([parameter.name.len()]).max();
        let width = widest.unwrap_or(0).min(WIDEST);
        format!("{:>width$}", shortened(text(parameter), width))
    };
    parameters.iter().map(cell).collect::<Vec<_>>().join(" ")
}

fn line<'a>(row: &'a Row, parameters: &[&'a Parameter], kept: bool) -> String {
    let values = columns(parameters, |parameter| &row.values[&parameter.name]);
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
    let marks = [(row.best, if kept { "kept" } else { "best" }), (row.current, "file")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    format!("  {values}  {figures:>FIGURES$}  {}", marks.join(", ").green())
}
