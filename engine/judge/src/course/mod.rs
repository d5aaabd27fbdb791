//! An instructor's own course, `course.toml`: which labs and tasks count, for how many points, until when, and the GPU whose
//! times are predicted. A course changes points and dates, never the judging: verdicts, findings and times are the same with
//! and without it.

mod consistent;
mod file;
mod problems;
mod scale;

use std::path::{Path, PathBuf};

use clap::Args;
use grading::class::Moment;
use lab::{Lab, Points, Task};
use simulator::model::Gpu;

pub use consistent::parsed;
pub use problems::Problem;

use crate::exit::Stop;
use crate::labs;
use crate::report;
use crate::workspace::{current_folder, shown_from};

/// The name of the file, which is looked for in the current folder and in those above it.
pub const FILE: &str = "course.toml";

/// A course that is consistent.
#[derive(Debug, Clone)]
pub struct Course {
    /// The file, as the report names it.
    pub shown: String,
    /// Its full path, for other processes of this program.
    pub path: PathBuf,
    /// The text of the file: results follow from it.
    pub text: String,
    /// Its title, or empty.
    pub title: String,
    /// The GPU whose times are predicted where none is named.
    pub gpu: Option<&'static Gpu>,
    /// What late days cost.
    pub late: Late,
    /// The labs that count, in the order a student takes them.
    pub labs: Vec<LabOfCourse>,
}

/// What late days cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Late {
    /// Late days of a submission that cost nothing.
    pub free_days: u32,
    /// Per cent of the earned points that each further late day costs.
    pub percent_per_day: f64,
}

/// A lab that counts.
#[derive(Debug, Clone)]
pub struct LabOfCourse {
    /// Its name.
    pub name: &'static str,
    /// Its part of the course, relative to the other labs.
    pub weight: f64,
    /// When it is due.
    pub due: Option<Moment>,
    /// The names of the tasks that count, in the order of the lab, with their points.
    pub tasks: Vec<(&'static str, Points)>,
}

impl LabOfCourse {
    /// Points that can be earned.
    pub fn most(&self) -> f64 {
        self.tasks.iter().map(|(_, points)| points.total()).sum()
    }
}

/// Which course is used.
#[derive(Debug, Clone, Default, Args)]
pub struct CourseOptions {
    /// Take points, dates and GPU from this course; without it, from the nearest `course.toml` from this folder upwards
    #[arg(long, value_name = "FILE", conflicts_with = "no_course")]
    course: Option<PathBuf>,
    /// Use no course: the labs' own points
    #[arg(long)]
    no_course: bool,
}

impl CourseOptions {
    /// The course, if there is one.
    pub fn course(&self) -> Result<Option<Course>, Stop> {
        if self.no_course {
            return Ok(None);
        }
        let here = current_folder()?;
        let path = self.course.clone().map_or_else(|| find(&here), Some);
        path.map(|path| Course::load(&here, &path)).transpose()
    }
}

/// The nearest course from `here` upwards.
pub fn find(here: &Path) -> Option<PathBuf> {
    here.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file())
}

/// The text of a course's file.
pub fn read(here: &Path, path: &Path) -> Result<String, Stop> {
    let shown = shown_from(here, path);
    std::fs::read_to_string(here.join(path)).map_err(|error| {
        Stop::Usage(format!("failed to read the course `{shown}`: {error}; name the file with `--course`"))
    })
}

impl Course {
    /// Reads a course that must be consistent.
    fn load(here: &Path, path: &Path) -> Result<Self, Stop> {
        let (shown, text) = (shown_from(here, path), read(here, path)?);
        parsed(&text)
            .map(|course| Self { shown: shown.clone(), path: here.join(path), text, ..course })
            .map_err(|problems| {
                let first = &problems[0];
                Stop::Usage(format!(
                    "the course `{shown}` is not consistent: line {}: {}. {}. `checker course check` shows every problem; \
                     `--no-course` leaves the course out",
                    first.line, first.what, first.advice
                ))
            })
    }

    /// A lab, if it counts.
    pub fn lab(&self, lab: &dyn Lab) -> Option<&LabOfCourse> {
        self.labs.iter().find(|own| own.name == lab.name())
    }

    /// The points of a task, if it counts.
    pub fn points(&self, task: &dyn Task) -> Option<Points> {
        let all = self.labs.iter().flat_map(|lab| &lab.tasks);
        all.into_iter().find(|(name, _)| *name == task.name()).map(|(_, points)| *points)
    }

    /// Those of `tasks` that count; all, if their lab does not count at all.
    pub fn tasks(
        &self,
        lab: &dyn Lab,
        tasks: Vec<&'static dyn Task>,
    ) -> Result<Vec<&'static dyn Task>, Stop> {
        let Some(own) = self.lab(lab) else { return Ok(tasks) };
        let counts = |task: &&'static dyn Task| own.tasks.iter().any(|(name, _)| *name == task.name());
        let kept: Vec<_> = tasks.into_iter().filter(counts).collect();
        if !kept.is_empty() {
            return Ok(kept);
        }
        let names: Vec<&str> = own.tasks.iter().map(|(name, _)| *name).collect();
        Err(Stop::Usage(format!(
            "this task does not count in the course `{}`: of {} it has {}. `--no-course` checks it with the lab's own points",
            self.shown,
            lab.name(),
            labs::quoted(&names)
        )))
    }

    /// What a report on this lab says of the course.
    pub fn of_report(&self, lab: &dyn Lab) -> report::Course {
        let own = self.lab(lab);
        report::Course {
            file: self.shown.clone(),
            title: self.title.clone(),
            counts: own.is_some(),
            due: own.and_then(|own| own.due.as_ref().map(Moment::to_string)),
        }
    }
}

/// The points of a task: those of the course, or its own.
pub fn points(course: Option<&Course>, task: &dyn Task) -> Points {
    course.and_then(|course| course.points(task)).unwrap_or_else(|| task.points())
}
