//! The class as a whole: distribution, findings, levels, leaderboard.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::graded::{Graded, State};
use super::lateness::sources;
use crate::class::Moment;
use crate::hash;

/// What grading must know of a lab.
#[derive(Debug, Clone, PartialEq)]
pub struct Lab {
    /// As on the command line: `lab2`.
    pub name: String,
    /// As a heading.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// Points that can be earned.
    pub max_score: f64,
    /// When it is due.
    pub due: Option<Moment>,
    /// For each task the named levels of its share of the yardstick, rising.
    pub levels: Vec<(String, Vec<(String, f64)>)>,
    /// Texts that every student may have copied from: the skeleton and the published solutions.
    pub published: Vec<String>,
}

#[cfg(test)]
impl Lab {
    /// A lab of one task worth 50 points.
    pub fn gray() -> Self {
        Self {
            name: "lab1".into(),
            title: "Gray".into(),
            file: "x.cu".into(),
            max_score: 50.0,
            due: None,
            levels: vec![],
            published: vec![],
        }
    }
}

/// Submissions with a score in this range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// From this per cent of the points,
    pub from: u32,
    /// to below this one; the last includes it.
    pub to: u32,
    /// How many.
    pub count: usize,
}

/// A finding, and how many submissions have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Common {
    /// Code.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The message in one submission, as an example.
    pub example: String,
    /// How many submissions have it.
    pub count: usize,
}

/// How many right submissions stand at a level of a task's speed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The task.
    pub task: String,
    /// The level; empty: below the first.
    pub level: String,
    /// How many.
    pub count: usize,
}

/// A line of the leaderboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// 1 is the best; equal scores share a place.
    pub rank: usize,
    /// A name that only the student knows.
    pub pseudonym: String,
    /// Points.
    pub score: f64,
}

/// Two submissions that are alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// One.
    pub a: String,
    /// The other.
    pub b: String,
    /// The share of the smaller one's own code that the other has too, 0 to 1.
    pub share: f64,
    /// Tokens in common.
    pub tokens: usize,
}

impl Pair {
    /// The name of its page. Two pairs never have one name.
    pub fn file(&self) -> String {
        let hash = hash::of_parts(&[self.a.as_bytes(), self.b.as_bytes()]);
        format!("{}-and-{}-{}.html", self.a, self.b, &hash[..8])
    }
}

/// The class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// The lab.
    pub lab: String,
    /// Its title.
    pub title: String,
    /// Students by state.
    pub states: BTreeMap<State, usize>,
    /// How many passed.
    pub passed: usize,
    /// When it was due.
    pub due: Option<Moment>,
    /// How many came late.
    pub late: usize,
    /// How many submissions have their late days from whom; from nobody: under the empty name.
    pub told_by: BTreeMap<String, usize>,
    /// Points that can be earned.
    pub max_score: f64,
    /// Mean score of those graded.
    pub mean: f64,
    /// Median score of those graded.
    pub median: f64,
    /// Scores of those graded.
    pub distribution: Vec<Bin>,
    /// The findings that most have.
    pub findings: Vec<Common>,
    /// Speed.
    pub levels: Vec<Standing>,
    /// Who is ahead, without names.
    pub leaderboard: Vec<Place>,
    /// Whose pseudonym is whose: only for the instructor and for each student's own page.
    #[serde(skip)]
    pub pseudonyms: BTreeMap<String, String>,
    /// Pairs that are alike.
    pub similar: Vec<Pair>,
    /// Whether the seed was public, so that a file may have known its pictures.
    pub practice: bool,
}

/// Sums up. `secret` makes the pseudonyms: who does not know it cannot guess them.
pub fn summarise(lab: &Lab, all: &[Graded], similar: Vec<Pair>, secret: &str) -> Class {
    let graded: Vec<&Graded> = all.iter().filter(|one| one.state == State::Graded).collect();
    let mut states = BTreeMap::new();
    for one in all {
        *states.entry(one.state).or_default() += 1;
    }
    let mut scores: Vec<f64> = graded.iter().map(|one| one.score).collect();
    scores.sort_by(f64::total_cmp);
    let pseudonyms = pseudonyms(&graded, secret);
    Class {
        lab: lab.name.clone(),
        title: lab.title.clone(),
        states,
        passed: graded.iter().filter(|one| one.passed).count(),
        due: lab.due.clone(),
        late: all.iter().filter(|one| one.lateness.late).count(),
        told_by: sources(all),
        max_score: lab.max_score,
        mean: mean(&scores),
        median: median(&scores),
        distribution: distribution(&graded),
        findings: findings(&graded),
        levels: levels(lab, &graded),
        leaderboard: leaderboard(&graded, &pseudonyms),
        pseudonyms,
        similar,
        practice: graded.iter().any(|one| one.reports.iter().any(|report| report.practice)),
    }
}

fn mean(scores: &[f64]) -> f64 {
    let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    (mean * 10.0).round() / 10.0
}

fn median(sorted: &[f64]) -> f64 {
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => 0.0,
        (count, middle) if count % 2 == 1 => sorted[middle],
        (_, middle) => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

fn distribution(graded: &[&Graded]) -> Vec<Bin> {
    let per_cent = |one: &&Graded| 100.0 * one.score / one.max_score.max(f64::MIN_POSITIVE);
    let bin = |from: u32| {
        let within = |value: f64| value >= f64::from(from) && (value < f64::from(from + 10) || from == 90);
        Bin { from, to: from + 10, count: graded.iter().map(per_cent).filter(|value| within(*value)).count() }
    };
    (0..10).map(|tenth| bin(10 * tenth)).collect()
}

/// Each code once a submission, however often it occurs there.
fn findings(graded: &[&Graded]) -> Vec<Common> {
    let mut all: BTreeMap<(String, String), Common> = BTreeMap::new();
    for one in graded {
        let mut seen = BTreeSet::new();
        for finding in one.reports.iter().flat_map(|report| &report.findings) {
            let key = (finding.code.clone(), finding.severity.clone());
            if !seen.insert(key.clone()) {
                continue;
            }
            let new = || Common {
                code: finding.code.clone(),
                severity: finding.severity.clone(),
                example: finding.message.clone(),
                count: 0,
            };
            all.entry(key).or_insert_with(new).count += 1;
        }
    }
    let mut all: Vec<Common> = all.into_values().collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.code.cmp(&b.code)));
    all
}

fn levels(lab: &Lab, graded: &[&Graded]) -> Vec<Standing> {
    let mut all = Vec::new();
    for (task, levels) in &lab.levels {
        let shares: Vec<f64> = graded
            .iter()
            .filter_map(|one| one.report())
            .flat_map(|report| &report.performance)
            .filter(|timed| timed.task == *task && timed.state == "stable" && timed.unscored.is_none())
            .map(|timed| timed.share)
            .collect();
        let bounds: Vec<(&str, f64)> = [("", f64::NEG_INFINITY)]
            .into_iter()
            .chain(levels.iter().map(|(name, at)| (name.as_str(), *at)))
            .collect();
        for (index, (level, from)) in bounds.iter().enumerate() {
            let to = bounds.get(index + 1).map_or(f64::INFINITY, |(_, at)| *at);
            let count = shares.iter().filter(|share| **share >= *from && **share < to).count();
            all.push(Standing { task: task.clone(), level: (*level).to_owned(), count });
        }
    }
    all
}

fn leaderboard(graded: &[&Graded], pseudonyms: &BTreeMap<String, String>) -> Vec<Place> {
    let mut all: Vec<Place> = graded
        .iter()
        .map(|one| Place { rank: 0, pseudonym: pseudonyms[&one.person.id].clone(), score: one.score })
        .collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.pseudonym.cmp(&b.pseudonym)));
    for index in 0..all.len() {
        let tie = index > 0 && all[index - 1].score.total_cmp(&all[index].score).is_eq();
        all[index].rank = if tie { all[index - 1].rank } else { index + 1 };
    }
    all
}

const FIRST: [&str; 32] = [
    "amber", "brisk", "calm", "clever", "coral", "crimson", "eager", "early", "gentle", "golden", "green",
    "happy", "hidden", "indigo", "jolly", "keen", "lively", "lucky", "mellow", "misty", "noble", "olive",
    "proud", "quick", "quiet", "silver", "steady", "sunny", "swift", "teal", "violet", "wise",
];
const SECOND: [&str; 32] = [
    "badger", "bear", "beaver", "crane", "crow", "deer", "dolphin", "eagle", "falcon", "finch", "fox",
    "gecko", "hare", "hawk", "heron", "ibis", "koala", "lark", "lynx", "marten", "mole", "moose", "newt",
    "otter", "owl", "panda", "raven", "robin", "seal", "swan", "tiger", "wolf",
];

/// A name for each, from the secret and the own file: others know neither.
fn pseudonyms(graded: &[&Graded], secret: &str) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut all = BTreeMap::new();
    for one in graded {
        let file = one.file.as_ref().map_or("", |file| file.sha256.as_str());
        let hash =
            hash::of_parts(&[b"pseudonym", secret.as_bytes(), file.as_bytes(), one.person.id.as_bytes()]);
        let word = |at: usize| usize::from_str_radix(&hash[at..at + 4], 16).unwrap_or_default() % 32;
        let base = format!("{} {}", FIRST[word(0)], SECOND[word(4)]);
        // Of one more name than there are students, one is free.
        let name = (1..=graded.len() + 1)
            .map(|n| if n == 1 { base.clone() } else { format!("{base} {n}") })
            .find(|name| taken.insert(name.clone()));
        all.insert(one.person.id.clone(), name.unwrap_or(base));
    }
    all
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;
    use crate::class::{Arrival, Chosen, Person, Submitted};
    use crate::result::{Rules, grade};
    use crate::run::Checked;

    fn graded(id: &str, score: f64, share: f64, codes: &[&str]) -> Graded {
        let person = Person { id: id.into(), enrolled: true, ..Person::default() };
        let file = Some(Ok(Chosen { name: "x.cu".into(), bytes: id.as_bytes().to_vec() }));
        let findings: Vec<_> =
            codes.iter().map(|code| json!({"code": code, "severity": "error", "message": "m"})).collect();
        let report = json!({
            "score": score, "max_score": 100.0, "passed": score > 50.0, "findings": findings,
            "performance": [{"task": "t", "share": share, "state": "stable"}],
        });
        let rules = Rules { max_score: 100.0, late_penalty: 0.0, free_days: 0, due: None };
        grade(
            "lab1",
            &Submitted { person, arrival: Arrival::default(), file },
            vec![Some(Checked::Report(report))],
            "p",
            &rules,
        )
    }

    #[test]
    fn a_class_is_summed_up() {
        let lab = Lab {
            name: "lab1".into(),
            title: "T".into(),
            file: "x.cu".into(),
            max_score: 100.0,
            due: None,
            levels: vec![("t".into(), vec![("low".into(), 0.3), ("high".into(), 0.8)])],
            published: Vec::new(),
        };
        let all = [
            graded("a", 100.0, 0.9, &["W1"]),
            graded("b", 89.9, 0.5, &["W2", "W1", "W1"]),
            graded("c", 0.0, 0.1, &["W2"]),
            graded("d", 100.0, 0.8, &["W1"]),
        ];
        let class = summarise(&lab, &all, Vec::new(), "s");
        let counts: Vec<usize> = class.distribution.iter().map(|bin| bin.count).collect();
        assert_eq!(counts, [1, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
        let found: Vec<(&str, usize)> = class.findings.iter().map(|f| (f.code.as_str(), f.count)).collect();
        assert_eq!(found, [("W1", 3), ("W2", 2)]);
        let levels: Vec<(&str, usize)> = class.levels.iter().map(|l| (l.level.as_str(), l.count)).collect();
        assert_eq!(levels, [("", 1), ("low", 1), ("high", 2)]);
        let places: Vec<(usize, f64)> = class.leaderboard.iter().map(|p| (p.rank, p.score)).collect();
        assert_eq!(places, [(1, 100.0), (1, 100.0), (3, 89.9), (4, 0.0)]);
        assert_eq!((class.mean, class.median, class.passed), (72.5, 94.95, 3));
        assert_ne!(class.pseudonyms, summarise(&lab, &all, Vec::new(), "other").pseudonyms);
    }
}
