//! What is swept: the parameters and their values.

use lab::{Case, Picture};
use serde::Serialize;

use super::Order;
use super::constants::{Constant, check_value};
use crate::exit::Stop;
use crate::labs::unknown;
use crate::submission::Submission;

/// More pixels than any task's largest picture has.
const MAX_SIDE: usize = 16_384;

/// `--set name=1,2`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    name: String,
    values: Vec<String>,
}

/// What varies.
#[derive(Debug, Clone, Serialize)]
pub struct Parameter {
    /// Its name: of a constant, or `size`, or `levels`.
    pub name: String,
    /// Its values, in the order they are tried.
    pub values: Vec<String>,
    /// What the file has; absent for images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
}

/// All combinations.
pub struct Plan {
    /// The constants that vary.
    pub constants: Vec<Constant>,
    /// Constants first, then the image's.
    pub parameters: Vec<Parameter>,
    /// By combination of the image's parameters: their values, and the case, or the task's own.
    pub scenes: Vec<(Vec<String>, Option<Case>)>,
    /// By combination of the constants: their values.
    pub versions: Vec<Vec<String>>,
}

/// Reads `name=1,2`.
pub fn setting(text: &str) -> Result<Setting, Stop> {
    let bad = |why: String| {
        Stop::Usage(format!("failed to read `--set {text}`: {why}; write `--set block_size=64,128`"))
    };
    let (name, values) = text.split_once('=').ok_or_else(|| bad("there is no `=`".into()))?;
    let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
    values.iter().try_for_each(|value| check_value(value)).map_err(bad)?;
    Ok(Setting { name: name.trim().to_owned(), values })
}

/// Reads `640x426`.
pub fn size(text: &str) -> Result<(usize, usize), Stop> {
    let side = |side: &str| side.parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or_else(|| {
        Stop::Usage(format!("`{text}` is no image size: write `640x426`, sides from 1 to {MAX_SIDE}"))
    })
}

/// Checks numbers of gray levels.
pub fn levels(levels: Vec<usize>) -> Result<Vec<usize>, Stop> {
    match levels.iter().find(|count| !(1..=256).contains(*count)) {
        Some(count) => Err(Stop::Usage(format!("`--levels {count}`: an 8-bit image has 1 to 256 levels"))),
        None => Ok(levels),
    }
}

/// What the order and the file ask for.
pub fn plan(order: &Order, submission: &Submission, constants: &[Constant]) -> Result<Plan, Stop> {
    let constants = chosen(order, submission, constants)?;
    let mut parameters: Vec<Parameter> = constants
        .iter()
        .map(|constant| Parameter {
            name: constant.name.clone(),
            values: constant.candidates.clone(),
            current: Some(constant.value.clone()),
        })
        .collect();
    let versions = product(&parameters);
    let image = image_parameters(order);
    if constants.is_empty() && image.is_empty() {
        return Err(Stop::Usage(format!(
            "`{}` has nothing to tune: write `// tune: 64 128 256` behind a `constexpr int name = value;`, or give \
             `--set NAME=V,V`, `--size WxH` or `--levels N`",
            submission.shown
        )));
    }
    let scenes: Vec<_> = product(&image)
        .into_iter()
        .map(|values| {
            let case = scene(order, &image, &values);
            (values, case)
        })
        .collect();
    parameters.extend(image);
    let count = versions.len() * scenes.len() * order.tasks.len();
    if count > order.limit {
        return Err(Stop::Usage(format!(
            "{count} combinations are more than {}: fix some with `--set NAME=V` or `--task T`, or raise `--limit`",
            order.limit
        )));
    }
    Ok(Plan { constants, parameters, scenes, versions })
}

/// The constants that vary: those with a mark, and those set.
fn chosen(order: &Order, submission: &Submission, constants: &[Constant]) -> Result<Vec<Constant>, Stop> {
    let mut chosen: Vec<Constant> = constants.iter().filter(|c| !c.candidates.is_empty()).cloned().collect();
    for setting in &order.set {
        let same: Vec<&Constant> = constants.iter().filter(|c| c.name == setting.name).collect();
        let [constant] = same.as_slice() else {
            let names: Vec<&str> = constants.iter().map(|c| c.name.as_str()).collect();
            let advice =
                format!("the constants of `{}` are {}", submission.shown, crate::labs::quoted(&names));
            return Err(Stop::Usage(if same.is_empty() {
                unknown("constant", &setting.name, &names, &advice)
            } else {
                format!("`{}` is declared more than once in `{}`", setting.name, submission.shown)
            }));
        };
        let set = Constant { candidates: setting.values.clone(), ..(*constant).clone() };
        match chosen.iter_mut().find(|known| known.name == setting.name) {
            Some(known) => *known = set,
            None => chosen.push(set),
        }
    }
    Ok(chosen)
}

fn image_parameters(order: &Order) -> Vec<Parameter> {
    let sizes: Vec<String> = order.sizes.iter().map(|(width, height)| format!("{width}x{height}")).collect();
    let levels: Vec<String> = order.levels.iter().map(usize::to_string).collect();
    let both = [("size", sizes), ("levels", levels)];
    let asked = both.into_iter().filter(|(_, values)| !values.is_empty());
    asked.map(|(name, values)| Parameter { name: name.to_owned(), values, current: None }).collect()
}

/// The case of one combination; `None` if the task's own picture is meant.
fn scene(order: &Order, parameters: &[Parameter], values: &[String]) -> Option<Case> {
    let value = |name: &str| {
        let at = parameters.iter().position(|parameter| parameter.name == name)?;
        let index = parameters[at].values.iter().position(|value| *value == values[at])?;
        Some(index)
    };
    let own = (8773, 5352);
    let levels = value("levels").map(|index| order.levels[index]);
    let asked = value("size").map(|index| order.sizes[index]);
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

/// All combinations of values, the last parameter the fastest.
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
    use super::super::constants;
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn the_last_parameter_is_the_fastest() {
        let parameter = |name: &str, values: &[&str]| Parameter {
            name: name.into(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            current: None,
        };
        let all = product(&[parameter("a", &["1", "2"]), parameter("b", &["x", "y"])]);
        assert_eq!(all, [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]]);
    }

    #[test]
    fn sizes_and_settings_are_read() {
        assert_eq!(size("640x426").ok(), Some((640, 426)));
        assert!(size("0x4").is_err() && size("640").is_err() && size("99999x1").is_err());
        assert!(setting("a=1,2").is_ok_and(|set| set.values == ["1", "2"]));
        assert!(setting("a").is_err() && setting("a=1;2").is_err());
        assert!(levels(vec![1, 256]).is_ok() && levels(vec![0]).is_err() && levels(vec![257]).is_err());
    }

    /// What the ladder declares tunable is swept without further options, and holds what the file has.
    #[test]
    fn every_rung_can_be_swept_within_the_limit() {
        let workspace =
            Workspace::find(std::path::Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a checkout");
        let mut tunable = 0;
        for lab in crate::labs::all() {
            for rung in workspace.rungs(lab).expect("rungs") {
                let text = std::fs::read_to_string(&rung.path).expect("a rung");
                let marked: Vec<Constant> = constants::find(&text)
                    .unwrap_or_else(|error| panic!("{}: {error}", rung.path.display()))
                    .into_iter()
                    .filter(|constant| !constant.candidates.is_empty())
                    .collect();
                for constant in &marked {
                    let plain = constant.value.replace(' ', "");
                    let name = &constant.name;
                    assert!(constant.candidates.contains(&plain), "{}: {name}", rung.path.display());
                    assert_eq!(marked.iter().filter(|other| other.name == *name).count(), 1, "{name}");
                }
                let versions: usize = marked.iter().map(|constant| constant.candidates.len()).product();
                assert!(versions * rung.tasks.len() <= 100, "{}: {versions}", rung.path.display());
                tunable += usize::from(!marked.is_empty());
            }
        }
        assert!(tunable >= 12, "only {tunable} rungs can be tuned");
    }
}
