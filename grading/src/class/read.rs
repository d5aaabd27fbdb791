//! The whole class: submissions and roster together.

use std::path::Path;

use super::archive::Archive;
use super::arrival::Arrival;
use super::choose::{Chosen, choose};
use super::folder::Folder;
use super::layout::{Group, groups};
use super::names::Namer;
use super::person::Person;
use super::refusal::Refusal;
use super::roster::{Finder, Row};
use super::tree::{MOST_CLASS, MOST_FILES, Tree};
use crate::Error;

/// What one student handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The student.
    pub person: Person,
    /// When it came.
    pub arrival: Arrival,
    /// The file, or why there is none to check. `None`: nothing was handed in.
    pub file: Option<Result<Chosen, Refusal>>,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The layout of the submissions: `Canvas`, `Gradescope`, `Moodle` or `plain`.
    pub layout: &'static str,
    /// All students, sorted by their short names.
    pub students: Vec<Submitted>,
}

/// Reads the submissions at `path`: a folder, a zip archive, or one file. `wanted` is the name of the lab's file.
pub fn read(path: &Path, wanted: &str, roster: Option<&[Row]>) -> Result<Class, Error> {
    let (tree, is_archive) = open(path)?;
    let (layout, groups) = groups(&*tree, is_archive);
    if groups.is_empty() {
        return Err(Error::Usage(format!("there are no submissions in `{}`", path.display())));
    }
    let file = |group: &Group| Some(choose(&*tree, group, wanted));
    let handed_in = groups.into_iter().map(|group| (file(&group), group)).collect();
    let students = named(matched(handed_in, roster));
    Ok(Class { layout, students })
}

/// Reads the one submission in a folder.
pub fn read_one(path: &Path, wanted: &str) -> Result<Submitted, Error> {
    let (tree, _) = open(path)?;
    let files = tree.entries().iter().enumerate().map(|(index, entry)| (index, entry.name().to_owned()));
    let group = Group { files: files.collect(), ..Group::default() };
    let person =
        Person { id: "submission".into(), name: "submission".into(), enrolled: true, ..Person::default() };
    let file = Some(choose(&*tree, &group, wanted));
    Ok(Submitted { person, arrival: Arrival::default(), file })
}

fn open(path: &Path) -> Result<(Box<dyn Tree>, bool), Error> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::Usage(format!(
            "failed to read `{}`: {error}; name a folder or a zip archive of submissions",
            path.display()
        ))
    };
    let about = std::fs::metadata(path).map_err(|error| failed(&error))?;
    if about.is_dir() {
        return Ok((Box::new(Folder::open(path)?), false));
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        if about.len() > MOST_CLASS {
            return Err(failed(&format!(
                "it has more than {MOST_CLASS} bytes: unpack it, and name the folder"
            )));
        }
        let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
        return Ok((Box::new(Archive::open(bytes, MOST_FILES).map_err(|error| failed(&error))?), true));
    }
    Ok((Box::new(Folder::of_file(path)?), false))
}

/// A student without a short name, and the text that it will be made of.
type Unnamed = (String, Submitted);

/// Submissions and roster joined: a student of the roster without a submission is there too.
fn matched(handed_in: Vec<(Option<Result<Chosen, Refusal>>, Group)>, roster: Option<&[Row]>) -> Vec<Unnamed> {
    let finder = Finder::new(roster.unwrap_or_default());
    let mut taken = vec![false; finder.rows().len()];
    let mut all = Vec::new();
    for (file, group) in handed_in {
        let found = finder.find(&group.person, &group.key).filter(|index| !taken[*index]);
        let mut submitted = Submitted { person: group.person, arrival: group.arrival, file };
        submitted.person.enrolled = roster.is_none();
        let mut raw = group.key;
        if let Some(index) = found {
            taken[index] = true;
            let row = &finder.rows()[index];
            raw = enrol(&mut submitted.person, row);
            let of_export = submitted.arrival;
            submitted.arrival = Arrival {
                at: row.arrival.at.clone().or(of_export.at),
                marked_by: of_export.marked_by,
                ..row.arrival.clone()
            };
        }
        all.push((raw, submitted));
    }
    for (row, _) in finder.rows().iter().zip(taken).filter(|(_, taken)| !taken) {
        let mut submitted = Submitted { person: Person::default(), arrival: Arrival::default(), file: None };
        let raw = enrol(&mut submitted.person, row);
        all.push((raw, submitted));
    }
    all
}

/// Adds what the roster knows, and gives the text for the short name.
fn enrol(person: &mut Person, row: &Row) -> String {
    let fill = |into: &mut String, from: &String| {
        if !from.is_empty() {
            into.clone_from(from);
        }
    };
    fill(&mut person.name, &row.name);
    fill(&mut person.email, &row.email);
    fill(&mut person.section, &row.section);
    fill(&mut person.login, &row.id);
    person.enrolled = true;
    let raw = [&row.id, &row.email, &row.name]
        .into_iter()
        .find(|text| !text.is_empty())
        .cloned()
        .unwrap_or_default();
    if person.name.is_empty() {
        person.name.clone_from(&raw);
    }
    raw
}

fn named(all: Vec<Unnamed>) -> Vec<Submitted> {
    let namer = Namer::new(all.iter().map(|(raw, _)| raw.as_str()));
    let name = |(raw, mut submitted): Unnamed| {
        submitted.person.id = namer.name(&raw);
        submitted
    };
    let mut students: Vec<Submitted> = all.into_iter().map(name).collect();
    students.sort_by(|a, b| a.person.id.cmp(&b.person.id));
    students
}

#[cfg(test)]
mod tests {
    use std::fs;

    use pretty_assertions::assert_eq;

    use super::*;
    use crate::class::zips::{Member, zip};

    fn told(class: &Class) -> Vec<String> {
        let line = |student: &Submitted| {
            let file = match &student.file {
                None => "missing".to_owned(),
                Some(Ok(chosen)) => format!("{}={}", chosen.name, String::from_utf8_lossy(&chosen.bytes)),
                Some(Err(refusal)) => refusal.code().to_owned(),
            };
            let person = &student.person;
            let late = if student.arrival == Arrival::default() { "" } else { " late" };
            format!("{} ({}, {}){late} {file}", person.id, person.name, person.section)
        };
        class.students.iter().map(line).collect()
    }

    #[test]
    fn a_folder_of_all_sorts_of_submissions() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir(root.join("bob")).expect("made");
        fs::create_dir(root.join("empty")).expect("made");
        fs::write(root.join("ada.cu"), "A").expect("written");
        fs::write(root.join("bob/histogram.cu"), "B").expect("written");
        fs::write(root.join("eve.zip"), zip(&[Member::deflated("x/histogram.cu", b"E")])).expect("written");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", root.join("mallory.cu")).expect("linked");
        let class = read(root, "histogram.cu", None).expect("a class");
        assert_eq!(
            told(&class),
            [
                "ada (ada, ) ada.cu=A",
                "bob (bob, ) histogram.cu=B",
                "empty (empty, ) no-file",
                "eve (eve, ) eve.zip: histogram.cu=E",
                "mallory (mallory, ) link",
            ]
        );
    }

    #[test]
    fn a_roster_names_students_and_shows_who_is_missing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("submissions.zip");
        let members = [
            Member::stored("lovelaceada_12_9_histogram.cu", b"A"),
            Member::stored("x_99_9_histogram.cu", b"X"),
        ];
        fs::write(&path, zip(&members)).expect("written");
        let row = |id: &str, name: &str, days| Row {
            id: id.into(),
            name: name.into(),
            section: "S".into(),
            arrival: Arrival { days, ..Arrival::default() },
            ..Row::default()
        };
        let roster = [row("al1", "Ada Lovelace", Some(1)), row("bs2", "Bob Stone", None)];
        let class = read(&path, "histogram.cu", Some(&roster)).expect("a class");
        assert_eq!(class.layout, "Canvas");
        assert_eq!(
            told(&class),
            [
                "al1 (Ada Lovelace, S) late histogram.cu=A",
                "bs2 (Bob Stone, S) missing",
                "x_99 (x, ) histogram.cu=X"
            ]
        );
        assert!(!class.students[2].person.enrolled);
    }
}
