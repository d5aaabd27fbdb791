//! The tables of the README, generated from the committed measurements.
//!
//! They stand between `<!-- generated: NAME -->` and `<!-- end -->`; the text between is replaced.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::data::{self, Data};
use crate::files::read;
use crate::tables::{bench, matrix, model, scores, simulator_peers};

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// A place in the README.
struct Section {
    name: &'static str,
    /// Its tables; empty if nothing is measured.
    tables: fn(&[Data]) -> String,
    /// The command that measures them.
    command: &'static str,
}

const SECTIONS: [Section; 6] = [
    Section {
        name: "ladders",
        tables: |data| data::tables(data, matrix::ends),
        command: "workshop matrix --out book/data/matrix-h200.json",
    },
    Section {
        name: "peers",
        tables: |data| data::tables(data, bench::headline),
        command: "workshop bench --out book/data/bench-h200.json",
    },
    Section {
        name: "model",
        tables: |data| data::tables(data, |content| Some(model::comparison(content))),
        command: "workshop model --out book/data/model-h200.json",
    },
    Section {
        name: "scores",
        tables: |data| data::tables(data, scores::summary),
        command: "workshop scores --out book/data/scores-h200.json",
    },
    Section {
        name: "repeat",
        tables: |data| data::tables(data, |content| Some(scores::repeated(content))),
        command: "workshop repeat lab1 --solution --out book/data/repeat-h200.json",
    },
    Section {
        name: "simulator",
        tables: |data| data::tables(data, |content| Some(simulator_peers::short(content))),
        command: "engine/simulator/benches/peers/run > book/data/simulator-peers.json",
    },
];

/// The README as it is now, and as it should be.
pub fn texts(root: &Path, data: &[Data]) -> anyhow::Result<(String, String)> {
    let now = read(&root.join("README.md"))?;
    let made = filled(&now, data).context("failed to fill in the tables of `README.md`")?;
    Ok((now, made))
}

/// A text with every place filled in.
fn filled(text: &str, data: &[Data]) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(" -->\n").context("a mark does not end in its line")?;
        let (_, after) = after.split_once(END).with_context(|| format!("`{name}` has no `{END}`"))?;
        let Some(section) = SECTIONS.iter().find(|section| section.name == name) else {
            let names = SECTIONS.map(|section| section.name).join("`, `");
            bail!("nothing is called `{name}`: there are `{names}`");
        };
        let _ = write!(out, "{before}{BEGIN}{name} -->\n\n{}\n{END}", section.text(data));
        rest = after;
    }
    Ok(out + rest)
}

impl Section {
    fn text(&self, data: &[Data]) -> String {
        let tables = (self.tables)(data);
        if tables.is_empty() {
            return format!("Not measured yet: run `{}`.\n", self.command);
        }
        format!("{}\n", tables.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::{Contents, Provenance, RungScores, Scores};

    use super::*;

    fn data() -> Vec<Data> {
        let provenance = Provenance {
            gpu: Some("NVIDIA H200".to_owned()),
            driver: Some("580".to_owned()),
            date: Some("2026-11-21".to_owned()),
            command: "c".to_owned(),
            ..Provenance::default()
        };
        let rung = RungScores {
            lab: "lab1".to_owned(),
            rung: "01_a".to_owned(),
            measured: 90.0,
            predicted: 91.0,
            difference: 1.0,
            tasks: Vec::new(),
        };
        let scores = Scores {
            predicted_for: "NVIDIA H200".to_owned(),
            allowed_difference: 5.0,
            within: 1,
            rungs: vec![rung],
        };
        vec![Data { name: "scores-h200.json".to_owned(), provenance, contents: Contents::Scores(scores) }]
    }

    #[test]
    fn what_stands_between_the_marks_is_replaced_and_nothing_else() {
        let text = "a\n<!-- generated: scores -->\nold\n<!-- end -->\nb\n<!-- generated: peers -->\n\
                    <!-- end -->\nc\n";
        let made = filled(text, &data()).expect("both are known");
        let start = "a\n<!-- generated: scores -->\n\nNVIDIA H200, driver 580, 2026-11-21; \
                     `book/data/scores-h200.json`, written by `c`.\n\nOf 1 rungs, 1 get";
        assert!(made.starts_with(start), "{made}");
        assert!(made.contains(
            "\n<!-- end -->\nb\n<!-- generated: peers -->\n\nNot measured yet: run `workshop bench"
        ));
        assert!(made.ends_with("<!-- end -->\nc\n") && !made.contains("old"), "{made}");
        assert_eq!(filled(&made, &data()).expect("the same"), made);
    }

    #[test]
    fn a_mark_without_an_end_or_of_no_name_is_refused() {
        for text in ["<!-- generated: peers -->\n", "<!-- generated: x -->\n<!-- end -->"] {
            assert!(filled(text, &[]).is_err(), "{text}");
        }
    }
}
