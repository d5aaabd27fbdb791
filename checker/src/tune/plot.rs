//! A sweep as a picture: the share of the yardstick's speed over one parameter, one line per combination of the others,
//! one panel per task.

use std::path::Path;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::plan::Parameter;
use super::sweep::{Row, Swept};
use judge::exit::Stop;

/// Pixels of a panel.
const PANEL: (u32, u32) = (900, 480);

/// Most lines with a name: more names would cover the picture.
const NAMED: usize = 12;

/// Tests that the file can be written.
pub fn check(path: &Path) -> Result<(), Stop> {
    let existed = path.exists();
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(|error| unwritable(path, &error))?;
    if !existed {
        std::fs::remove_file(path).map_err(|error| unwritable(path, &error))?;
    }
    Ok(())
}

/// Draws the sweep, and writes the file.
pub fn save(path: &Path, swept: &Swept) -> Result<(), Stop> {
    let drawn =
        draw(swept).map_err(|error| Stop::environment(format!("failed to draw the sweep: {error}")))?;
    std::fs::write(path, drawn).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Stop {
    Stop::Usage(format!(
        "failed to write `{}`: {error}; name a file in a folder that you may write to",
        path.display()
    ))
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(swept: &Swept) -> Result<String, Box<dyn std::error::Error>> {
    let mut tasks: Vec<&str> = swept.rows.iter().map(|row| row.task.as_str()).collect();
    tasks.dedup();
    let mut text = String::new();
    {
        let size = (PANEL.0, PANEL.1 * tasks.len() as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        for (panel, task) in root.split_evenly((tasks.len(), 1)).iter().zip(&tasks) {
            let rows: Vec<&Row> = swept.rows.iter().filter(|row| row.task == *task).collect();
            draw_task(panel, swept, task, &rows)?;
        }
        root.present()?;
    }
    Ok(text)
}

/// The parameter on the x axis: the one with the most values.
fn along<'a>(swept: &'a Swept, task: &str) -> Option<&'a Parameter> {
    let own = swept.parameters.iter().rev().filter(|parameter| parameter.tasks.contains(&task));
    own.max_by_key(|parameter| parameter.values.len())
}

fn draw_task(
    panel: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    swept: &Swept,
    task: &str,
    rows: &[&Row],
) -> Drawn {
    let Some(along) = along(swept, task) else { return Ok(()) };
    let lines = lines(swept, along, rows);
    let highest = lines.iter().flat_map(|line| &line.1).map(|(_, share)| *share).fold(1.0, f64::max);
    let last = along.values.len().saturating_sub(1) as f64;
    let basis = if swept.measured { "measured" } else { "predicted" };
    let mut chart = ChartBuilder::on(panel)
        .caption(format!("{}, {task}: {} ({basis})", swept.lab, swept.gpu), ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(-0.25..last + 0.25, 0.0..highest * 1.1)?;
    let label = |x: &f64| {
        let index = x.round();
        let value = along.values.get(index as usize).filter(|_| index >= 0.0 && (x - index).abs() < 1e-6);
        value.cloned().unwrap_or_default()
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(2 * along.values.len() + 1)
        .x_label_formatter(&label)
        .max_light_lines(0)
        .label_style(("sans-serif", 14))
        .x_desc(along.name.as_str())
        .y_desc("share of the yardstick's speed, %")
        .draw()?;
    let named = lines.len() <= NAMED && lines.iter().any(|line| !line.0.is_empty());
    draw_lines(&mut chart, lines)?;
    // A cross at the bottom for each combination that is not valid.
    let refused = rows.iter().filter(|row| !row.valid).filter_map(|row| {
        let place = along.values.iter().position(|value| *value == row.values[&along.name])?;
        Some(Cross::new((place as f64, 0.0), 6, RED.stroke_width(2)))
    });
    chart.draw_series(refused)?;
    if named {
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .position(SeriesLabelPosition::LowerRight)
            .draw()?;
    }
    Ok(())
}

type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws the lines, with names for the legend if they are few.
fn draw_lines(chart: &mut Chart<'_>, lines: Vec<Line>) -> Drawn {
    let count = lines.len();
    let many = count > NAMED;
    for (index, (name, points)) in lines.into_iter().enumerate() {
        let colour = Palette99::pick(index).to_rgba();
        // The first line is the widest, so that lines on top of each other stay visible.
        let width = 2 + 2 * (count - 1 - index).min(6) as u32;
        let series = chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(width)))?;
        if !name.is_empty() && !many {
            series
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, colour.filled())))?;
    }
    Ok(())
}

/// A line's name, and its points.
type Line = (String, Vec<(f64, f64)>);

/// Points by line, in the order of the sweep: place on the x axis, share in per cent. Combinations that are not valid
/// have none.
fn lines(swept: &Swept, along: &Parameter, rows: &[&Row]) -> Vec<Line> {
    // A parameter with one value is not part of a name.
    let task = rows.first().map(|row| row.task.as_str());
    let varies = |parameter: &&Parameter| {
        let own = task.is_some_and(|task| parameter.tasks.contains(&task));
        own && parameter.name != along.name && parameter.values.len() > 1
    };
    let others: Vec<&Parameter> = swept.parameters.iter().filter(varies).collect();
    let mut lines: Vec<Line> = Vec::new();
    for row in rows {
        let name: Vec<String> = others
            .iter()
            .map(|parameter| format!("{} {}", parameter.name, row.values[&parameter.name]))
            .collect();
        let place = along.values.iter().position(|value| *value == row.values[&along.name]);
        if let (Some(place), Some(timed)) = (place, &row.performance) {
            let (name, point) = (name.join(", "), (place as f64, 100.0 * timed.share));
            match lines.iter_mut().find(|line| line.0 == name) {
                Some(line) => line.1.push(point),
                None => lines.push((name, vec![point])),
            }
        }
    }
    lines
}
