//! Predicted over measured times as a picture: a point per time, both axes logarithmic.

use std::path::Path;

use plotters::prelude::*;
use records::Set;

use judge::exit::Stop;

/// Pixels of the picture.
const SIZE: (u32, u32) = (900, 900);
/// Where the axes begin and end, in microseconds.
const RANGE: std::ops::Range<f64> = 2.0..30_000.0;
/// The band in which a prediction is off by less than this factor.
const BAND: f64 = 1.15;

/// One time in seconds, predicted and measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Where its kernel comes from.
    pub set: Set,
    /// Measured.
    pub measured: f64,
    /// Predicted.
    pub predicted: f64,
}

/// Draws, and writes.
pub fn save(path: &Path, gpu: &str, dots: &[Dot]) -> Result<(), Stop> {
    let text =
        draw(gpu, dots).map_err(|error| Stop::environment(format!("failed to draw the model: {error}")))?;
    std::fs::write(path, text)
        .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))
}

fn draw(gpu: &str, dots: &[Dot]) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(format!("Predicted over measured times, {gpu}"), ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(70)
            .build_cartesian_2d(RANGE.log_scale(), RANGE.log_scale())?;
        chart
            .configure_mesh()
            .max_light_lines(0)
            .label_style(("sans-serif", 14))
            .x_desc("measured, µs")
            .y_desc("predicted, µs")
            .draw()?;
        for (factor, width) in [(1.0, 2), (BAND, 1), (1.0 / BAND, 1)] {
            let (low, high) = (RANGE.start * factor.max(1.0), RANGE.end / factor.max(1.0));
            let line = [low, high].map(|x| (x, (x * factor).clamp(RANGE.start, RANGE.end)));
            chart.draw_series(LineSeries::new(line, BLACK.mix(0.5).stroke_width(width)))?;
        }
        for (set, name, colour) in
            [(Set::Ladder, "ladders", BLUE), (Set::Pool, "pool", RED), (Set::Fresh, "fresh", GREEN)]
        {
            let of_set = dots.iter().filter(|dot| dot.set == set).map(|dot| place(*dot));
            chart
                .draw_series(of_set.map(|place| Circle::new(place, 3, colour.mix(0.45).filled())))?
                .label(name)
                .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
        }
        chart
            .configure_series_labels()
            .label_font(("sans-serif", 16))
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .position(SeriesLabelPosition::UpperLeft)
            .draw()?;
        root.present()?;
    }
    Ok(text)
}

/// In microseconds, kept inside the axes.
fn place(dot: Dot) -> (f64, f64) {
    let inside = |seconds: f64| (seconds * 1e6).clamp(RANGE.start, RANGE.end);
    (inside(dot.measured), inside(dot.predicted))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn every_time_is_a_point_of_its_sets_colour() {
        let dot = |set, measured, predicted| Dot { set, measured, predicted };
        let dots = [dot(Set::Ladder, 1e-4, 1.1e-4), dot(Set::Pool, 1e-3, 0.9e-3), dot(Set::Pool, 1e-9, 1.0)];
        let text = draw("a GPU", &dots).unwrap();
        // One of each colour more: the legend's.
        let count = |colour: &str| text.matches(&format!("fill=\"{colour}\"")).count();
        let circles = text.matches("<circle").count();
        assert_eq!(circles, 3 + 3);
        assert_eq!((count("#0000FF"), count("#FF0000"), count("#00FF00")), (1 + 1, 2 + 1, 1));
        assert!(text.contains("a GPU"));
        assert_eq!(place(dots[2]), (RANGE.start, RANGE.end));
    }
}
