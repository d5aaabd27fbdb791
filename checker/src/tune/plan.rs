//! The plan of a sweep: its parameters and their values.

use lab::{Case, Picture, Task};
use serde::Serialize;

use super::options::Options;
use super::values::distinct;
use judge::exit::Stop;
use judge::labs::unknown;
use judge::submission::Submission;
use judge::tunable::{Constant, Reach};

/// A parameter that varies.
#[derive(Debug, Clone, Serialize)]
pub struct Parameter {
    /// The name of a constant, or `size`, or `levels`.
    pub name: String,
    /// Its values, in the order of the sweep.
    pub values: Vec<String>,
    /// The tasks whose kernels it may change: for the others it keeps the value in the file.
    pub tasks: Vec<&'static str>,
    /// The value in the file; absent for images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
}

/// All combinations.
pub struct Plan {
    /// The constants that vary.
    pub constants: Vec<Constant>,
    /// Constants first, then the image's.
    pub parameters: Vec<Parameter>,
    /// By combination of the image's parameters: their values, and the case; `None` for the task's own.
    pub scenes: Vec<(Vec<String>, Option<Case>)>,
    /// How the versions of each task are chosen.
    pub sweeps: Vec<TaskSweep>,
}

/// The sweep of one task: over the constants that it uses, the others keep the values in the file.
pub struct TaskSweep {
    /// The task.
    pub task: &'static dyn Task,
    /// Numbers of the constants that vary.
    pub own: Vec<usize>,
    /// Whether every combination is tried; else one constant after the other, beside the best values of those before.
    pub crossed: bool,
    /// How many versions that makes.
    pub versions: usize,
}

/// Combinations of a task's constants up to which all of them are tried.
const CROSSED: usize = 16;

impl TaskSweep {
    fn new(task: &'static dyn Task, parameters: &[Parameter], all: bool) -> Self {
        let is_own = |parameter: &Parameter| parameter.tasks.contains(&task.name());
        let own: Vec<usize> = (0..parameters.len()).filter(|at| is_own(&parameters[*at])).collect();
        let counts = || own.iter().map(|at| parameters[*at].values.len());
        let product: usize = counts().product();
        let crossed = all || own.len() < 2 || product <= CROSSED;
        // Each constant after the first begins at a version that is known already.
        let apart = counts().sum::<usize>() - own.len().saturating_sub(1);
        Self { task, own, crossed, versions: if crossed { product } else { apart } }
    }
}

impl Plan {
    /// The values in the file.
    pub fn in_file(&self) -> Vec<String> {
        self.constants.iter().map(|constant| constant.value.clone()).collect()
    }

    /// Versions of all tasks; those that tasks share are built once.
    pub fn versions(&self) -> usize {
        self.sweeps.iter().map(|sweep| sweep.versions).sum()
    }

    /// The values of a task's versions if all are tried, the last constant fastest.
    pub fn product(&self, sweep: &TaskSweep) -> Vec<Vec<String>> {
        let own: Vec<&Parameter> = sweep.own.iter().map(|at| &self.parameters[*at]).collect();
        let with = |values: Vec<String>| {
            let mut version = self.in_file();
            for (at, value) in sweep.own.iter().zip(values) {
                version[*at] = value;
            }
            version
        };
        product(&own).into_iter().map(with).collect()
    }
}

/// The plan for these options and this file.
pub fn plan(options: &Options, submission: &Submission, constants: &[Constant]) -> Result<Plan, Stop> {
    let constants = chosen(options, submission, constants)?;
    let mut parameters: Vec<Parameter> = constants
        .iter()
        .map(|constant| Parameter {
            name: named(constant, &constants),
            values: constant.candidates.clone(),
            tasks: users(options, submission, constant),
            current: Some(constant.value.clone()),
        })
        .collect();
    let sweeps: Vec<TaskSweep> =
        options.tasks.iter().map(|task| TaskSweep::new(*task, &parameters, options.all)).collect();
    let image = image_parameters(options);
    if constants.is_empty() && image.is_empty() {
        return Err(Stop::Usage(format!(
            "`{}` has nothing to tune: write `// tune: 64 128 256` after a `constexpr int name = value;`, or use \
             `--set NAME=V,V`, `--size WxH`, or `--levels 1,16,256` for images with so many gray levels",
            submission.shown
        )));
    }
    let scenes: Vec<_> = product(&image.iter().collect::<Vec<_>>())
        .into_iter()
        .map(|values| {
            let case = scene(options, &image, &values);
            (values, case)
        })
        .collect();
    parameters.extend(image);
    let count = sweeps.iter().map(|sweep| sweep.versions).sum::<usize>() * scenes.len();
    if count > options.limit {
        return Err(Stop::Usage(format!(
            "the sweep has {count} combinations, more than the limit of {}: fix a constant with `--set NAME=V`, choose one task with \
             `--task T`, or raise `--limit`",
            options.limit
        )));
    }
    Ok(Plan { constants, parameters, scenes, sweeps })
}

/// The tasks that use a constant; all of them if none seems to.
fn users(options: &Options, submission: &Submission, constant: &Constant) -> Vec<&'static str> {
    let reaches = |task: &&&'static dyn Task| {
        Reach::of(&submission.text, task.name()).has(&constant.name, constant.place.start)
    };
    let users: Vec<&str> = options.tasks.iter().filter(reaches).map(|task| task.name()).collect();
    if users.is_empty() { options.tasks.iter().map(|task| task.name()).collect() } else { users }
}

/// The constants that vary: marked in the file, or set by an option.
fn chosen(options: &Options, submission: &Submission, constants: &[Constant]) -> Result<Vec<Constant>, Stop> {
    // A constant of another task would repeat every time.
    let reaches: Vec<Reach<'_>> =
        options.tasks.iter().map(|task| Reach::of(&submission.text, task.name())).collect();
    let matters = |constant: &&Constant| {
        !constant.candidates.is_empty()
            && reaches.iter().any(|reach| reach.has(&constant.name, constant.place.start))
    };
    let mut chosen: Vec<Constant> = constants.iter().filter(matters).cloned().collect();
    for setting in &options.set {
        let same: Vec<&Constant> = constants.iter().filter(|c| c.name == setting.name).collect();
        let [constant] = same.as_slice() else {
            let names: Vec<&str> = constants.iter().map(|c| c.name.as_str()).collect();
            let advice =
                format!("the constants of `{}` are {}", submission.shown, judge::labs::quoted(&names));
            return Err(Stop::Usage(if same.is_empty() {
                unknown("constant", &setting.name, &names, &advice)
            } else {
                format!(
                    "`{}` is declared more than once in `{}`: give each a name of its own, and set that",
                    setting.name, submission.shown
                )
            }));
        };
        let set = Constant { candidates: setting.values.clone(), ..(*constant).clone() };
        match chosen.iter_mut().find(|known| known.name == setting.name) {
            Some(known) => *known = set,
            None => chosen.push(set),
        }
    }
    for constant in &mut chosen {
        constant.candidates = distinct(std::mem::take(&mut constant.candidates));
    }
    Ok(chosen)
}

/// The name of a constant; with its line if others have the same name.
fn named(constant: &Constant, all: &[Constant]) -> String {
    let alike = all.iter().filter(|other| other.name == constant.name).count();
    if alike == 1 { constant.name.clone() } else { format!("{}:{}", constant.name, constant.line) }
}

fn image_parameters(options: &Options) -> Vec<Parameter> {
    let sizes: Vec<String> =
        options.sizes.iter().map(|(width, height)| format!("{width}x{height}")).collect();
    let levels: Vec<String> = options.levels.iter().map(usize::to_string).collect();
    let both = [("size", sizes), ("levels", levels)];
    let asked = both.into_iter().filter(|(_, values)| !values.is_empty());
    let tasks = || options.tasks.iter().map(|task| task.name()).collect();
    asked
        .map(|(name, values)| Parameter { name: name.to_owned(), values, tasks: tasks(), current: None })
        .collect()
}

/// The case of one combination; `None` for the task's own picture.
fn scene(options: &Options, parameters: &[Parameter], values: &[String]) -> Option<Case> {
    let value = |name: &str| {
        let at = parameters.iter().position(|parameter| parameter.name == name)?;
        let index = parameters[at].values.iter().position(|value| *value == values[at])?;
        Some(index)
    };
    let own = (8773, 5352);
    let levels = value("levels").map(|index| options.levels[index]);
    let asked = value("size").map(|index| options.sizes[index]);
    let (width, height) = asked.unwrap_or(own);
    match levels {
        Some(1) => Some(Case::new(
            format!("noise {width}x{height}, 1 level"),
            Picture::GrayNoise { width, height, levels: 1 },
        )),
        Some(levels) => Some(Case::new(
            format!("noise {width}x{height}, {levels} levels"),
            Picture::GrayNoise { width, height, levels },
        )),
        None => asked.map(|_| Case::new(format!("scene {width}x{height}"), Picture::Scene { width, height })),
    }
}

/// All combinations of values; the last parameter varies fastest.
fn product(parameters: &[&Parameter]) -> Vec<Vec<String>> {
    parameters.iter().fold(vec![Vec::new()], |all, parameter| {
        let longer = |values: &Vec<String>| -> Vec<Vec<String>> {
            parameter
                .values
                .iter()
                .map(|value| [values.as_slice(), std::slice::from_ref(value)].concat())
                .collect()
        };
        all.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge::tunable::{self, reached};
    use judge::workspace::Workspace;

    #[test]
    fn the_last_parameter_varies_fastest() {
        let parameter = |name: &str, values: &[&str]| Parameter {
            name: name.into(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            tasks: vec!["histogram"],
            current: None,
        };
        let all = product(&[&parameter("a", &["1", "2"]), &parameter("b", &["x", "y"])]);
        assert_eq!(all, [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]]);
    }

    #[test]
    fn only_few_constants_of_a_task_are_crossed() {
        let tasks = judge::labs::find("lab2").expect("a lab").tasks();
        let parameter = |task: usize, values: usize| Parameter {
            name: "n".into(),
            values: vec![String::new(); values],
            tasks: vec![tasks[task].name()],
            current: Some(String::new()),
        };
        let sweep = |parameters: &[Parameter], all| {
            let TaskSweep { own, crossed, versions, .. } = TaskSweep::new(tasks[0], parameters, all);
            (own.len(), crossed, versions)
        };
        assert_eq!(sweep(&[parameter(0, 4), parameter(1, 4)], false), (1, true, 4), "each task by itself");
        assert_eq!(sweep(&[parameter(0, 4), parameter(0, 4)], false), (2, true, 16));
        let many = [parameter(0, 5), parameter(0, 3), parameter(0, 4)];
        assert_eq!(sweep(&many, false), (3, false, 10), "one after another");
        assert_eq!(sweep(&many, true), (3, true, 60));
    }

    #[test]
    fn constants_of_one_name_are_told_apart_by_their_lines() {
        let text = "void a() {\n    constexpr int size = 64;  // tune: 64 128\n}\nvoid b() {\n    constexpr int size = 32;  // tune: 32\n}\n\
                    constexpr int rows = 4;  // tune: 4\n";
        let all = tunable::find(text).expect("constants");
        let names: Vec<String> = all.iter().map(|constant| named(constant, &all)).collect();
        assert_eq!(names, ["size:2", "size:5", "rows"]);
    }

    /// Every tunable rung can be swept without further options, and its marks contain the value in the file.
    #[test]
    fn every_rung_can_be_swept_within_the_limit() {
        let workspace =
            Workspace::find(std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a checkout");
        let mut tunable = 0;
        for lab in judge::labs::all() {
            for rung in workspace.rungs(lab).expect("rungs") {
                let text = std::fs::read_to_string(&rung.path).expect("a rung");
                let marked: Vec<Constant> = tunable::find(&text)
                    .unwrap_or_else(|error| panic!("{}: {error}", rung.path.display()))
                    .into_iter()
                    .filter(|constant| !constant.candidates.is_empty())
                    .collect();
                for constant in &marked {
                    let plain = constant.value.replace(' ', "");
                    let name = &constant.name;
                    assert!(constant.candidates.contains(&plain), "{}: {name}", rung.path.display());
                    assert_eq!(marked.iter().filter(|other| other.name == *name).count(), 1, "{name}");
                    let mut tasks = rung.tasks.iter().map(|task| reached(&text, task.name()));
                    let is_used = tasks.any(|names| names.contains(name.as_str()));
                    assert!(is_used, "{}: no task uses `{name}`", rung.path.display());
                }
                let versions: usize = marked.iter().map(|constant| constant.candidates.len()).product();
                assert!(versions * rung.tasks.len() <= 100, "{}: {versions}", rung.path.display());
                tunable += usize::from(!marked.is_empty());
            }
        }
        assert!(tunable >= 12, "only {tunable} rungs can be tuned");
    }
}
