//! The published figures, and the choice among them.

use std::sync::LazyLock;

use lab::Picture;
use records::published::{Experiment, ImageOf, Paper, Published};

use judge::exit::Stop;
use judge::labs;

/// The image as a lab's picture; `None` if the file describes none.
pub fn picture(image: ImageOf) -> Option<Picture> {
    match (image.scene, image.flat, image.gray_noise, image.levels) {
        (Some([width, height]), None, None, None) => Some(Picture::Scene { width, height }),
        (None, Some([width, height]), None, None) => {
            Some(Picture::Flat { width, height, value: [90, 140, 200] })
        }
        (None, None, Some([width, height]), Some(levels)) => {
            Some(Picture::GrayNoise { width, height, levels })
        }
        _ => None,
    }
}

static PUBLISHED: LazyLock<Result<Published, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("published.json")).map_err(|error| error.to_string()));

/// All published figures.
pub fn published() -> Result<&'static Published, Stop> {
    PUBLISHED.as_ref().map_err(|error| {
        Stop::environment(format!("failed to read the workbook's own published figures: {error}"))
    })
}

/// Some experiments of a report.
#[derive(Debug)]
pub struct Selection {
    /// The report.
    pub report: &'static Paper,
    /// The experiments, in its order.
    pub experiments: Vec<&'static Experiment>,
}

/// The experiments that names such as `R0` and `R0/grayscale` ask for; all if there are none.
pub fn select(names: &[String]) -> Result<Vec<Selection>, Stop> {
    let reports = &published()?.reports;
    if names.is_empty() {
        return Ok(reports.iter().map(whole).collect());
    }
    let mut selected: Vec<Selection> = Vec::new();
    for name in names {
        let new = one(reports, name)?;
        // A report is headed once, however many of its experiments are named.
        match selected.iter_mut().find(|known| known.report.id == new.report.id) {
            None => selected.push(new),
            Some(known) => {
                for experiment in new.experiments {
                    if !known.experiments.iter().any(|one| one.name == experiment.name) {
                        known.experiments.push(experiment);
                    }
                }
            }
        }
    }
    Ok(selected)
}

fn whole(report: &'static Paper) -> Selection {
    Selection { report, experiments: report.experiments.iter().collect() }
}

fn one(reports: &'static [Paper], name: &str) -> Result<Selection, Stop> {
    let (id, experiment) = name.split_once('/').map_or((name, None), |(id, rest)| (id, Some(rest)));
    let report = reports.iter().find(|report| report.id.eq_ignore_ascii_case(id)).ok_or_else(|| {
        let ids: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
        let advice = format!("the reports are {}", labs::quoted(&ids));
        Stop::Usage(labs::unknown("report", id, &ids, &advice))
    })?;
    let Some(wanted) = experiment else { return Ok(whole(report)) };
    let found = report.experiments.iter().find(|one| one.name == wanted).ok_or_else(|| {
        let names: Vec<&str> = report.experiments.iter().map(|one| one.name.as_str()).collect();
        let advice = format!("the experiments of {} are {}", report.id, labs::quoted(&names));
        Stop::Usage(labs::unknown("experiment", wanted, &names, &advice))
    })?;
    Ok(Selection { report, experiments: vec![found] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_complete_and_consistent() {
        let reports = &published().expect("the file is valid").reports;
        assert_eq!(
            reports.iter().map(|report| &report.id).collect::<Vec<_>>(),
            ["R0", "R1", "R2", "R3", "R4"]
        );
        for report in reports {
            assert!(
                report.gpu.as_ref().is_none_or(|gpu| simulator::model::find(gpu).is_some()),
                "{report:?}"
            );
            for one in &report.experiments {
                assert!(!one.source.is_empty(), "{one:?}");
                assert!(one.image.is_none_or(|image| picture(image).is_some()), "{one:?}");
                assert!(!one.rows.is_empty() || !one.claims.is_empty(), "{one:?}");
                assert!(one.rows.iter().all(|row| row.ms > 0.0), "{one:?}");
                assert!(one.rows.iter().all(|row| row.rung.is_some() != row.reference.is_some()), "{one:?}");
                let is_order =
                    |claim: &records::published::Claim| claim.faster.is_some() && !claim.slower.is_empty();
                assert!(one.claims.iter().all(|claim| is_order(claim) != (claim.same.len() > 1)), "{one:?}");
            }
        }
    }

    /// The tables' own arithmetic: a figure copied wrongly would not give the speedups that stand beside it.
    #[test]
    fn the_figures_give_the_speedups_that_the_reports_print() {
        let times = |id: &str, experiment: &str, from: usize, to: usize| {
            let selected = select(&[format!("{id}/{experiment}")]).expect("it is there");
            let rows = &selected[0].experiments[0].rows;
            rows[from].ms / rows[to].ms
        };
        let close =
            |ours: f64, printed: f64| assert!((ours / printed - 1.0).abs() < 0.02, "{ours} {printed}");
        close(times("R0", "histogram", 0, 4), 5.3);
        close(times("R0", "contrast", 0, 4), 117.0);
        close(times("R0", "smoothing", 0, 2), 271.0);
        close(times("R0", "pipeline", 0, 1), 53.0);
        for (image, one, ten) in [
            ("img00", 31.79, 31.79),
            ("img01", 182.80, 191.32),
            ("img02", 120.88, 132.26),
            ("img04", 138.80, 166.96),
            ("img06", 151.76, 181.79),
        ] {
            close(times("R1", &format!("darken-{image}"), 0, 1), one);
            close(times("R1", &format!("darken-{image}"), 0, 2), ten);
        }
        for (image, thirty, fixed) in [
            ("img00", 40.10, 25.26),
            ("img01", 25.62, 30.49),
            ("img02", 24.63, 28.19),
            ("img04", 16.06, 16.68),
            ("img06", 61.53, 63.24),
        ] {
            close(times("R1", &format!("histogram-{image}"), 0, 1), thirty);
            close(times("R1", &format!("histogram-{image}"), 0, 2), fixed);
        }
        close(times("R2", "filter-10000", 0, 2), 54.23);
        close(times("R2", "filter-10000", 2, 3), 1.66);
        close(times("R2", "filter-1000", 1, 2), 73.62);
        close(times("R2", "filter-1000", 0, 3), 88.60);
    }

    #[test]
    fn unknown_names_are_bad_usage() {
        let message = |name: &str| select(&[name.to_owned()]).map(|_| ()).unwrap_err().to_string();
        assert!(message("R9").contains("the reports are `R0`, `R1`"), "{}", message("R9"));
        assert!(message("R0/graysale").contains("did you mean `grayscale`?"), "{}", message("R0/graysale"));
        assert_eq!(select(&["r2".to_owned()]).unwrap()[0].experiments.len(), 3);
        assert_eq!(select(&[]).unwrap().len(), 5);
        let twice = select(&["R0/grayscale", "R2", "R0/contrast", "r0/contrast"].map(str::to_owned)).unwrap();
        assert_eq!(twice.iter().map(|one| one.experiments.len()).collect::<Vec<_>>(), [2, 3]);
    }
}
