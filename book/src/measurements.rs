//! The pages of the committed measurements.

use std::fmt::Write as _;

use records::{Contents, Model};

use crate::data::{self, Data, provenance};
use crate::tables::{
    attacks, bench, counters, differential, grading, limits, link, matrix, micro, model, papers, programs,
    references, scores, seeds, simulator_peers, times, totals,
};

/// In place of a table that no file holds.
const NONE: &str = "This checkout holds no such measurement yet.\n";

/// The page of all measurements that have no page of their own.
pub fn page(data: &[Data]) -> String {
    let mut out =
        "# Measurements\n\nEvery table here is generated from a file in `book/data/` that a command wrote on \
                   the machine it names. No figure is typed by hand. Two pages hold \
                   more: [other libraries](peers.md) and [scores](scores.md).\n"
            .to_owned();
    for file in data {
        if let Some((title, table)) = section(&file.contents) {
            let _ = write!(out, "\n## {title}\n\n{}{table}", provenance(file));
        }
    }
    out
}

/// Heading and tables of a file; `None` if another page shows it.
fn section(contents: &Contents) -> Option<(String, String)> {
    let (title, tables) = match contents {
        Contents::Bench(_) | Contents::Repeat(_) | Contents::Scores(_) | Contents::Validate(_) => {
            return None;
        }
        Contents::Matrix(content) => {
            let title = format!("Ladders: {}", matrix::labs(content).join(", "));
            return Some((title, matrix::tables(content, None)?));
        }
        Contents::Attacks(content) => ("Files that attack the machine", attacks::table_of(content)),
        Contents::Counters(content) => {
            ("The simulator's counters beside the GPU's own", counters::table_of(content))
        }
        Contents::Differential(content) => {
            ("Random kernels on the simulator and on the GPU", differential::table_of(content))
        }
        Contents::Grading(content) => ("Grading a class", grading::tables(content)),
        Contents::Limits(content) => ("Utilization of the GPU in the last rungs", limits::table_of(content)),
        Contents::Link(content) => ("Copies between host and GPU", link::tables(content)),
        Contents::Micro(content) => ("Costs of single operations", micro::table_of(content)),
        Contents::Model(content) => ("The timing model beside measured times", model::comparison(content)),
        Contents::Programs(content) => {
            let title = format!("The simulator's test programs: {}", content.engine);
            return Some((title, programs::table_of(content)));
        }
        Contents::References(content) => ("The CPU references beside OpenCV", references::table_of(content)),
        Contents::Papers(content) => (papers::title(content), papers::tables(content)),
        Contents::Seeds(content) => ("Predicted scores under secret seeds", seeds::table_of(content)),
        Contents::SimulatorPeers(content) => {
            ("The simulator beside other simulators", simulator_peers::whole(content))
        }
        Contents::Times(content) => ("Measured times for the timing model", times::table_of(content)),
        Contents::Totals(content) => ("The GPU's counters per launch", totals::text(content)),
    };
    Some((title.to_owned(), tables))
}

/// The measured tables of one lab's ladder; empty if there are none.
pub fn of_lab(data: &[Data], lab: &str) -> String {
    data::tables(data, |content| matrix::tables(content, Some(lab)))
}

/// The page of our solutions beside other libraries.
pub fn peers(data: &[Data]) -> String {
    let out = "# Our solutions beside other libraries\n\nThe fastest rungs of the ladders beside NVIDIA's and \
               other libraries: the same pictures on the same GPU in the same run.\n\n```sh\ncargo run --release \
               -p workshop -- bench\n```\n\n";
    let tables = data::tables(data, |content| Some(bench::tables(content)));
    out.to_owned() + if tables.is_empty() { NONE } else { &tables }
}

/// The page of how much scores can be relied on.
pub fn scores(data: &[Data]) -> String {
    let mut out =
        "# Repeatability of scores\n\n## Repeated scores of one file\n\nThe same file scored many times on one \
                   GPU.\n\n```sh\ncargo run --release -p workshop -- repeat lab1 --solution\n```\n\n"
            .to_owned();
    let repeated = data::tables(data, |content| Some(scores::repeated(content)));
    out += if repeated.is_empty() { NONE } else { &repeated };
    out += "\n## Scores with and without a GPU\n\nEvery rung scored with measured and with predicted times, on the same \
            scales. A predicted speedup is over the CPU that the lab names, a measured one over the CPU of the machine with \
            the GPU.\n\n```sh\ncargo run --release -p workshop -- scores\n```\n\n";
    let compared = data::tables(data, scores::compared);
    out + if compared.is_empty() { NONE } else { &compared }
}

/// The tables that the page about the timing model includes: how good it is, how often its intervals hold, what each mechanism is worth.
pub fn timing_pieces(data: &[Data]) -> [(&'static str, String); 3] {
    let of_model = |table: fn(&Model) -> Option<String>| {
        let text = data::tables(data, table);
        if text.is_empty() {
            "*Not in the committed file; `workshop model` prints it.*\n".to_owned()
        } else {
            text
        }
    };
    [
        ("timing-figures.md", of_model(model::figures)),
        ("timing-intervals.md", of_model(model::intervals)),
        ("timing-mechanisms.md", of_model(model::ablation)),
    ]
}

/// The page of the timing model's accuracy: how good it is, kernel by kernel, and the rates it follows from.
pub fn timing_model(data: &[Data]) -> String {
    let mut out = "# The timing model beside an H200\n".to_owned();
    let of_model = |table: &dyn Fn(&Model) -> Option<String>| data::tables(data, table);
    for (heading, tables) in [
        ("Accuracy", of_model(&|content| Some(model::comparison(content)))),
        ("Counts", of_model(&model::counts)),
        ("Kernel by kernel", of_model(&|content| Some(model::kernels(content)))),
        ("Measured rates", data::tables(data, |content| Some(micro::table_of(content)))),
    ] {
        if !tables.is_empty() {
            let _ = write!(out, "\n## {heading}\n\n{tables}");
        }
        if heading == "Accuracy" {
            out += "\n![Predicted over measured times: a point per kernel, task and picture; the thin lines mark errors of \
                    15 %](../model-h200.svg)\n";
        }
    }
    out
}
