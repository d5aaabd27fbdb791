//! Synthetic classes, graded again and with faults, and pairs of files that are alike.

use records::Grading;

use crate::markdown::{Align, table};

/// The tables of a file.
pub fn tables(grading: &Grading) -> String {
    let mut parts = vec![format!("On {} cores.", grading.cores)];
    if !grading.gradings.is_empty() {
        let rows = grading.gradings.iter().map(|one| {
            let same = if one.same { "the same" } else { "others" };
            vec![one.how.clone(), format!("{:.0}", one.seconds), same.to_owned()]
        });
        let columns = [("grading", Align::Left), ("seconds", Align::Right), ("files", Align::Left)];
        parts.push(format!("{} students:", grading.students));
        parts.push(table(&columns, &rows.collect::<Vec<_>>()));
    }
    if !grading.faults.is_empty() {
        let rows = grading.faults.iter().map(|kind| {
            vec![kind.kind.clone(), kind.runs.to_string(), kind.struck.to_string(), kind.same.to_string()]
        });
        let columns = [
            ("fault, at a random moment", Align::Left),
            ("gradings", Align::Right),
            ("struck", Align::Right),
            ("same files after `--resume`", Align::Right),
        ];
        parts.push("A small class with one fault in each grading:".to_owned());
        parts.push(table(&columns, &rows.collect::<Vec<_>>()));
    }
    let rows = grading.similar.iter().map(|one| {
        let what = if one.transformation.is_empty() { "two different files" } else { &one.transformation };
        vec![one.lab.clone(), what.to_owned(), one.pairs.to_string(), one.shown.to_string()]
    });
    let columns = [
        ("lab", Align::Left),
        ("pairs", Align::Left),
        ("count", Align::Right),
        ("shown as alike", Align::Right),
    ];
    parts.push("Pairs of a file and its changed copy, and of two different files:".to_owned());
    parts.push(table(&columns, &rows.collect::<Vec<_>>()));
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use records::{Faults, Similar, Whole};

    use super::*;

    #[test]
    fn every_figure_is_shown() {
        let shown = tables(&Grading {
            cores: 2,
            students: 200,
            gradings: vec![Whole { how: "again".into(), seconds: 71.4, same: true }],
            faults: vec![Faults { kind: "killed".into(), runs: 50, struck: 41, same: 50 }],
            similar: vec![Similar { lab: "lab1".into(), transformation: String::new(), pairs: 36, shown: 3 }],
        });
        for row in [
            "| again | 71 | the same |",
            "| killed | 50 | 41 | 50 |",
            "| lab1 | two different files | 36 | 3 |",
        ] {
            assert!(shown.contains(row), "{row} in {shown}");
        }
    }
}
