//! Grading a class from beginning to end.

mod output;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::class::{self, Submitted};
use crate::live::Live;
use crate::result::{Class, Graded, Lab, Rules, grade, summarise};
use crate::run::{self, Checked, Cluster, Engine, Queues, Store, Unit, Work};
use crate::{Error, export, files, similar};

/// What to grade, and how.
#[derive(Debug, Clone)]
pub struct Job {
    /// A folder, an archive or a file.
    pub submissions: PathBuf,
    /// The folder for results.
    pub out: PathBuf,
    /// The lab.
    pub lab: Lab,
    /// The roster.
    pub roster: Option<PathBuf>,
    /// The engines; the score of the first counts.
    pub engines: Vec<Engine>,
    /// Who checks.
    pub queues: Queues,
    /// Where; `None`: on this machine.
    pub cluster: Option<Cluster>,
    /// SHA-256 of the program that checks.
    pub program: String,
    /// What else a result depends on: compiler, options.
    pub context: Vec<String>,
    /// The secret seed.
    pub secret: Option<String>,
    /// Whether to continue: results that still hold are kept.
    pub resume: bool,
    /// Check only this student again, even if there is a result.
    pub only: Option<String>,
    /// Per cent of the points that a late day costs.
    pub late_penalty: f64,
    /// Late days that cost nothing.
    pub free_days: u32,
    /// What exports need.
    pub export: export::Settings,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Done {
    /// One result per student.
    pub all: Vec<Graded>,
    /// All together.
    pub class: Class,
    /// Checks without a result, and why.
    pub broken: Vec<(String, String)>,
}

impl Job {
    /// Grades. Results appear in the folder as they come, reports and exports at the end.
    pub fn run(&self) -> Result<Done, Error> {
        let started = Instant::now();
        let roster = self.roster.as_deref().map(class::roster).transpose()?;
        let class = class::read(&self.submissions, &self.lab.file, roster.as_deref())?;
        let mut store = Store::open(&self.out)?;
        if !self.resume && self.only.is_none() && !store.is_empty() {
            return Err(Error::Usage(format!(
                "`{}` holds results already: continue with `--resume`, or name another folder with `--out`",
                self.out.display()
            )));
        }
        let students = class.students;
        self.known(&students)?;
        let work = self.work(&students, &self.out.join("files"))?;
        let mut results = HashMap::new();
        let mut open = Vec::new();
        for one in work {
            let wanted = self.only.as_ref().is_none_or(|only| *only == one.unit.student);
            let again = self.only.is_some() && wanted;
            match store.find(&one.unit)? {
                Some(checked) if !again => drop(results.insert(one.unit.name(), checked)),
                _ if wanted => open.push(one),
                _ => {}
            }
        }
        let mut live = Live::new(open.len(), results.len());
        let mut tell = |event: run::Event<'_>| {
            live.show(&event);
            if let run::Event::Done(unit, checked) = event {
                results.insert(unit.name(), checked.clone());
            }
        };
        let broken = match &self.cluster {
            Some(cluster) => cluster.run(&self.queues, &open, &mut store, &mut tell)?,
            None => run::run(&self.queues, &open, &mut store, self.only.is_some(), &mut tell)?,
        };
        live.finish();
        let (all, class_result) = self.assembled(&students, &results);
        output::write(self, &all, &class_result, &texts(&students))?;
        output::provenance(self, class.layout, started.elapsed())?;
        let broken = broken.into_iter().map(|(unit, why)| (unit.name(), why)).collect();
        Ok(Done { all, class: class_result, broken })
    }

    fn known(&self, students: &[Submitted]) -> Result<(), Error> {
        match &self.only {
            Some(only) if !students.iter().any(|student| student.person.id == *only) => {
                let names: Vec<&str> =
                    students.iter().take(5).map(|student| student.person.id.as_str()).collect();
                Err(Error::Usage(format!(
                    "no student is called `{only}`: the names are such as {}",
                    names.join(", ")
                )))
            }
            _ => Ok(()),
        }
    }

    /// The checks to make, each file written to a folder of its own under the lab's name for it.
    fn work(&self, students: &[Submitted], files_in: &Path) -> Result<Vec<Work>, Error> {
        let mut all = Vec::new();
        for student in students {
            let Some(Ok(chosen)) = &student.file else { continue };
            let folder = files_in.join(&student.person.id);
            std::fs::create_dir_all(&folder)
                .map_err(|error| Error::at("make the folder", &folder, &error))?;
            let path = folder.join(&self.lab.file);
            if std::fs::read(&path).ok().as_ref() != Some(&chosen.bytes) {
                files::replace(&path, &chosen.bytes).map_err(|error| Error::at("write", &path, &error))?;
            }
            for engine in &self.engines {
                let mut context = vec![self.program.as_str(), self.lab.name.as_str()];
                context.extend(self.context.iter().map(String::as_str));
                context.extend(self.secret.as_deref());
                let unit = Unit::new(&student.person.id, *engine, &chosen.bytes, &context);
                all.push(Work { unit, folder: folder.clone(), file: self.lab.file.clone() });
            }
        }
        Ok(all)
    }

    fn assembled(&self, students: &[Submitted], results: &HashMap<String, Checked>) -> (Vec<Graded>, Class) {
        let rules = Rules {
            max_score: self.lab.max_score,
            late_penalty: self.late_penalty,
            free_days: self.free_days,
            due: self.lab.due.clone(),
        };
        let one = |student: &Submitted| {
            let name = |engine: &Engine| format!("{}.{}", student.person.id, engine.name());
            let checked = self.engines.iter().map(|engine| results.get(&name(engine)).cloned()).collect();
            grade(&self.lab.name, student, checked, &self.program, &rules)
        };
        let all: Vec<Graded> = students.iter().map(one).collect();
        let texts = texts(students);
        let files: Vec<(&str, &str)> = texts.iter().map(|(id, text)| (*id, &**text)).collect();
        let similar = similar::pairs(&files, &self.lab.published);
        let class = summarise(&self.lab, &all, similar, self.secret.as_deref().unwrap_or_default());
        (all, class)
    }
}

/// The text of each file that was handed in, by the student's short name.
fn texts(students: &[Submitted]) -> BTreeMap<&str, Cow<'_, str>> {
    let mut all = BTreeMap::new();
    for student in students {
        if let Some(Ok(chosen)) = &student.file {
            all.insert(student.person.id.as_str(), String::from_utf8_lossy(&chosen.bytes));
        }
    }
    all
}
