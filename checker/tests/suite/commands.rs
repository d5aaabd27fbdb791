//! `checker ladder`, `checker tune` and `checker lab1 --save`, from outside.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::common::{root, run, shown, shown_in};

/// Two tunable constants: blocks of 4,096 threads are refused, and with `skipped` pixels the result is wrong.
const TUNABLE: &str = r#"#include "workbook.cuh"
constexpr int block_size = 64;  // tune: 64 256 4096
constexpr int skipped = 0;      // tune: 0 1
__global__ void k(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i < n - skipped)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    k<<<ceil_div(width * height, block_size), block_size>>>(rgb, gray, width * height);
}
"#;

/// A folder with this file.
fn folder(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("mine.cu"), source).expect("a file in it");
    folder
}

/// `checker tune lab1` on that file, with these arguments too.
fn tune<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let always = ["tune", "lab1", "--file", "mine.cu", "--task", "grayscale", "--engine", "sim"];
    [&always[..], more].concat()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn the_ladder_has_every_rung_with_its_time() {
    let arguments = ["ladder", "lab1", "--task", "grayscale", "--engine", "sim", "--gpu", "h200"];
    let climbed = json(&root(), &[&arguments[..], &["--json"]].concat());
    let rungs = climbed["rungs"].as_array().expect("rungs");
    let files = fs::read_dir(root().join("solutions/lab1-grayscale")).expect("the ladder");
    let count = files.filter(|file| file.as_ref().expect("a file").path().extension().is_some()).count();
    assert_eq!(rungs.len(), count);
    assert_eq!((&climbed["passed"], &climbed["measured"]), (&true.into(), &false.into()));
    for rung in rungs {
        assert_eq!((&rung["task"], &rung["passed"]), (&"grayscale".into(), &true.into()), "{rung}");
        let timed = &rung["performance"];
        let number = |key: &str| timed[key].as_f64().unwrap_or_else(|| panic!("no {key}"));
        let share = number("yardstick_seconds") / number("seconds");
        assert!((share - number("share")).abs() < 1e-12 && number("speedup") > 1.0, "{timed}");
    }
    // The warps of the first rung access bytes three apart.
    assert_eq!(rungs[0].pointer("/finding/code"), Some(&"W0701".into()));

    // `shown` holds every line to 100 columns.
    let table = shown(&arguments);
    assert!(
        table.starts_with("exit 0\n--- stdout\nlab1: Grayscale\nengine    simulator, as NVIDIA H200"),
        "{table}"
    );
    for rung in rungs {
        let start = format!("\n  {} ", rung["name"].as_str().expect("a name"));
        let seconds = rung.pointer("/performance/seconds").and_then(Value::as_f64).expect("seconds");
        let line = table.split(&start).nth(1).and_then(|rest| rest.lines().next()).expect("its line");
        assert!(line.contains(" yes ") && line.contains(&format!(" {:.4} ", 1e3 * seconds)), "{line}");
    }
}

#[test]
fn a_sweep_tries_every_combination_and_says_why_some_are_not_valid() {
    let folder = folder(TUNABLE);
    let arguments = tune(&["--size", "64x48,320x200", "--svg", "plot.svg"]);
    let swept = json(folder.path(), &[&arguments[..], &["--json"]].concat());
    let rows = swept["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3 * 2 * 2);
    let find = |block: &str, skipped: &str, size: &str| {
        let wanted = [("block_size", block), ("skipped", skipped), ("size", size)];
        let is = |row: &&Value| wanted.iter().all(|(name, value)| row["values"][name] == *value);
        rows.iter().find(is).unwrap_or_else(|| panic!("no row of {wanted:?}"))
    };
    for size in ["64x48", "320x200"] {
        for block in ["64", "256"] {
            let row = find(block, "0", size);
            assert_eq!((&row["valid"], &row["reason"]), (&true.into(), &"".into()), "{row}");
            assert_eq!(row["current"], block == "64");
            let [width, height] = ["width", "height"].map(|key| row["performance"][key].to_string());
            assert_eq!(format!("{width}x{height}"), size);
            let wrong = find(block, "1", size);
            assert_eq!((&wrong["valid"], &wrong["performance"]), (&false.into(), &Value::Null));
            // Only the last pixel is missing, which no known mistake explains.
            assert!(wrong["reason"].as_str().is_some_and(|why| why.starts_with("wrong in \"")), "{wrong}");
        }
        let refused = find("4096", "0", size)["reason"].as_str().unwrap_or_default().to_owned();
        assert!(refused.starts_with("W05") && refused.contains("4096"), "{refused}");
        let best = rows.iter().filter(|row| row["values"]["size"] == *size && row["best"] == true);
        assert!(best.clone().count() >= 1 && best.clone().all(|row| row["valid"] == true));
    }
    // A point for each valid row, a cross for each other row.
    let svg = fs::read_to_string(folder.path().join("plot.svg")).expect("the picture");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(svg.matches("<circle ").count(), 4, "{svg}");
    for text in ["block_size", "4096", "share of the yardstick"] {
        assert!(svg.contains(text), "no `{text}` in\n{svg}");
    }

    let table = shown_in(folder.path(), &arguments);
    assert!(table.starts_with("exit 0\n--- stdout\nlab1: mine.cu\n"), "{table}");
    // Lines on stderr say it, too, where the sweep takes long.
    assert_eq!(table.matches("  refused:").count(), 8, "{table}");
    assert!(table.contains("best, file") || table.contains("  file"), "{table}");
}

/// A constant of two tasks: `work` costs the first one time, and the second one `16 - work`.
const SHARED: &str = r#"#include "workbook.cuh"
constexpr int work = 0;  // tune: 0 16
__device__ int delayed(int v, int rounds) {
    for (int k = 0; k < 64 * rounds; ++k) v = v * 7 + v / 3;
    return v;
}
__global__ void one(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const int v = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    gray[i] = delayed(v, work) == -12345 ? 0 : v;
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    one<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);
}
__global__ void other(const uint8_t* p, uint8_t* gray, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    const float v = (0.3f * p[i] + 0.59f * p[i + n] + 0.11f * p[i + 2 * n]) * 0.6f;
    gray[i] = delayed(p[i], 16 - work) == -12345 ? 0 : uint8_t(v + 0.5f);
}
void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    other<<<ceil_div(width * height, 256), 256>>>(planar_rgb, gray, width * height);
}
"#;

#[test]
fn a_constant_of_several_tasks_may_have_several_best_values() {
    let folder = folder(SHARED);
    let arguments = ["tune", "lab1", "--file", "mine.cu", "--engine", "sim", "--no-history"];
    let table = shown_in(folder.path(), &arguments);
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(
            "Several tasks use `work`, and no value suits all of them. The best is 0 for `grayscale`, 16 for `grayscale_darken`: give each task a \
             constant of its own."
        ),
        "{table}"
    );
    let alike = self::folder(&SHARED.replace("16 - work)", "work)"));
    let table = shown_in(alike.path(), &arguments);
    assert!(!table.contains("Several tasks"), "{table}");
}

#[test]
fn a_remark_on_a_case_is_not_cut() {
    let arguments = ["lab2", "--engine", "sim", "--task", "histogram", "--solution", "10", "--verbose"];
    let words = shown(&arguments).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("passed timed; not one of the counted cases"), "{words}");
}

#[test]
fn constants_and_levels_can_be_given() {
    let folder = folder(TUNABLE);
    let arguments = tune(&[
        "--set",
        "block_size=32",
        "--set",
        "skipped=0",
        "--size",
        "40x30",
        "--levels",
        "1,256",
        "--json",
    ]);
    let swept = json(folder.path(), &arguments);
    let rows = swept["rows"].as_array().expect("rows");
    let levels: BTreeSet<&str> = rows.iter().filter_map(|row| row["values"]["levels"].as_str()).collect();
    assert_eq!((rows.len(), levels), (2, BTreeSet::from(["1", "256"])));
    assert!(rows.iter().all(|row| row["valid"] == true && row["values"]["block_size"] == "32"), "{rows:#?}");
}

#[test]
fn what_cannot_be_swept_is_wrong_usage() {
    let plain = folder(&TUNABLE.replace("// tune:", "//"));
    let marked = folder(TUNABLE);
    let broken = folder(&TUNABLE.replace("// tune: 64 256 4096", "// tune:"));
    let cases = [
        (&plain, tune(&[]), "has nothing to tune"),
        (&plain, tune(&["--set", "blok_size=32"]), "did you mean `block_size`?"),
        (&marked, tune(&["--set", "block_size"]), "there is no `=`"),
        (&marked, tune(&["--size", "64"]), "is not an image size"),
        (&marked, tune(&["--levels", "300"]), "1 to 256 levels"),
        (&marked, tune(&["--limit", "5"]), "6 combinations, more than the limit of 5"),
        (&marked, tune(&["--svg", "no/such/folder.svg"]), "failed to write `no/such/folder.svg`"),
        (&broken, tune(&[]), "line 2: `// tune:` has no values"),
    ];
    for (folder, arguments, message) in cases {
        let shown = shown_in(folder.path(), &arguments);
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.starts_with("exit 2\n--- stderr\nerror: ") && words.contains(message), "{shown}");
    }
}

/// Width and height of a PNG.
fn png_size(path: &Path) -> (u32, u32) {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{} is no PNG", path.display());
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn failed_cases_are_saved_as_pictures() {
    let folder = folder(TUNABLE.replace("skipped = 0", "skipped = 1").as_str());
    let arguments =
        ["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu", "--save", "out/album", "-v"];
    let shown = shown_in(folder.path(), &arguments);
    let failed = shown.matches("   FAILED  ").count();
    assert!(shown.contains(&format!("{} pictures of {failed} failed cases", 3 * failed)), "{shown}");
    let album = folder.path().join("out/album");
    assert_eq!(fs::read_dir(&album).expect("the album").count(), 3 * failed);
    let picture = |what: &str| album.join(format!("grayscale-06-31x33-odd-gray-{what}.png"));
    for what in ["found", "expected", "difference"] {
        assert_eq!(png_size(&picture(what)), (31, 33));
    }
    assert_ne!(fs::read(picture("found")).ok(), fs::read(picture("expected")).ok());

    // Histograms are drawn.
    let arguments = [
        "lab2",
        "--engine",
        "sim",
        "--task",
        "histogram",
        "--save",
        "bars",
        "--file",
        &root().join("solutions/lab2-histogram/wrong/lost_tail.cu").display().to_string(),
    ];
    run(folder.path(), &arguments);
    let first = folder.path().join("bars/histogram-01-1x1-bins-difference.png");
    assert_eq!(png_size(&first), (3 * 256, 256));
}

#[test]
fn the_report_is_printed_even_if_pictures_cannot_be_written() {
    let folder = folder(TUNABLE.replace("skipped = 0", "skipped = 1").as_str());
    let with = |save: &str| {
        shown_in(
            folder.path(),
            &["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu", "--save", save],
        )
    };
    // Known before anything runs.
    let shown = with("mine.cu");
    assert!(
        shown.starts_with("exit 2\n--- stderr\nerror: failed to write to the folder `mine.cu`"),
        "{shown}"
    );
    // Detected during the run: a folder has the name of a picture.
    let taken = folder.path().join("album/grayscale-06-31x33-odd-gray-expected.png");
    fs::create_dir_all(taken).expect("a folder");
    let shown = with("album");
    assert!(shown.starts_with("exit 3\n--- stdout\nFAILED  lab1: Grayscale, "), "{shown}");
    assert!(
        shown.contains("\nnext: ") && shown.contains("--- stderr\nerror: failed to write `album/"),
        "{shown}"
    );
}
