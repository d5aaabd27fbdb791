//! What the checker relies on: points, references, cases and skeleton fit together.

use lab::{Argument, Task, Threshold};
use lab1_grayscale::LAB;
use pretty_assertions::assert_eq;

fn tasks() -> &'static [&'static dyn Task] {
    LAB.tasks()
}

#[test]
fn the_tasks_are_worth_100_points_split_50_30_20() {
    let sum = |part: fn(&lab::Points) -> f64| tasks().iter().map(|task| part(&task.points())).sum::<f64>();
    let parts = [sum(|p| p.correctness), sum(|p| p.bandwidth), sum(|p| p.speedup), sum(lab::Points::total)];
    // Compared as text: the parts are whole or halves, so their sums are exact.
    assert_eq!(parts.map(|part| part.to_string()), ["50", "30", "20", "100"]);
}

#[test]
fn levels_rise_from_the_floor_to_the_target() {
    let rises = |scale: Threshold| {
        let at: Vec<f64> = scale.levels.iter().map(|level| level.at).collect();
        assert!(at.windows(2).all(|pair| pair[0] < pair[1]), "{at:?}");
        assert_eq!((at.first(), at.last()), (Some(&scale.floor), Some(&scale.target)));
    };
    for task in tasks() {
        rises(task.points().share);
        rises(task.points().times);
    }
}

#[test]
fn the_parallel_reference_equals_the_sequential_one() {
    for task in tasks() {
        for case in task.cases() {
            let image = case.image(11).expect("a picture");
            let expected = task.reference(&image);
            assert_eq!(expected[0].len(), image.pixels());
            assert!(task.parallel_reference(&image) == expected, "{} on {}", task.name(), case.name);
        }
    }
}

#[test]
fn both_tasks_see_the_same_pixels() {
    for task in tasks() {
        let image = task.cases()[5].image(3).expect("a picture");
        let arguments = task.arguments(&image);
        let Argument::Input { bytes, .. } = &arguments[0] else { panic!("the first argument is the image") };
        let pixels = image.pixels();
        let pixel = |i: usize| match task.name() {
            "grayscale" => [bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]],
            _ => [bytes[i], bytes[pixels + i], bytes[2 * pixels + i]],
        };
        let interleaved: Vec<u8> = (0..pixels).flat_map(pixel).collect();
        assert!(interleaved == image.data, "{}", task.name());
    }
}

/// The reference itself, against the formula of the task sheet in double precision.
#[test]
fn the_reference_is_the_formula() {
    let gray = |p: &[u8]| 0.3 * f64::from(p[0]) + 0.59 * f64::from(p[1]) + 0.11 * f64::from(p[2]);
    for task in tasks() {
        let image = task.cases().last().expect("cases").image(5).expect("a picture");
        for (pixel, found) in image.data.chunks_exact(3).zip(&task.reference(&image)[0]) {
            let exact = if task.name() == "grayscale" { gray(pixel) } else { gray(pixel) * 0.6 };
            // Half a level either way, and the rounding errors of this formula itself.
            assert!((exact - f64::from(*found)).abs() <= 0.5 + 1e-9, "{} {pixel:?} {found}", task.name());
        }
    }
}

#[test]
fn arguments_follow_the_c_parameters() {
    for task in tasks() {
        let image = task.cases()[3].image(0).expect("a picture");
        let names: Vec<&str> = task
            .arguments(&image)
            .iter()
            .map(|argument| match argument {
                Argument::Input { name, .. } | Argument::Output { name, .. } | Argument::Int { name, .. } => {
                    *name
                }
            })
            .collect();
        let declared: Vec<&str> = task
            .parameters()
            .split(',')
            .map(|parameter| parameter.rsplit([' ', '*']).next().expect("a name"))
            .collect();
        assert_eq!(names, declared);
    }
}

#[test]
fn the_skeleton_defines_every_host_function_and_includes_the_header() {
    let skeleton = LAB.skeleton();
    assert!(skeleton.contains("#include \"workbook.cuh\""));
    for task in tasks() {
        assert!(
            skeleton.contains(&format!("void {}({}) {{", task.name(), task.parameters())),
            "{}",
            task.name()
        );
    }
    assert!(skeleton.contains("// TODO"));
}

#[test]
fn skeleton_and_readme_lie_where_the_lab_says() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(folder.file_name().and_then(|name| name.to_str()), Some(LAB.folder()));
    let file = std::fs::read_to_string(folder.join(LAB.file())).expect("the skeleton");
    assert_eq!(file, LAB.skeleton());
    let readme = std::fs::read_to_string(folder.join("README.md")).expect("the task sheet");
    for task in tasks() {
        let points = task.points();
        let row =
            [points.correctness, points.bandwidth, points.speedup].map(|part| part.to_string()).join(" | ");
        assert!(readme.contains(&format!("| `{}` | {row} |", task.name())), "the README lacks `{row}`");
    }
}

#[test]
fn the_timed_case_is_the_size_of_the_first_report() {
    for task in tasks() {
        let image = task.timed_case().image(1).expect("a picture");
        assert_eq!((image.width, image.height), (8773, 5352));
        let bytes = task.fewest_bytes(image.width, image.height);
        assert_eq!((bytes.read, bytes.write), (140_859_288, 46_953_096));
    }
}

/// The names and texts of the `.cu` files in a folder under `solutions/lab1-grayscale`, by name.
fn solutions(folder: &str) -> Vec<(String, String)> {
    let lab = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solutions").join(LAB.folder());
    let entries = std::fs::read_dir(lab.join(folder)).expect("the folder exists");
    let mut files: Vec<(String, String)> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn every_rung_is_a_whole_submission_under_a_header() {
    let rungs = solutions("");
    for (index, (name, text)) in rungs.iter().enumerate() {
        let number = index + 1;
        assert!(name.starts_with(&format!("{number:02}_")), "{name} is not rung {number}");
        assert!(text.starts_with(&format!("// Rung {number}: ")), "{name}: the first line names the rung");
        for part in ["// Before:   ", "// Change:   ", "// Expected: "] {
            assert!(text.contains(part), "{name} lacks `{part}`");
        }
        for task in tasks() {
            let function = format!("void {}({}) {{", task.name(), task.parameters());
            assert!(text.contains(&function), "{name} lacks `{function}`");
        }
    }
    assert!(rungs.len() >= 7, "only {} rungs", rungs.len());
}

#[test]
fn every_wrong_kernel_says_how_it_fails() {
    let wrong = solutions("wrong");
    for (name, text) in &wrong {
        let expect = text.lines().next().and_then(|line| line.strip_prefix("// expect: "));
        let expect = expect.unwrap_or_else(|| panic!("{name} begins with no `// expect:`"));
        let known = match expect.split_once(' ') {
            Some(("finding", kind)) => ["compile", "host", "memory", "launch"].contains(&kind),
            Some(("mismatch", task)) => tasks().iter().any(|known| known.name() == task),
            _ => false,
        };
        assert!(known, "{name} expects `{expect}`");
        assert!(text.contains("\n// fault: "), "{name} does not say what is wrong");
    }
    assert!(wrong.len() >= 10, "only {} wrong kernels", wrong.len());
}

#[test]
fn cuda_files_fit_a_page() {
    let skeleton = (LAB.file().to_owned(), LAB.skeleton().to_owned());
    for (name, text) in [solutions(""), solutions("wrong"), vec![skeleton]].concat() {
        for (index, line) in text.lines().enumerate() {
            assert!(line.chars().count() <= 100, "{name}:{} is longer than 100 columns", index + 1);
        }
    }
}
