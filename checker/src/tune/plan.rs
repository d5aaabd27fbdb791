//! The plan of a sweep: its parameters and their values.

use lab::{Case, Picture};
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
    /// By combination of the constants: their values.
    pub versions: Vec<Vec<String>>,
}

/// The plan for these options and this file.
pub fn plan(options: &Options, submission: &Submission, constants: &[Constant]) -> Result<Plan, Stop> {
    let constants = chosen(options, submission, constants)?;
    let mut parameters: Vec<Parameter> = constants
        .iter()
        .map(|constant| Parameter {
            name: named(constant, &constants),
            values: constant.candidates.clone(),
            current: Some(constant.value.clone()),
        })
        .collect();
    let versions = product(&parameters);
    let image = image_parameters(options);
    if constants.is_empty() && image.is_empty() {
        return Err(Stop::Usage(format!(
            "`{}` has nothing to tune: write `// tune: 64 128 256` after a `constexpr int name = value;`, or use \
             `--set NAME=V,V`, `--size WxH`, or `--levels 1,16,256` for images with so many gray levels",
            submission.shown
        )));
    }
    let scenes: Vec<_> = product(&image)
        .into_iter()
        .map(|values| {
            let case = scene(options, &image, &values);
            (values, case)
        })
        .collect();
    parameters.extend(image);
    let count = versions.len() * scenes.len() * options.tasks.len();
    if count > options.limit {
        return Err(Stop::Usage(format!(
            "the sweep has {count} combinations, more than the limit of {}: fix a constant with `--set NAME=V`, choose one task with \
             `--task T`, or raise `--limit`",
            options.limit
        )));
    }
    Ok(Plan { constants, parameters, scenes, versions })
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
    asked.map(|(name, values)| Parameter { name: name.to_owned(), values, current: None }).collect()
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
fn product(parameters: &[Parameter]) -> Vec<Vec<String>> {
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
            current: None,
        };
        let all = product(&[parameter("a", &["1", "2"]), parameter("b", &["x", "y"])]);
        assert_eq!(all, [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]]);
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
