//! The command that makes a file again, as the provenance of the file names it.

use std::fmt::{Display, Write as _};
use std::path::Path;

use lab::Lab;
use records::Content;

use judge::labs;
use judge::workspace::shown_from;

/// A command with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine(String);

impl CommandLine {
    /// The command that writes files of this kind, without options.
    pub fn of<C: Content>() -> Self {
        Self(C::COMMAND.to_owned())
    }

    /// With one word more.
    pub fn word(mut self, word: impl Display) -> Self {
        let _ = write!(self.0, " {word}");
        self
    }

    /// With the names of labs, unless they are all.
    pub fn labs(self, labs: &[&'static dyn Lab]) -> Self {
        if labs.len() == labs::all().len() {
            return self;
        }
        labs.iter().fold(self, |line, lab| line.word(lab.name()))
    }

    /// With the labs and files that were chosen, unless the file `keeps` what it holds of others: the whole of it is made again without
    /// a choice.
    pub fn chosen(self, labs: &[&'static dyn Lab], only: &[String], keeps: bool) -> Self {
        if keeps { self } else { self.labs(labs).list("--only", only) }
    }

    /// With an option and its value, if it has one.
    pub fn option(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.word(name).word(value),
            None => self,
        }
    }

    /// With an option whose values are separated by commas, if there are any.
    pub fn list(self, name: &str, values: &[String]) -> Self {
        let joined = values.join(",");
        let quoted = if joined.contains(' ') { format!("'{joined}'") } else { joined };
        self.option(name, (!values.is_empty()).then_some(quoted))
    }

    /// With an option that names a file, if it is given; relative to the current folder where the file lies below it.
    pub fn file(self, name: &str, path: Option<&Path>) -> Self {
        // Without a current folder, the path is shown as it is.
        let here = std::env::current_dir().unwrap_or_default();
        self.option(name, path.map(|path| shown_from(&here, path)))
    }
}

impl From<CommandLine> for String {
    fn from(line: CommandLine) -> Self {
        line.0
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::Matrix;

    use super::*;

    #[test]
    fn only_what_is_given_is_named() {
        let mut labs = labs::all();
        let none: Option<&str> = None;
        let line = CommandLine::of::<Matrix>().labs(&labs).list("--only", &[]).option("--rounds", none);
        assert_eq!(String::from(line.file("--out", None)), "workshop matrix");
        labs.truncate(2);
        let chosen =
            |keeps| String::from(CommandLine::of::<Matrix>().chosen(&labs, &["02".to_owned()], keeps));
        assert_eq!([true, false].map(chosen), ["workshop matrix", "workshop matrix lab1 lab2 --only 02"]);
        let only = ["02".to_owned(), "shared tile".to_owned()];
        let line = CommandLine::of::<Matrix>().labs(&labs).list("--only", &only).option("--rounds", Some(3));
        let out = std::env::current_dir().unwrap().join("m.json");
        let line = String::from(line.file("--out", Some(&out)));
        assert_eq!(line, "workshop matrix lab1 lab2 --only '02,shared tile' --rounds 3 --out m.json");
    }
}
