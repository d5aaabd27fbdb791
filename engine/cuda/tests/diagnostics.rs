//! Real logs of NVRTC 12.9.86 (`tests/logs/*.log`), compared with their diagnostics (`*.expected`). One diagnostic
//! per line: severity, code, position, message; then the quoted line with the character under the caret in «».

use std::fmt::Write;
use std::path::Path;

use cuda::diagnostics::{self, Diagnostic, LOG_LIMIT, MOST, Severity};
use pretty_assertions::assert_eq;

fn shown(list: &[Diagnostic]) -> String {
    let mut text = String::new();
    for found in list {
        let code = found.code.as_deref().unwrap_or("-");
        let place = format!("{}:{}:{}", found.file, found.line, found.column);
        writeln!(text, "{:?} {code} {place} {}", found.severity, found.message).unwrap();
        let Some(source) = &found.source else { continue };
        let at = found.column as usize - 1;
        let before: String = source.chars().take(at).collect();
        let under: String = source.chars().skip(at).take(1).collect();
        let after: String = source.chars().skip(at + 1).collect();
        writeln!(text, "    {before}«{under}»{after}").unwrap();
    }
    text
}

#[test]
fn real_logs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().unwrap() != "log" {
            continue;
        }
        let log = std::fs::read_to_string(&path).unwrap();
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
        assert_eq!(shown(&diagnostics::parse(&log)), expected, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 13);
}

#[test]
fn nothing_is_lost_and_nothing_is_said_twice() {
    let log = "something never seen before\n\
               a (b) c(1).cu(7): warning #1-D: twice\n  x\n  ^\n\n\
               a (b) c(1).cu(7): warning #1-D: twice\n  x\n  ^\n\n\
               nvrtc: error: invalid value for --gpu-architecture (-arch)\n\
               error: from nowhere\n";
    let list = diagnostics::parse(log);
    assert_eq!(
        shown(&list),
        "Remark - :0:0 something never seen before\n\
         Warning #1-D a (b) c(1).cu:7:1 twice\n    «x»\n\
         Error - :0:0 nvrtc: invalid value for --gpu-architecture (-arch)\n\
         Error - :0:0 from nowhere\n"
    );
}

#[test]
fn text_of_a_submission_cannot_steer_a_terminal() {
    let list = diagnostics::parse("k.cu(1): error: \u{1b}[2J bad\n  \u{1b}[31m x\n        ^\n\n");
    assert_eq!(list[0].message, "\u{fffd}[2J bad");
    assert_eq!(list[0].source.as_deref(), Some("\u{fffd}[31m x"));
    assert_eq!(list[0].column, 7);
}

#[test]
fn an_endless_log_is_cut_at_a_line() {
    let one = "k.cu(1): error: expected a declaration of é\n  é\n  ^\n\n";
    let log: String = (1..=40_000).map(|line| one.replace("(1)", &format!("({line})"))).collect();
    assert!(log.len() > 4 * LOG_LIMIT);
    let list = diagnostics::parse(&log);
    let (cut, rest) = list.split_last().unwrap();
    assert_eq!(cut.severity, Severity::Remark);
    assert!(cut.message.contains("cut here (256 of "), "{}", cut.message);
    let lines: Vec<usize> = rest.iter().map(|found| found.line as usize).collect();
    assert_eq!(lines, (1..=MOST).collect::<Vec<_>>(), "the first errors are kept");
}

#[test]
fn many_warnings_hide_no_error() {
    let warnings: String = (1..=500)
        .map(|line| format!("k.cu({line}): warning #1-D: odd\n  x\n  ^\n\n"))
        .collect::<Vec<_>>()
        .concat();
    let list = diagnostics::parse(&(warnings + "k.cu(501): error: wrong\n  x\n  ^\n\n"));
    assert_eq!(list.len(), MOST + 1);
    assert_eq!(list[MOST].line, 501);
}
