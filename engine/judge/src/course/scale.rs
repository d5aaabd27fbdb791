//! The points and the scale of a task: those of the lab, with what the course changes.

use std::ops::Range;

use lab::{Level, Points, Threshold};
use toml::Spanned;

use super::file;
use super::problems::Problems;

/// The points of a task in the course.
pub(super) fn points(
    of_lab: Points,
    task: &file::Task,
    place: &Range<usize>,
    problems: &mut Problems<'_>,
) -> Points {
    let mut part = |name: &str, value: Option<&Spanned<f64>>, own: f64| {
        value.map_or(own, |value| {
            let points = *value.get_ref();
            if !(points.is_finite() && points >= 0.0) {
                let what = format!("`{name}` is {points}, but points are numbers from 0");
                problems.add(&value.span(), what, format!("the lab's own are `{name} = {own}`"));
            }
            points
        })
    };
    let correctness = part("correctness", task.correctness.as_ref(), of_lab.correctness);
    let bandwidth = part("bandwidth", task.bandwidth.as_ref(), of_lab.bandwidth);
    let speedup = part("speedup", task.speedup.as_ref(), of_lab.speedup);
    let times = times(of_lab.times, task.speedup_floor.as_ref(), problems);
    let points =
        Points { correctness, bandwidth, speedup, share: share(of_lab.share, task, place, problems), times };
    if points.total() <= 0.0 {
        let advice = "give it points, or leave it out of the lab's `tasks`";
        problems.add(place, "the task has no points".into(), advice.into());
    }
    points
}

fn times(own: Threshold, floor: Option<&Spanned<f64>>, problems: &mut Problems<'_>) -> Threshold {
    let Some(floor) = floor else { return own };
    let value = *floor.get_ref();
    if !(value.is_finite() && value > 0.0) {
        let what = format!("`speedup_floor` is {value}, but a speedup is a number above 0");
        problems.add(
            &floor.span(),
            what,
            format!("the lab's own is `speedup_floor = {}`: {0} times one CPU core", own.floor),
        );
    }
    Threshold { floor: value, ..own }
}

/// The scale of the share: from `floor` to `target`, with the course's levels or those of the lab that lie between.
fn share(own: Threshold, task: &file::Task, place: &Range<usize>, problems: &mut Problems<'_>) -> Threshold {
    let mut end = |name: &str, value: Option<&Spanned<f64>>, own: f64| {
        value.map_or(own, |value| {
            let share = *value.get_ref();
            if !(share > 0.0 && share <= 1.0) {
                let what = format!(
                    "`{name}` is {share}, but a share of the yardstick's speed is above 0 and at most 1"
                );
                problems.add(&value.span(), what, format!("the lab's own is `{name} = {own}`"));
            }
            share
        })
    };
    let floor = end("floor", task.floor.as_ref(), own.floor);
    let target = end("target", task.target.as_ref(), own.target);
    if floor >= target {
        let given = task.floor.as_ref().or(task.target.as_ref());
        let what = format!("no share earns points between the floor {floor} and the target {target}");
        let advice =
            "the floor must be below the target; where one of them is not given, it is the lab's own";
        problems.add(&given.map_or(place.clone(), Spanned::span), what, advice.into());
        return own;
    }
    let levels = match &task.levels {
        Some(levels) => given(levels, floor, target, problems),
        None => kept(own.levels, floor, target),
    };
    // A course is read once, and its levels are needed until the end.
    Threshold { floor, target, levels: Vec::leak(levels) }
}

/// The lab's own levels between new ends: the first begins at the floor, the last at the target.
fn kept(own: &'static [Level], floor: f64, target: f64) -> Vec<Level> {
    let [first, .., last] = own else { return own.to_vec() };
    let between = own[1..own.len() - 1].iter().filter(|level| level.at > floor && level.at < target);
    [Level { at: floor, ..*first }]
        .into_iter()
        .chain(between.copied())
        .chain([Level { at: target, ..*last }])
        .collect()
}

/// The course's levels: they rise from the floor to the target, and each has a name and a way to reach it.
fn given(
    levels: &Spanned<Vec<file::Level>>,
    floor: f64,
    target: f64,
    problems: &mut Problems<'_>,
) -> Vec<Level> {
    let all = levels.get_ref();
    for level in all.iter().filter(|level| level.name.trim().is_empty() || level.how.trim().is_empty()) {
        let advice = "the report shows both: what a kernel has reached, and how it gets there";
        problems.add(&level.at.span(), "a level has no name or no `how`".into(), advice.into());
    }
    for pair in all.windows(2) {
        let [low, high] = [&pair[0], &pair[1]].map(|level| *level.at.get_ref());
        if high <= low || high.is_nan() {
            let what = format!("levels do not rise: \"{}\" is at {high}, after {low}", pair[1].name);
            problems.add(&pair[1].at.span(), what, "sort the levels by `at`".into());
        }
    }
    let ends = [all.first(), all.last()].map(|level| level.map(|level| *level.at.get_ref()));
    if ends != [Some(floor), Some(target)] {
        let what = format!("the levels do not go from the floor {floor} to the target {target}");
        let advice = "the first level begins at the floor, the last at the target: change one or the other";
        problems.add(&levels.span(), what, advice.into());
    }
    let leaked = |text: &str| &*String::leak(text.trim().to_owned());
    all.iter()
        .map(|level| Level { name: leaked(&level.name), at: *level.at.get_ref(), how: leaked(&level.how) })
        .collect()
}
