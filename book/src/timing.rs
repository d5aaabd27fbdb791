//! The page of the timing model's accuracy: how good it is, kernel by kernel, and the rates it is made of.

use std::fmt::Write as _;

use crate::tables::{self, Data};

/// The page.
pub fn page(data: &[Data]) -> String {
    let mut out = "# The timing model beside an H200\n".to_owned();
    for (heading, made) in [
        ("How good it is", tables::model::comparison as fn(&serde_json::Value) -> Option<String>),
        ("What it counts", tables::model::counts),
        ("Kernel by kernel", tables::model::kernels),
        ("The rates", tables::model::rates),
    ] {
        for file in data {
            if let Some(table) = made(&file.value) {
                let _ = write!(out, "\n## {heading}\n\n{}{table}", tables::provenance(file));
            }
        }
        if heading == "How good it is" {
            out += "\n![Predicted over measured times: a point for each kernel, task and picture; the thin lines are 15 % \
                    off](../model-h200.svg)\n";
        }
    }
    out
}
