//! The roster: a CSV file of the class, with sections, times and late days.

use std::collections::HashMap;
use std::path::Path;

use cuda::text::short;

use super::arrival::Arrival;
use super::moment::Moment;
use super::person::Person;
use crate::Error;

/// A line of the roster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// Number, login or other identifier.
    pub id: String,
    /// Name.
    pub name: String,
    /// Address.
    pub email: String,
    /// Section or group.
    pub section: String,
    /// When the submission came, and what that costs this student.
    pub arrival: Arrival,
}

/// Who says what a roster says.
pub const ROSTER: &str = "the roster";

/// Names of columns, as they are without spaces, marks and case.
const ID: [&str; 9] =
    ["id", "studentid", "sid", "number", "login", "username", "sisloginid", "sisuserid", "idnumber"];
const NAME: [&str; 5] = ["name", "student", "fullname", "studentname", "displayname"];
const EMAIL: [&str; 3] = ["email", "emailaddress", "mail"];
const SECTION: [&str; 4] = ["section", "sections", "group", "groups"];
const LATE: [&str; 3] = ["latedays", "dayslate", "late"];
const FREE: [&str; 5] = ["freelatedays", "freedays", "slipdays", "gracedays", "latedaysleft"];
const SUBMITTED: [&str; 4] = ["submitted", "submittedat", "submissiontime", "handedin"];
const DUE: [&str; 2] = ["due", "extension"];

/// Reads a roster. Columns are found by their titles; an identifier or a name must be there.
pub fn roster(path: &Path) -> Result<Vec<Row>, Error> {
    let wrong =
        |what: String| Error::Usage(format!("failed to read the roster `{}`: {what}", path.display()));
    let text = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    rows(&text).map_err(wrong)
}

fn rows(text: &[u8]) -> Result<Vec<Row>, String> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text);
    let titles = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |known: &[&str]| titles.iter().position(|title| known.contains(&key(title).as_str()));
    let (id, name, email) = (column(&ID), column(&NAME), column(&EMAIL));
    let (first, last) = (column(&["firstname", "givenname"]), column(&["lastname", "surname", "familyname"]));
    let (section, late, free) = (column(&SECTION), column(&LATE), column(&FREE));
    let (submitted, due) = (column(&SUBMITTED), column(&DUE));
    if id.or(name).or(email).or(last).is_none() {
        return Err("it has no column `id`, `name` or `email`; the first line must name the columns".into());
    }
    let mut all = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let cell = |column: Option<usize>| column.and_then(|c| record.get(c)).map(short).unwrap_or_default();
        let full = [cell(first), cell(last)].join(" ").trim().to_owned();
        let line = |what: String| {
            let line = record.position().map_or(0, csv::Position::line);
            format!("line {line}: {what}")
        };
        let days = |column: Option<usize>| match cell(column).as_str() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| line(format!("`{text}` is not a number of days"))),
        };
        let moment = |column: Option<usize>| match cell(column).as_str() {
            "" => Ok(None),
            text => text.parse::<Moment>().map(Some).map_err(line),
        };
        let arrival = Arrival {
            at: moment(submitted)?.map(|at| (at, ROSTER)),
            marked_by: None,
            days: days(late)?,
            free_days: days(free)?,
            due: moment(due)?,
        };
        let name = if name.is_some() { cell(name) } else { full };
        let row = Row { id: cell(id), name, email: cell(email), section: cell(section), arrival };
        if !(row.id.is_empty() && row.name.is_empty() && row.email.is_empty()) {
            all.push(row);
        }
    }
    Ok(all)
}

/// Finds the row of a student.
pub struct Finder<'a> {
    rows: &'a [Row],
    /// `None` if two rows have the key.
    by_key: HashMap<String, Option<usize>>,
}

impl<'a> Finder<'a> {
    /// For this roster.
    pub fn new(rows: &'a [Row]) -> Self {
        let mut by_key: HashMap<String, Option<usize>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            let mut keys: Vec<String> = [key(&row.id), key(&row.email)].into();
            keys.extend(row.email.split_once('@').map(|(login, _)| key(login)));
            keys.extend(turned(&row.name));
            keys.sort();
            keys.dedup();
            for key in keys.into_iter().filter(|key| !key.is_empty()) {
                by_key.entry(key).and_modify(|at| *at = None).or_insert(Some(index));
            }
        }
        Self { rows, by_key }
    }

    /// The row: by number or address first, then by name.
    pub fn find(&self, person: &Person, own: &str) -> Option<usize> {
        let keys = [key(&person.number), key(&person.email), key(own), key(&person.name)];
        keys.iter().filter(|key| !key.is_empty()).find_map(|key| self.by_key.get(key).copied().flatten())
    }

    /// The rows.
    pub fn rows(&self) -> &'a [Row] {
        self.rows
    }
}

/// A name in each order of its words: some systems write the last name first, and leave out spaces.
fn turned(name: &str) -> Vec<String> {
    let words: Vec<String> = name.split([' ', ',']).map(key).filter(|word| !word.is_empty()).collect();
    (0..words.len().max(1))
        .map(|by| words.iter().cycle().skip(by).take(words.len()).cloned().collect())
        .collect()
}

fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn columns_are_found_by_title_and_rows_by_any_key() {
        let text = b"\xef\xbb\xbfStudent,SIS Login ID,Section,Late Days\n\"Lovelace, Ada\",ada1,A,2\nBob Stone,bob,B,\n";
        let all = rows(text).expect("a roster");
        assert_eq!(
            all[0],
            Row {
                id: "ada1".into(),
                name: "Lovelace, Ada".into(),
                section: "A".into(),
                arrival: Arrival { days: Some(2), ..Arrival::default() },
                ..Row::default()
            }
        );
        let finder = Finder::new(&all);
        let named = |name: &str| finder.find(&Person { name: name.into(), ..Person::default() }, "");
        assert_eq!(
            [named("Ada Lovelace"), named("lovelaceada"), named("bob"), named("eve")],
            [Some(0), Some(0), Some(1), None]
        );
    }

    #[test]
    fn two_students_of_one_name_are_not_confused() {
        let all = rows(b"id,name\n1,Ada\n2,Ada\n").expect("a roster");
        let finder = Finder::new(&all);
        let ada = Person { name: "Ada".into(), ..Person::default() };
        assert_eq!(finder.find(&ada, ""), None);
        assert_eq!(finder.find(&Person { number: "2".into(), ..ada }, ""), Some(1));
    }

    #[test]
    fn a_roster_without_titles_or_with_odd_days_is_an_error() {
        assert!(rows(b"foo,bar\n1,2\n").is_err_and(|what| what.contains("no column")));
        assert!(rows(b"id,late_days\nada,soon\n").is_err_and(|what| what.contains("`soon`")));
        let open = rows(b"id,submitted\nada,\nbob,2026-11-20 10:00\n");
        assert!(open.is_err_and(|what| what.starts_with("line 3: `2026-11-20 10:00` is not")));
    }

    #[test]
    fn a_roster_tells_times_extensions_and_free_days() {
        let text = b"SID,Submission Time,Free late days,Extension\n1,2026-11-20 02:00:00 -0800,2,2026-12-01T00:00:00Z\n2,,,\n";
        let all = rows(text).expect("a roster");
        let moment = |text: &str| text.parse::<Moment>().expect("a moment");
        let arrival = Arrival {
            at: Some((moment("2026-11-20T10:00:00Z"), ROSTER)),
            free_days: Some(2),
            due: Some(moment("2026-12-01T00:00:00Z")),
            ..Arrival::default()
        };
        assert_eq!([&all[0].arrival, &all[1].arrival], [&arrival, &Arrival::default()]);
    }
}
