//! The tables of the README, made from the committed measurements.
//!
//! They stand between `<!-- made from data: NAME -->` and `<!-- end -->`; what lies between is replaced.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::generate::read;
use crate::tables::{self, Data};

const BEGIN: &str = "<!-- made from data: ";
const END: &str = "<!-- end -->";

/// What a place is filled with.
struct Section {
    name: &'static str,
    /// The table of a file, if the file is of that kind.
    table: fn(&Value) -> Option<String>,
    /// What measures it.
    command: &'static str,
}

const SECTIONS: [Section; 6] = [
    Section {
        name: "ladders",
        table: tables::matrix::ends,
        command: "workshop matrix --out book/data/matrix-h200.json",
    },
    Section {
        name: "peers",
        table: tables::bench::headline,
        command: "workshop bench --out book/data/bench-h200.json",
    },
    Section {
        name: "model",
        table: tables::model::comparison,
        command: "workshop model --out book/data/model-h200.json",
    },
    Section {
        name: "scores",
        table: tables::scores::summary,
        command: "workshop scores --out book/data/scores-h200.json",
    },
    Section {
        name: "repeat",
        table: tables::scores::repeated,
        command: "workshop repeat lab1 --solution --out book/data/repeat-h200.json",
    },
    Section {
        name: "simulator",
        table: tables::other::simulator_peers,
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
        let tables = data.iter().filter_map(|file| {
            let table = (self.table)(&file.value)?;
            Some(format!("{}{}\n", tables::provenance(file), table.trim_end()))
        });
        let tables: Vec<String> = tables.collect();
        if tables.is_empty() {
            return format!("Not measured yet: `{}` does.\n", self.command);
        }
        tables.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn data() -> Vec<Data> {
        let value = json!({"gpu": "NVIDIA H200", "driver": "580", "date": "2026-11-21", "within": 1,
            "allowed_difference": 5.0, "command": "c",
            "rungs": [{"lab": "lab1", "rung": "01_a", "measured": 90.0, "predicted": 91.0, "difference": 1.0}]});
        vec![Data { name: "scores-h200.json".into(), value }]
    }

    #[test]
    fn what_stands_between_the_marks_is_replaced_and_nothing_else() {
        let text = "a\n<!-- made from data: scores -->\nold\n<!-- end -->\nb\n<!-- made from data: peers -->\n\
                    <!-- end -->\nc\n";
        let made = filled(text, &data()).expect("both are known");
        let start = "a\n<!-- made from data: scores -->\n\nNVIDIA H200, driver 580, 2026-11-21; \
                     `book/data/scores-h200.json`, made by `c`.\n\nOf 1 rungs, 1 get";
        assert!(made.starts_with(start), "{made}");
        assert!(made.contains(
            "\n<!-- end -->\nb\n<!-- made from data: peers -->\n\nNot measured yet: `workshop bench"
        ));
        assert!(made.ends_with("<!-- end -->\nc\n") && !made.contains("old"), "{made}");
        assert_eq!(filled(&made, &data()).expect("the same"), made);
    }

    #[test]
    fn a_mark_without_an_end_or_of_no_name_is_refused() {
        for text in ["<!-- made from data: peers -->\n", "<!-- made from data: x -->\n<!-- end -->"] {
            assert!(filled(text, &[]).is_err(), "{text}");
        }
    }
}
