//! Files that try to get points without the work, and honest ones beside them: each must be judged as its first line says.
//! `solutions/README.md` describes the lines.

use checker::judge::{Order, judge};
use checker::labs;
use checker::performance::TimingFixtures;
use checker::progress::Progress;
use checker::report::Report;
use checker::setup::{EngineChoice, Setup};
use checker::submission;
use checker::workspace::cuda_files;
use lab::Lab;

/// How a file has to be judged, and the task that it is about.
#[derive(Debug, PartialEq)]
enum Expected {
    /// Right, but without points for its speed, and with the reason.
    NotScored,
    /// Not right.
    Wrong,
    /// Right or wrong, with no more points than this.
    AtMost(f64),
    /// Right, with every point.
    Full,
}

fn expected(line: &str) -> Option<(Expected, &str)> {
    let (how, task) = line.strip_prefix("// expect: ")?.rsplit_once(' ')?;
    let how = match how {
        "not scored" => Expected::NotScored,
        "wrong" => Expected::Wrong,
        "full points" => Expected::Full,
        other => {
            let points = other.strip_prefix("at most ")?.strip_suffix(" points")?;
            Expected::AtMost(points.parse().ok()?)
        }
    };
    Some((how, task))
}

/// The difference between the report and what is expected, in words.
fn difference(expected: &Expected, report: &Report) -> Option<String> {
    let passed = report.tasks.iter().all(|task| task.passed);
    let reason = report.findings.iter().any(|finding| finding.code == "W0705");
    let speed: f64 =
        report.points.iter().filter(|line| line.what != "correctness").map(|line| line.points).sum();
    let is = match expected {
        Expected::NotScored => passed && reason && speed.to_bits() == 0.0_f64.to_bits(),
        Expected::Wrong => !passed,
        Expected::AtMost(most) => report.score <= *most,
        Expected::Full => passed && !reason && report.score >= report.max_score,
    };
    let failed = report.cases.iter().find(|case| case.verdict != checker::report::Verdict::Passed);
    (!is).then(|| {
        format!(
            "passed {passed}, {} of {} points, W0705 {reason}, {:?}, {:?}",
            report.score,
            report.max_score,
            failed.map(|case| (&case.name, &case.note)),
            report.findings.iter().map(|finding| &finding.message).collect::<Vec<_>>(),
        )
    })
}

/// Judges the files of a lab; how many cheat, and how many are honest.
fn judged(lab: &'static dyn Lab) -> [usize; 2] {
    let folder = crate::common::root().join("solutions").join(lab.folder()).join("cheats");
    let gpu = &simulator::model::gpus()[0];
    let setup = Setup::new(EngineChoice::Simulator, gpu, &Progress::new()).expect("a compiler");
    let (mut counts, mut differences) = ([0; 2], Vec::new());
    for path in cuda_files(&folder).expect("the folder is readable") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let submission = submission::read(&path, &name, lab, "").expect("a file");
        let mut lines = submission.text.lines();
        let first = lines.next().unwrap_or_default();
        let (how, task) = expected(first).unwrap_or_else(|| panic!("{name} begins with `{first}`"));
        let kind = if how == Expected::Full { "// honest: " } else { "// cheat: " };
        assert!(lines.next().is_some_and(|line| line.starts_with(kind)), "{name} lacks `{kind}`");
        counts[usize::from(how == Expected::Full)] += 1;
        let tasks = labs::tasks(lab, Some(task)).expect("the task exists");
        let order = Order {
            lab,
            tasks: &tasks,
            submission: &submission,
            seed: 1,
            command: String::new(),
            timed: true,
            album: None,
        };
        let report = judge(&setup, &order, &mut TimingFixtures::default(), &mut |_| {});
        let report = report.unwrap_or_else(|stop| panic!("{name}: {stop:?}"));
        differences
            .extend(difference(&how, &report).map(|found| format!("{name}: expected {how:?}: {found}")));
    }
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
    counts
}

#[test]
fn lab_1_is_judged_as_the_files_say() {
    let [cheats, honest] = judged(labs::find("lab1").expect("a lab"));
    assert!(cheats >= 17 && honest >= 4, "{cheats} cheats, {honest} honest files");
}

#[test]
fn lab_2_is_judged_as_the_files_say() {
    let [cheats, honest] = judged(labs::find("lab2").expect("a lab"));
    assert!(cheats >= 5 && honest >= 1, "{cheats} cheats, {honest} honest files");
}

#[test]
fn lab_3_is_judged_as_the_files_say() {
    let [cheats, honest] = judged(labs::find("lab3").expect("a lab"));
    assert!(cheats >= 1 && honest >= 1, "{cheats} cheats, {honest} honest files");
}

#[test]
fn lab_4_is_judged_as_the_files_say() {
    let [cheats, honest] = judged(labs::find("lab4").expect("a lab"));
    assert!(cheats >= 3, "{cheats} cheats, {honest} honest files");
}

#[test]
fn lab_5_is_judged_as_the_files_say() {
    let [cheats, honest] = judged(labs::find("lab5").expect("a lab"));
    assert!(cheats >= 2 && honest >= 1, "{cheats} cheats, {honest} honest files");
}
