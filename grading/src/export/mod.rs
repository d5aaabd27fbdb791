//! Grades in the forms that other systems read.

mod canvas;
mod cell;
mod classroom50;
mod gradescope;
mod junit;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::Error;
use crate::result::{Class, Graded};

pub use canvas::Gradebook;
pub use gradescope::results as gradescope;

/// What exports need besides results.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The name of the assignment elsewhere; the lab's name if empty.
    pub assignment: String,
    /// An exported Canvas gradebook to fill in.
    pub gradebook: Option<Gradebook>,
    /// The variables that Classroom 50 gives to a grader.
    pub environment: BTreeMap<String, String>,
}

impl Settings {
    fn assignment<'a>(&'a self, class: &'a Class) -> &'a str {
        if self.assignment.is_empty() { &class.lab } else { &self.assignment }
    }
}

/// A file: its path below the folder of exports, and its bytes.
pub type File = (String, Vec<u8>);

/// All exports.
pub fn all(all: &[Graded], class: &Class, settings: &Settings) -> Result<Vec<File>, Error> {
    let assignment = settings.assignment(class);
    let mut files = vec![
        ("grades.csv".to_owned(), table::plain(all)?),
        ("grades.json".to_owned(), table::json(all)?),
        ("nbgrader.csv".to_owned(), table::nbgrader(all, assignment)?),
        ("moodle.csv".to_owned(), table::moodle(all)?),
        ("junit.xml".to_owned(), junit::junit(all, assignment)?),
    ];
    for one in all {
        files.push((format!("gradescope/{}.json", one.person.id), gradescope::results(one)?));
        files.push((
            format!("classroom50/{}.json", one.person.id),
            classroom50::result(one, assignment, settings)?,
        ));
    }
    if let Some(gradebook) = &settings.gradebook {
        files.push(("canvas.csv".to_owned(), gradebook.filled(all)?));
    }
    Ok(files)
}

/// JSON with a line end.
fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::Environment(format!("failed to write a result as JSON: {error}"));
    serde_json::to_vec_pretty(value).map(|bytes| [bytes, b"\n".to_vec()].concat()).map_err(failed)
}
