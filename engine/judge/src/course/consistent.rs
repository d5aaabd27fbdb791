//! From the file to a course, or to everything that is wrong with it, each with its line and what to do.

use std::path::PathBuf;

use grading::class::Moment;
use lab::{Lab, Points};
use toml::Spanned;

use super::problems::{Problem, Problems};
use super::{Course, LabOfCourse, Late, file, scale};
use crate::labs;
use crate::modelled::predicted;

/// Points of a lab that says nothing else.
const POINTS: f64 = 100.0;

/// The course, or its problems in the order of their lines.
pub fn parsed(text: &str) -> Result<Course, Vec<Problem>> {
    let mut problems = Problems::of(text);
    match toml::from_str::<file::File>(text) {
        Ok(file) => {
            let course = checked(text, file, &mut problems);
            if problems.is_empty() {
                return Ok(course);
            }
        }
        Err(error) => {
            let advice = "see the page \"A course of your own\" of the book for the names and what they mean";
            let place = error.span().unwrap_or_default();
            problems.add(&place, error.message().trim().replace('\n', ", "), advice.to_owned());
        }
    }
    Err(problems.in_order())
}

fn checked(text: &str, file: file::File, problems: &mut Problems<'_>) -> Course {
    let gpu = file.gpu.and_then(|name| {
        let found = predicted(name.get_ref());
        found
            .map_err(|stop| {
                problems.add(&name.span(), stop.to_string(), "name a GPU of `checker device`".into());
            })
            .ok()
    });
    if file.labs.is_empty() {
        let advice = "add a table for each lab that counts, such as `[labs.lab1]`";
        problems.add(&(0..0), "no lab counts".into(), advice.into());
    }
    let dated = file.labs.values().any(|lab| lab.due.is_some());
    let late = file.late.map_or_else(Late::default, |late| {
        if !dated {
            let advice = "give the labs a date: `due = 2027-01-31T23:59:00+01:00`";
            problems.add(&late.span(), "late days cost points, but no lab has a `due`".into(), advice.into());
        }
        lateness(late.get_ref(), problems)
    });
    let mut all: Vec<(usize, LabOfCourse)> = Vec::new();
    for (name, lab) in &file.labs {
        let known = labs::all();
        let place = known.iter().position(|known| known.name() == name.get_ref());
        if let Some(place) = place {
            all.push((place, of_lab(known[place], name, lab, problems)));
            continue;
        }
        let names: Vec<&str> = known.iter().map(|lab| lab.name()).collect();
        let advice = format!("the labs are {}", labs::quoted(&names));
        let what = labs::unknown("lab", name.get_ref(), &names, &advice);
        problems.add(&name.span(), what, NO_SUCH.into());
    }
    all.sort_by_key(|(place, _)| *place);
    Course {
        shown: String::new(),
        path: PathBuf::new(),
        text: text.to_owned(),
        title: file.title.unwrap_or_default(),
        gpu,
        late,
        labs: all.into_iter().map(|(_, lab)| lab).collect(),
    }
}

/// The advice where a message already names what there is.
const NO_SUCH: &str = "correct the name, or take the table out";

fn lateness(late: &file::Late, problems: &mut Problems<'_>) -> Late {
    let days = late.free_days.as_ref().map_or(0, |days| {
        u32::try_from(*days.get_ref()).unwrap_or_else(|_| {
            let what = format!("`free_days` is {}, but days are counted from 0", days.get_ref());
            problems.add(&days.span(), what, "write how many late days cost nothing".into());
            0
        })
    });
    let percent = late.percent_per_day.as_ref().map_or(0.0, |percent| {
        let value = *percent.get_ref();
        if !(0.0..=100.0).contains(&value) {
            let what =
                format!("`percent_per_day` is {value}, but a day costs from 0 to 100 % of the earned points");
            problems.add(&percent.span(), what, "write a number from 0 to 100".into());
        }
        value
    });
    Late { free_days: days, percent_per_day: percent }
}

fn of_lab(
    lab: &'static dyn Lab,
    name: &Spanned<String>,
    file: &file::Lab,
    problems: &mut Problems<'_>,
) -> LabOfCourse {
    let weight = file.weight.as_ref().map_or(1.0, |weight| {
        let value = *weight.get_ref();
        if !(value.is_finite() && value > 0.0) {
            let what = format!("the weight of {} is {value}, but weights are numbers above 0", lab.name());
            problems.add(&weight.span(), what, "a lab with twice the weight of another counts twice".into());
        }
        value
    });
    let due = file.due.as_ref().and_then(|due| {
        let read = due.get_ref().to_string().parse::<Moment>();
        read.map_err(|_| {
            let what = format!(
                "`due = {}` is not a moment: it needs a day, a time and the offset from UTC",
                due.get_ref()
            );
            problems.add(&due.span(), what, "write it as `due = 2027-01-31T23:59:00+01:00`".into());
        })
        .ok()
    });
    let of_course = LabOfCourse { name: lab.name(), weight, due, tasks: tasks(lab, name, file, problems) };
    let wanted = file.points.as_ref().map_or(POINTS, |points| *points.get_ref());
    let total = of_course.most();
    // Parts are tenths at the least, so that a smaller difference is one of rounding.
    let named = !of_course.tasks.is_empty();
    if named && ((total - wanted).abs() >= 0.05 || wanted.is_nan()) {
        let place = file.points.as_ref().map_or(name.span(), Spanned::span);
        let what = format!("the tasks of {} add up to {total} points, not to {wanted}", lab.name());
        let advice = format!("change the points of its tasks, or write `points = {total}` for the lab");
        problems.add(&place, what, advice);
    }
    of_course
}

/// The tasks that count: those that are named, or all.
fn tasks(
    lab: &'static dyn Lab,
    name: &Spanned<String>,
    file: &file::Lab,
    problems: &mut Problems<'_>,
) -> Vec<(&'static str, Points)> {
    let Some(named) = &file.tasks else {
        return lab.tasks().iter().map(|task| (task.name(), task.points())).collect();
    };
    if named.is_empty() {
        let advice = "name those that count, or leave `tasks` out: then all count";
        problems.add(&name.span(), format!("no task of {} counts", lab.name()), advice.into());
    }
    let known: Vec<&str> = lab.tasks().iter().map(|task| task.name()).collect();
    for task in named.keys().filter(|task| !known.contains(&task.get_ref().as_str())) {
        let advice = format!("the tasks of {} are {}", lab.name(), labs::quoted(&known));
        problems.add(&task.span(), labs::unknown("task", task.get_ref(), &known, &advice), NO_SUCH.into());
    }
    let chosen = lab.tasks().iter().filter_map(|task| {
        let (name, own) = named.iter().find(|(name, _)| name.get_ref() == task.name())?;
        Some((task.name(), scale::points(task.points(), own, &name.span(), problems)))
    });
    chosen.collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// The lines and messages of a course's problems.
    fn problems(text: &str) -> Vec<(usize, String)> {
        let all = parsed(text).err().unwrap_or_default();
        assert!(all.iter().all(|problem| !problem.advice.is_empty()));
        all.into_iter().map(|problem| (problem.line, problem.what)).collect()
    }

    fn only(text: &str, line: usize, part: &str) {
        let found = problems(text);
        assert!(found.len() == 1 && found[0].0 == line && found[0].1.contains(part), "{text}: {found:?}");
    }

    #[test]
    fn a_lab_without_anything_else_counts_with_its_own_points() {
        let course = parsed("[labs.lab2]\n[labs.lab1]\n").expect("consistent");
        assert_eq!(course.labs.iter().map(|lab| lab.name).collect::<Vec<_>>(), ["lab1", "lab2"]);
        let own = labs::all()[0].tasks()[0];
        assert_eq!(course.points(own), Some(own.points()));
        assert_eq!(course.points(labs::all()[3].tasks()[0]), None);
    }

    #[test]
    fn what_a_course_says_is_what_a_task_is_worth() {
        let text = "gpu = \"gtx480\"\n[late]\nfree_days = 1\npercent_per_day = 10\n[labs.lab1]\nweight = 2\npoints = 20\n\
                    due = 2027-01-31T23:59:00+01:00\n[labs.lab1.tasks.grayscale]\ncorrectness = 12\nbandwidth = 8\n\
                    speedup = 0\nfloor = 0.2\ntarget = 0.7\n";
        let course = parsed(text).expect("consistent");
        let lab = &course.labs[0];
        assert_eq!((lab.weight, lab.most(), lab.tasks.len()), (2.0, 20.0, 1));
        assert_eq!(lab.due.as_ref().map(Moment::to_string).as_deref(), Some("2027-01-31T23:59:00+01:00"));
        assert_eq!(course.late, Late { free_days: 1, percent_per_day: 10.0 });
        assert_eq!(course.gpu.map(|gpu| gpu.name), Some("gtx480"));
        let share = lab.tasks[0].1.share;
        let ends = share.levels.first().zip(share.levels.last()).map(|(first, last)| (first.at, last.at));
        assert_eq!((share.floor, share.target, ends), (0.2, 0.7, Some((0.2, 0.7))));
        assert!(share.levels.windows(2).all(|pair| pair[0].at < pair[1].at));
    }

    #[test]
    fn every_contradiction_has_its_line() {
        only("", 1, "no lab counts");
        only("title = 3\n[labs.lab1]\n", 1, "expected a string");
        only("[labs.lab1]\nwieght = 2\n", 2, "unknown field `wieght`");
        only("[labs.lab1\n", 1, "");
        only("[labs.lba1]\n", 1, "did you mean `lab1`?");
        only("gpu = \"h20\"\n[labs.lab1]\n", 1, "did you mean `h200`?");
        only("[labs.lab1]\nweight = 0\n", 2, "weights are numbers above 0");
        only("[labs.lab1]\npoints = 90\n", 2, "add up to 100 points, not to 90");
        only("[labs.lab1]\ndue = 2027-01-31\n", 2, "is not a moment");
        only("[labs.lab1]\ndue = 2027-01-31T10:00:00\n", 2, "is not a moment");
        only("[late]\npercent_per_day = 10\n[labs.lab1]\n", 1, "no lab has a `due`");
        let dated = "[labs.lab1]\ndue = 2027-01-31T10:00:00Z\n";
        only(&format!("[late]\npercent_per_day = 110\n{dated}"), 2, "from 0 to 100 %");
        only(&format!("[late]\nfree_days = -1\n{dated}"), 2, "counted from 0");
        let task = "[labs.lab6.tasks.sobel]\n";
        only(
            "[labs.lab1.tasks.greyscale]\n[labs.lab1.tasks.grayscale]\n[labs.lab1.tasks.grayscale_darken]\n",
            1,
            "did you mean `grayscale`?",
        );
        only(&format!("{task}correctness = -5\nbandwidth = 85\n"), 2, "points are numbers from 0");
        only(&format!("{task}floor = 0.9\n"), 2, "no share earns points between");
        only(&format!("{task}target = 1.5\n"), 2, "at most 1");
        only(&format!("{task}speedup_floor = 0\n"), 2, "above 0");
        only(&format!("{task}correctness = nan\n"), 2, "points are numbers from 0");
        let levels = |inner: &str| format!("{task}floor = 0.1\ntarget = 0.5\nlevels = [\n{inner}]\n");
        only(
            &levels("{ name = \"a\", at = 0.1, how = \"x\" },\n{ name = \"b\", at = 0.4, how = \"y\" },\n"),
            4,
            "from the floor",
        );
        only(
            &levels("{ name = \"\", at = 0.1, how = \"x\" },\n{ name = \"b\", at = 0.5, how = \"y\" },\n"),
            5,
            "no name",
        );
        let crossed = "{ name = \"a\", at = 0.1, how = \"x\" },\n{ name = \"b\", at = 0.6, how = \"x\" },\n{ name = \"c\", at = 0.5, how = \"y\" },\n";
        only(&levels(crossed), 7, "levels do not rise");
    }

    #[test]
    fn all_problems_are_told_in_the_order_of_their_lines() {
        let lines: Vec<usize> = problems("gpu = \"x\"\n[labs.lab2]\nweight = -1\n[labs.lab1]\npoints = 3\n")
            .into_iter()
            .map(|problem| problem.0)
            .collect();
        assert_eq!(lines, [1, 3, 5]);
    }
}
