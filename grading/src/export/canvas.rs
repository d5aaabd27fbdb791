//! A Canvas gradebook: the file that Canvas exported, with one column filled in. A title that Canvas does not know would become
//! a new assignment, so the column must be there.

use std::path::Path;

use super::cell;
use crate::Error;
use crate::class::{Finder, Row};
use crate::result::{Graded, State};

/// An exported gradebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gradebook {
    lines: Vec<Vec<String>>,
    /// The column to fill in.
    column: usize,
    titles: Titles,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Titles {
    student: Option<usize>,
    id: Option<usize>,
    login: Option<usize>,
    user: Option<usize>,
}

impl Gradebook {
    /// Reads the file, and finds the column of the assignment with this title, or with this number.
    pub fn read(path: &Path, assignment: &str) -> Result<Self, Error> {
        let wrong = |what: &dyn std::fmt::Display| {
            Error::Usage(format!("failed to read the gradebook `{}`: {what}", path.display()))
        };
        let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
        Self::parse(&bytes, assignment).map_err(|what| wrong(&what))
    }

    pub(super) fn parse(bytes: &[u8], assignment: &str) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let lines: Vec<Vec<String>> = reader
            .records()
            .map(|record| record.map(|record| record.iter().map(str::to_owned).collect()))
            .collect::<Result<_, _>>()
            .map_err(|error: csv::Error| error.to_string())?;
        let titles = lines.first().ok_or("it is empty")?;
        let known = |title: &str| titles.iter().position(|own| own.trim() == title);
        let (Some(student), Some(id)) = (known("Student"), known("ID")) else {
            return Err("it has no columns `Student` and `ID`: export it from Canvas".to_owned());
        };
        let is_wanted = |title: &&String| {
            let (name, number) = title.rsplit_once(" (").unwrap_or((title, ""));
            number.ends_with(')') && (name.trim() == assignment || number.trim_end_matches(')') == assignment)
        };
        let found: Vec<usize> =
            titles.iter().enumerate().filter(|(_, title)| is_wanted(title)).map(|(index, _)| index).collect();
        let [column] = found[..] else {
            return Err(format!(
                "{} columns are called `{assignment} (number)`: make the assignment in Canvas, export the gradebook, and name it with `--assignment`",
                found.len()
            ));
        };
        let titles = Titles {
            student: Some(student),
            id: Some(id),
            login: known("SIS Login ID"),
            user: known("SIS User ID"),
        };
        Ok(Self { lines, column, titles })
    }

    /// The file with the scores. A student without a result, or excused, keeps the cell as it is.
    pub fn filled(&self, all: &[Graded]) -> Result<Vec<u8>, Error> {
        let cell = |line: &[String], column: Option<usize>| {
            column.and_then(|c| line.get(c)).cloned().unwrap_or_default()
        };
        let row = |line: &Vec<String>| Row {
            id: cell(line, self.titles.login),
            name: cell(line, self.titles.student),
            ..Row::default()
        };
        let rows: Vec<Row> = self.lines.iter().skip(1).map(row).collect();
        let finder = Finder::new(&rows);
        let mut lines = self.lines.clone();
        for one in all.iter().filter(|one| matches!(one.state, State::Graded | State::Refused)) {
            let person = &one.person;
            let is_own = |line: &Vec<String>| {
                let is = |column, value: &str| !value.is_empty() && cell(line, column) == value;
                is(self.titles.id, &person.number)
                    || is(self.titles.login, &person.login)
                    || is(self.titles.user, &person.login)
            };
            let index =
                self.lines.iter().skip(1).position(is_own).or_else(|| finder.find(person, &person.login));
            let place =
                index.and_then(|index| lines.get_mut(index + 1)).and_then(|line| line.get_mut(self.column));
            if let Some(place) = place.filter(|place| place.trim() != "EX") {
                *place = cell::number(one.score);
            }
        }
        // Names in it are as hostile as elsewhere; Canvas finds students by their numbers.
        let harmless = |line: Vec<String>| line.into_iter().map(|cell| cell::text(&cell)).collect();
        cell::file(lines.into_iter().map(harmless))
    }
}
