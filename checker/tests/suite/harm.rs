//! Files that want the machine and not the points. Each gets a verdict: exit code 1, valid JSON, one finding with a code,
//! and nothing of the machine in it.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::run;

/// A right first task, with these lines before it and in its host function.
fn file(before: &str, inside: &str) -> String {
    format!(
        "#include \"workbook.cuh\"\n{before}\n\
         __global__ void k(const uint8_t* rgb, uint8_t* gray, int n) {{\n\
         \x20   int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
         \x20   if (i >= n) return;\n\
         \x20   gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);\n\
         }}\n\
         void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {{\n\
         {inside}\n\
         \x20   k<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);\n\
         }}\n"
    )
}

/// Exit code and report of this text. Whatever it is, the check ends in a minute.
fn judged(text: &str) -> (i32, Value) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), text).expect("a file in it");
    judged_in(folder.path())
}

fn judged_in(folder: &Path) -> (i32, Value) {
    let start = Instant::now();
    let arguments = ["lab1", "--engine", "sim", "--task", "grayscale", "--json", "--file", "mine.cu"];
    let output = run(folder, &arguments);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let report = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().expect("an exit code"), report)
}

/// Standard error in one line.
fn error(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings");
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    errors.filter_map(|finding| finding["code"].as_str()).collect()
}

/// The control: what the others add something to is right.
#[test]
fn the_file_without_an_attack_passes() {
    let (code, report) = judged(&file("", ""));
    assert_eq!((code, codes(&report)), (0, vec![]));
}

#[test]
fn a_file_with_a_mark_of_byte_order_passes() {
    let (code, report) = judged(&format!("\u{feff}{}", file("", "")));
    assert_eq!((code, codes(&report)), (0, vec![]));
}

/// Rules that compare lines with lines took minutes for such a text, and the finding was lost.
#[test]
fn a_long_text_does_not_hide_a_finding() {
    use std::fmt::Write as _;
    let mut before = String::new();
    for number in 0..2500 {
        writeln!(
            before,
            "__device__ int d{number}(int a);\nint h{number}(int a) {{ return a; }}\nstruct S{number} {{ int a; }};\n\
             constexpr int c{number} = 1;  // tune: 1 2"
        )
        .expect("text");
    }
    let (code, report) = judged(&file(&before, "rgb = nullptr;"));
    assert_eq!((code, codes(&report)), (1, vec!["W0108"]));
}

/// Each of these ended the checker, or took all memory or time, when it compiled in the same process. `workshop attacks` has more.
#[test]
fn a_file_that_exhausts_the_compiler_gets_a_verdict() {
    for before in ["__device__ char big[6000000000ull] = {1};".to_owned(), "@ ".repeat(200_000)] {
        let (code, report) = judged(&file(&before, ""));
        let begin: String = before.chars().take(60).collect();
        assert_eq!(code, 1, "{begin}");
        let found = codes(&report);
        assert!(!found.is_empty() && found.iter().all(|code| code.starts_with("W00")), "{begin}: {found:?}");
    }
}

#[test]
fn a_macro_that_doubles_itself_gets_a_verdict() {
    let doubled =
        (1..40).fold(String::new(), |text, i| text + &format!("#define B{i}(x) B{0}(x) B{0}(x)\n", i - 1));
    let (code, report) = judged(&file(&format!("#define B0(x) x\n{doubled}int a = 0 B39(+ 1);"), ""));
    assert_eq!((code, codes(&report)), (1, vec!["W0010"]));
}

#[test]
fn nothing_of_the_machine_is_in_the_report() {
    // The first line of a file that is on every Linux machine.
    let secret = std::fs::read_to_string("/etc/passwd").expect("Linux");
    let secret = secret.lines().next().expect("a line").to_owned();
    for before in [
        "#include \"/etc/passwd\"",
        "%:include \"/etc/passwd\"",
        "#define NAME \"/etc/passwd\"\n#include NAME",
        "#define TEXT(x) #x\n#define OF(x) TEXT(x)\nconst char* s = OF(\n#include \"/etc/passwd\"\n);",
        "#if __has_include(\"/etc/passwd\")\n#error it is there\n#endif",
        "#include \"/proc/self/environ\"",
        "#include \"../../../../../../../../etc/passwd\"",
        "__device__ void f() { asm(\".file 9 \\\"/etc/passwd\\\"\"); }",
        "__device__ void f() { asm(\".include \\\"/etc/passwd\\\"\"); }",
    ] {
        let (_, report) = judged(&file(before, ""));
        let text = report.to_string();
        assert!(!text.contains(&secret) && !text.contains("it is there"), "{before}: {text}");
    }
}

#[test]
fn escapes_and_overrides_of_a_submission_do_not_reach_the_terminal() {
    let hostile = "\u{1b}[2J\u{202e}\u{9b}3m\u{200b}";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let printing = file("", "    printf(\"\\x1b[2J\\xe2\\x80\\xae\\xc2\\x9b\");");
    let named = format!("#error {hostile}\n");
    for text in [printing, file(&named, ""), file(&format!("int {hostile} = 3;"), "")] {
        std::fs::write(folder.path().join("mine.cu"), text).expect("a file");
        for json in [false, true] {
            let mut arguments = vec!["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu"];
            arguments.extend(json.then_some("--json"));
            let output = run(folder.path(), &arguments);
            let shown = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\u{200b}']), "{shown}");
            assert!(!json || !shown.contains("\\u001b"), "{shown}");
        }
    }
}

#[test]
fn only_regular_files_are_read() {
    for name in ["/dev/zero", "/proc/self/mem", "/"] {
        let output = run(Path::new("/"), &["lab1", "--engine", "sim", "--file", name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pipe = folder.path().join("pipe.cu");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // A pipe that nobody writes to: opening it would wait for ever.
    let output = run(folder.path(), &["lab1", "--engine", "sim", "--file", "pipe.cu"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("not a regular file"));
}

#[test]
fn pictures_are_not_written_through_links() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wrong = file("", "    if (width > 30) return;");
    std::fs::write(folder.path().join("mine.cu"), wrong).expect("a file");
    let arguments = ["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu", "--save", "out"];
    run(folder.path(), &arguments);
    let pictures = || -> Vec<_> {
        let entries = std::fs::read_dir(folder.path().join("out")).expect("the folder");
        entries.map(|entry| entry.expect("readable").path()).collect()
    };
    let first = pictures().into_iter().min().expect("pictures");
    assert!(pictures().iter().all(|path| path.extension().is_some_and(|extension| extension == "png")));
    let precious = folder.path().join("precious");
    std::fs::write(&precious, "mine").expect("a file");
    std::fs::remove_file(&first).expect("a picture");
    std::os::unix::fs::symlink(&precious, &first).expect("a link");
    let output = run(folder.path(), &arguments);
    assert_eq!(std::fs::read_to_string(&precious).expect("still there"), "mine");
    assert!(first.is_symlink(), "what is not ours stays");
    assert!(error(&output).contains("not a regular file"));
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a folder");
    std::os::unix::fs::symlink(&elsewhere, folder.path().join("link")).expect("a link");
    let output = run(folder.path(), &[&arguments[..7], &["--save", "link"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("it is a link"));
    assert_eq!(std::fs::read_dir(&elsewhere).expect("the folder").count(), 0);
}

#[test]
fn a_check_that_is_killed_leaves_a_verdict() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.cu"), file("", "")).expect("a file in it");
    let watching = std::process::Command::new(crate::BINARY)
        .args(["lab1", "--engine", "sim", "--json", "--file", "mine.cu"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let children = format!("/proc/{0}/task/{0}/children", watching.id());
    let watched = loop {
        let text = std::fs::read_to_string(&children).expect("the check takes longer than this");
        match text.split_whitespace().next() {
            Some(id) => break id.to_owned(),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    assert!(std::process::Command::new("kill").args(["-KILL", &watched]).status().expect("kill").success());
    let output = watching.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), codes(&report)), (Some(1), vec!["W0522"]));
    assert_eq!((&report["score"], &report["passed"]), (&Value::from(0.0), &Value::from(false)));
}
