//! Measuring some kernels of a file again, and keeping the file's figures of the others: `--only`.

use std::path::Path;

use clap::Args;
use lab::Lab;
use records::{Content, Provenance, ReadError};

use judge::exit::Stop;

/// Which kernels are measured.
#[derive(Debug, Clone, Default, Args)]
pub struct Only {
    /// Only kernels whose file name contains one of these; the file keeps its figures of the others
    #[arg(long = "only", value_name = "NAMES", value_delimiter = ',')]
    pub names: Vec<String>,
}

impl Only {
    /// Whether all are.
    pub fn is_all(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether every figure of the file is measured: otherwise those of other labs and kernels are kept in it.
    pub fn is_new(&self, labs: &[&'static dyn Lab], out: &Path) -> bool {
        self.is_all() && (labs.len() == judge::labs::all().len() || !out.exists())
    }

    /// Whether the kernel of this name is.
    pub fn has(&self, name: &str) -> bool {
        is_chosen(&self.names, name)
    }
}

/// Whether a name contains one of the parts; any name does if there are none.
pub fn is_chosen(parts: &[String], name: &str) -> bool {
    parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
}

/// The figures of a file that get new ones beside them; `here` is the provenance of the new ones. Figures of different
/// GPUs, drivers or compilers do not belong in one file.
pub fn figures<C: Content>(path: &Path, here: &Provenance) -> Result<C, Stop> {
    let record = records::read::<C>(path).map_err(stop)?;
    let (there, here) = (record.provenance.machine(), here.machine());
    if there == here {
        return Ok(record.content);
    }
    Err(Stop::environment(format!(
        "the figures of `{}` were measured with {}, this is {}: measure all of them, without `--only`",
        path.display(),
        there.join(", "),
        here.join(", ")
    )))
}

/// A file that cannot be read ends a command.
pub fn stop(error: ReadError) -> Stop {
    Stop::Environment(error.into())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::{Record, Times};

    use super::*;

    #[test]
    fn parts_of_names_choose_and_nothing_chooses_all() {
        let only = Only { names: vec!["02".to_owned(), "tile".to_owned()] };
        let chosen = ["01_plain", "02_coalesced", "06_shared_tile"].map(|name| only.has(name));
        assert_eq!(chosen, [false, true, true]);
        assert!(Only::default().has("01_plain") && Only::default().is_all() && !only.is_all());
    }

    #[test]
    fn figures_of_another_driver_are_not_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("times.json");
        let with = |driver: &str| Provenance {
            gpu: Some("A".to_owned()),
            driver: Some(driver.to_owned()),
            compiler: Some("C".to_owned()),
            ..Provenance::default()
        };
        let record = Record::new(with("1"), Times { points: Vec::new() });
        std::fs::write(&path, serde_json::to_string(&record).unwrap()).unwrap();
        assert_eq!(figures::<Times>(&path, &with("1")).unwrap(), record.content);
        let refused = figures::<Times>(&path, &with("2")).expect_err("another driver").to_string();
        assert!(refused.contains("measured with A, 1, C, this is A, 2, C"), "{refused}");
    }
}
