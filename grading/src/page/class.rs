//! The page of the class, and the leaderboard alone, which has no names.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use super::Pages;
use super::values::{severity, verdict, width};
use crate::Error;
use crate::result::{Class, Graded, State, points, sentences};

/// Findings that are listed.
const FINDINGS: usize = 20;

/// Both pages.
pub fn class(pages: &Pages, all: &[Graded], class: &Class) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let count = |state| class.states.get(&state).copied().unwrap_or(0);
    let most = |counts: &mut dyn Iterator<Item = usize>| counts.max().unwrap_or(0) as f64;
    let (bins, levels) = (
        most(&mut class.distribution.iter().map(|bin| bin.count)),
        most(&mut class.levels.iter().map(|level| level.count)),
    );
    let places: Vec<Value> = class
        .leaderboard
        .iter()
        .map(|place| {
            with(place, json!({ "score": points(place.score), "width": width(place.score, class.max_score) }))
        })
        .collect();
    let needs: Vec<Value> = all
        .iter()
        .flat_map(|one| {
            one.needs
                .iter()
                .map(move |need| with(need, json!({ "id": one.person.id, "name": one.person.name })))
        })
        .collect();
    let similar = class.similar.iter().map(|pair| {
        with(pair, json!({ "share": points((100.0 * pair.share).round()), "file": pair.file() }))
    });
    let values = json!({
        "lab": class.lab,
        "title": class.title,
        "graded": count(State::Graded),
        "passed": class.passed,
        "refused": count(State::Refused),
        "missing": count(State::Missing),
        "unfinished": count(State::Unfinished),
        "mean": points(class.mean),
        "median": points(class.median),
        "max_score": points(class.max_score),
        "practice": class.practice,
        "arrivals": sentences(class),
        "dated": all.iter().any(|one| !one.lateness.short().is_empty()),
        "needs": needs,
        "similar": similar.collect::<Vec<_>>(),
        "distribution": class.distribution.iter()
            .map(|bin| with(bin, json!({ "width": width(bin.count as f64, bins) }))).collect::<Vec<_>>(),
        "findings": class.findings.iter().take(FINDINGS)
            .map(|finding| with(finding, json!({ "class": severity(&finding.severity) }))).collect::<Vec<_>>(),
        "levels": class.levels.iter()
            .map(|level| with(level, json!({ "width": width(level.count as f64, levels) }))).collect::<Vec<_>>(),
        "students": all.iter().map(student).collect::<Vec<_>>(),
        "leaderboard": places,
    });
    let board = json!({ "lab": class.lab, "title": class.title, "leaderboard": places });
    Ok((pages.render("class.html", &values)?, pages.render("board.html", &board)?))
}

fn student(one: &Graded) -> Value {
    let findings: BTreeSet<&str> = one
        .report()
        .iter()
        .flat_map(|report| &report.findings)
        .map(|finding| finding.code.as_str())
        .collect();
    json!({
        "id": one.person.id,
        "name": one.person.name,
        "section": one.person.section,
        "verdict": verdict(one),
        "score": if one.state == State::Unfinished { String::new() } else { points(one.score) },
        "findings": findings,
        "when": one.lateness.short(),
    })
}

/// The fields of a value, and more.
fn with(value: &impl Serialize, more: Value) -> Value {
    let mut fields = serde_json::to_value(value).unwrap_or_default();
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
    }
    fields
}
