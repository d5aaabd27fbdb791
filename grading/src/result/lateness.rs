//! How late a submission is, and who says so. No clock of this machine and no date of a file counts: both say when something was
//! copied, not when it was handed in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::class::Class;
use super::graded::{Graded, Rules, State};
use crate::class::{Arrival, Moment, ROSTER};

/// How late.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lateness {
    /// Whether it is late.
    pub late: bool,
    /// By how many days, each one that has begun; 0 if nobody says by how many.
    pub days: u32,
    /// Of these, days that cost nothing.
    pub free: u32,
    /// Who says so: `the roster`, `Gradescope`, `Canvas`; empty if nobody does.
    pub told_by: String,
    /// When it was handed in.
    pub submitted: Option<Moment>,
    /// When it was due.
    pub due: Option<Moment>,
}

impl Lateness {
    /// The roster's days count first, then a time and the due date, then a mark.
    pub fn of(arrival: &Arrival, rules: &Rules) -> Self {
        let due = arrival.due.clone().or_else(|| rules.due.clone());
        let submitted = arrival.at.as_ref().map(|(at, _)| at.clone());
        let (days, told_by) = match (arrival.days, &arrival.at, &due) {
            (Some(days), ..) => (Some(days), ROSTER),
            (None, Some((at, who)), Some(due)) => (Some(at.days_after(due)), *who),
            _ => (None, arrival.marked_by.unwrap_or_default()),
        };
        let late = days.map_or(arrival.marked_by.is_some(), |days| days > 0);
        let days = days.unwrap_or(0);
        let free = days.min(arrival.free_days.unwrap_or(rules.free_days));
        Self { late, days, free, told_by: told_by.to_owned(), submitted, due }
    }

    /// Days that cost points.
    pub fn paid(&self) -> u32 {
        self.days - self.free
    }

    /// For a table; empty where no date matters.
    pub fn short(&self) -> String {
        let days = match (self.late, self.days) {
            (false, _) => "on time".to_owned(),
            (true, 0) => "late".to_owned(),
            (true, 1) => "1 day".to_owned(),
            (true, days) => format!("{days} days"),
        };
        match (self.told_by.as_str(), &self.due) {
            ("", None) => String::new(),
            ("", Some(_)) => "no time told".to_owned(),
            (who, _) => format!("{days} ({who})"),
        }
    }

    /// Why it is late, for a person.
    pub fn why(&self) -> String {
        let who = &self.told_by;
        let free = match self.free {
            0 => String::new(),
            free => format!(", {free} of them free"),
        };
        match (self.days, &self.submitted, &self.due) {
            (0, ..) => format!("{who} marks it as late; nobody says by how many days"),
            (_, Some(at), Some(due)) => {
                format!("{}{free}: handed in {at}, due {due}", self.short())
            }
            _ => format!("{}{free}", self.short()),
        }
    }
}

/// How many submissions have their days from whom; those of whom nobody tells are under the empty name.
pub fn sources(all: &[Graded]) -> BTreeMap<String, usize> {
    let mut told = BTreeMap::new();
    for one in all.iter().filter(|one| one.state != State::Missing) {
        *told.entry(one.lateness.told_by.clone()).or_default() += 1;
    }
    told
}

/// How many of a class came late, and who says so; nothing where no date matters.
pub fn sentences(class: &Class) -> Vec<String> {
    let open = class.told_by.get("").copied().unwrap_or(0);
    let known = class.told_by.iter().filter(|(who, _)| !who.is_empty());
    let mut told: Vec<String> = known.map(|(who, count)| format!("{who} {count}")).collect();
    if class.due.is_none() && told.is_empty() {
        return Vec::new();
    }
    if open > 0 {
        told.push(format!("nobody {open} (they count as on time)"));
    }
    let due = class.due.as_ref().map(|due| format!(", due {due}")).unwrap_or_default();
    vec![
        format!("{} late{due}", class.late),
        format!("who told when they were handed in: {}", told.join(", ")),
    ]
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().expect("a moment")
    }

    fn rules(due: Option<&str>) -> Rules {
        Rules { max_score: 1.0, late_penalty: 10.0, free_days: 1, due: due.map(moment) }
    }

    fn of(arrival: &Arrival, due: Option<&str>) -> (String, u32) {
        let lateness = Lateness::of(arrival, &rules(due));
        (lateness.short(), lateness.paid())
    }

    const DUE: Option<&str> = Some("2027-01-15T23:59:00+01:00");

    fn came(text: &str) -> Arrival {
        Arrival { at: Some((moment(text), "Gradescope")), ..Arrival::default() }
    }

    #[test]
    fn a_time_and_a_due_date_make_days() {
        assert_eq!(of(&came("2027-01-15 22:59:00 Z"), DUE), ("on time (Gradescope)".into(), 0));
        assert_eq!(of(&came("2027-01-15 22:59:01 Z"), DUE), ("1 day (Gradescope)".into(), 0));
        assert_eq!(of(&came("2027-01-18 00:00:00 Z"), DUE), ("3 days (Gradescope)".into(), 2));
        assert_eq!(of(&came("2027-01-18 00:00:00 Z"), None), (String::new(), 0));
    }

    #[test]
    fn the_roster_is_the_last_word() {
        let late = || came("2027-01-20 12:00:00 Z");
        assert_eq!(of(&Arrival { days: Some(0), ..late() }, DUE), ("on time (the roster)".into(), 0));
        assert_eq!(of(&Arrival { days: Some(2), ..late() }, None), ("2 days (the roster)".into(), 1));
        assert_eq!(of(&Arrival { free_days: Some(9), ..late() }, DUE), ("5 days (Gradescope)".into(), 0));
        assert_eq!(of(&Arrival { free_days: Some(0), ..late() }, DUE), ("5 days (Gradescope)".into(), 5));
        let extended = Arrival { due: Some(moment("2027-01-20T12:00:00Z")), ..late() };
        assert_eq!(of(&extended, DUE), ("on time (Gradescope)".into(), 0));
    }

    #[test]
    fn a_mark_without_a_time_costs_nothing_by_itself() {
        let marked = Arrival { marked_by: Some("Canvas"), ..Arrival::default() };
        assert_eq!(of(&marked, DUE), ("late (Canvas)".into(), 0));
        let why = Lateness::of(&marked, &rules(DUE)).why();
        assert_eq!(why, "Canvas marks it as late; nobody says by how many days");
        assert_eq!(of(&Arrival { days: Some(3), ..marked }, DUE), ("3 days (the roster)".into(), 2));
        assert_eq!(of(&Arrival::default(), DUE), ("no time told".into(), 0));
        assert_eq!(of(&Arrival::default(), None), (String::new(), 0));
    }

    #[test]
    fn a_class_is_told_who_told() {
        let told_by = [(String::new(), 2), ("Gradescope".to_owned(), 38)].into();
        let class = Class { due: DUE.map(moment), late: 3, told_by, ..Class::default() };
        assert_eq!(
            sentences(&class),
            [
                "3 late, due 2027-01-15T23:59:00+01:00",
                "who told when they were handed in: Gradescope 38, nobody 2 (they count as on time)"
            ]
        );
        let told_by = [(String::new(), 40)].into();
        assert!(sentences(&Class { told_by, ..Class::default() }).is_empty(), "no date matters");
    }

    #[test]
    fn a_person_reads_both_times() {
        let why = Lateness::of(&came("2027-01-18 00:00:00 Z"), &rules(DUE)).why();
        assert_eq!(
            why,
            "3 days (Gradescope), 1 of them free: handed in 2027-01-18T00:00:00Z, due 2027-01-15T23:59:00+01:00"
        );
    }
}
