//! Whole files of a small class, with hostile names.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::*;
use crate::class::{Arrival, Chosen, Person, Refusal, Submitted};
use crate::result::{Lab, Rules, grade, summarise};
use crate::run::Checked;

fn class() -> (Vec<Graded>, Class) {
    let person = |id: &str, name: &str, number: &str| Person {
        id: id.into(),
        name: name.into(),
        number: number.into(),
        login: format!("{id}1"),
        email: format!("{id}@example.edu"),
        section: "A".into(),
        enrolled: true,
    };
    let file = || Some(Ok(Chosen { name: "x.cu".into(), bytes: b"text".to_vec() }));
    let report = json!({
        "version": "0.1.0", "compiler": "NVRTC 12.9", "engine": "sim", "gpu": "NVIDIA H200", "score": 45.5, "max_score": 50.0,
        "passed": false, "next": "=cmd|' /C calc'!A0",
        "points": [
            {"task": "gray", "what": "correctness", "points": 45.5, "max": 46.0, "reason": "every case right"},
            {"task": "gray", "what": "bandwidth", "points": 0.0, "max": 4.0, "reason": "<b>slow</b>"},
        ],
        "cases": [
            {"task": "gray", "name": "1x1", "verdict": "passed", "total": 1},
            {"task": "gray", "name": "5x4, \"odd\"", "verdict": "failed", "wrong": 3, "total": 20, "note": "<script>alert(1)</script>"},
            {"task": "gray", "name": "9x9", "verdict": "skipped", "note": "after W0101"},
        ],
        "findings": [{"code": "W0101", "severity": "error", "line": 7, "message": "reads past \u{1b}[31m & the end", "hint": "check"}],
    });
    let rules = Rules {
        max_score: 50.0,
        late_penalty: 10.0,
        free_days: 0,
        due: "2026-11-20T23:59:00+01:00".parse().ok(),
    };
    let came = |at: Option<&str>| Arrival {
        at: at.map(|at| (at.parse().expect("a moment"), "Gradescope")),
        ..Arrival::default()
    };
    let students = [
        (
            person("ada", "Ada Lovelace", "12"),
            came(Some("2026-11-20 23:00:00 Z")),
            file(),
            vec![Some(Checked::Report(report))],
        ),
        (
            person("bob", "=HYPERLINK(\"http://x\"), +Bob", "13"),
            came(None),
            Some(Err(Refusal::NoFile)),
            vec![],
        ),
        (person("eve", "-Eve", "14"), came(None), None, vec![]),
    ];
    let all: Vec<Graded> = students
        .into_iter()
        .map(|(person, arrival, file, checked)| {
            grade("lab1", &Submitted { person, arrival, file }, checked, "abc", &rules)
        })
        .collect();
    let lab = Lab::gray();
    let class = summarise(&lab, &all, Vec::new(), "s");
    (all, class)
}

fn exported(name: &str, settings: &Settings) -> String {
    let (graded, class) = class();
    let files = all(&graded, &class, settings).expect("exports");
    let (_, bytes) = files.into_iter().find(|(own, _)| own == name).expect("the file");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn plain_csv() {
    assert_eq!(
        exported("grades.csv", &Settings::default()),
        "id,name,number,login,email,section,state,passed,earned,late,late_days,free_days,submitted,due,told_by,penalty,score,max_score,findings,needs,sha256,checker,program,compiler,engine,gpu\n\
         ada,Ada Lovelace,12,ada1,ada@example.edu,A,graded,false,45.5,true,1,0,2026-11-20T23:00:00Z,2026-11-20T23:59:00+01:00,Gradescope,4.6,40.9,50,W0101,late,982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1,0.1.0,abc,NVRTC 12.9,sim,NVIDIA H200\n\
         bob,\"'=HYPERLINK(\"\"http://x\"\"), +Bob\",13,bob1,bob@example.edu,A,refused,false,0,false,0,0,,2026-11-20T23:59:00+01:00,,0,0,50,,refused,,,abc,,,\n\
         eve,'-Eve,14,eve1,eve@example.edu,A,missing,false,0,false,0,0,,,,0,0,50,,,,,abc,,,\n"
    );
}

#[test]
fn nbgrader_csv() {
    assert_eq!(
        exported("nbgrader.csv", &Settings { assignment: "ps1".into(), ..Settings::default() }),
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score\n\
         ps1,2026-11-20T23:59:00+01:00,2026-11-20T23:00:00Z,ada1,Lovelace,Ada,ada@example.edu,45.5,4.6,40.9,50\n\
         ps1,2026-11-20T23:59:00+01:00,,bob1,\"'=HYPERLINK(\"\"http://x\"\")\",'+Bob,bob@example.edu,0,0,0,50\n\
         ps1,,,eve1,'-Eve,,eve@example.edu,,,,50\n"
    );
}

#[test]
fn moodle_csv() {
    assert_eq!(
        exported("moodle.csv", &Settings::default()),
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Feedback comments\n\
         Participant 12,Ada Lovelace,ada@example.edu,Submitted for grading - late,40.9,50,Yes,'=cmd|' /C calc'!A0\n\
         Participant 13,\"'=HYPERLINK(\"\"http://x\"\"), +Bob\",bob@example.edu,Submitted for grading,0,50,Yes,it holds no file\n\
         Participant 14,'-Eve,eve@example.edu,No submission,,50,Yes,\n"
    );
}

#[test]
fn canvas_gradebook_is_filled_in_one_column() {
    let gradebook = "\u{feff}Student,ID,SIS Login ID,Section,Lab 0 (77),Lab 1 (78),Final (read only)\n\
                     \"    Points Possible\",,,,10,50,(read only)\n\
                     \"Lovelace, Ada\",12,ada1,A,9,,80\n\
                     \"Stone, Bob\",99,bob1,A,8,,70\n\
                     \"Student, Test\",1,,A,,EX,0\n";
    let read = Gradebook::parse(gradebook.as_bytes(), "Lab 1").expect("a gradebook");
    assert_eq!(Gradebook::parse(gradebook.as_bytes(), "78").expect("a gradebook"), read);
    let none = Gradebook::parse(gradebook.as_bytes(), "Lab 9");
    assert!(none.is_err_and(|what| what.starts_with("0 columns")));
    assert_eq!(
        exported("canvas.csv", &Settings { gradebook: Some(read), ..Settings::default() }),
        "Student,ID,SIS Login ID,Section,Lab 0 (77),Lab 1 (78),Final (read only)\n\
         \x20   Points Possible,,,,10,50,(read only)\n\
         \"Lovelace, Ada\",12,ada1,A,9,40.9,80\n\
         \"Stone, Bob\",99,bob1,A,8,0,70\n\
         \"Student, Test\",1,,A,,EX,0\n"
    );
}

#[test]
fn junit_xml() {
    assert_eq!(
        exported("junit.xml", &Settings::default()),
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="lab1" tests="5" failures="1" errors="1">
    <testsuite name="ada" tests="3" disabled="0" errors="0" failures="1">
        <testcase name="1x1" classname="gray">
        </testcase>
        <testcase name="5x4, &quot;odd&quot;" classname="gray">
            <failure message="3 of 20 values wrong; &lt;script&gt;alert(1)&lt;&#x2f;script&gt;"/>
        </testcase>
        <testcase name="9x9" classname="gray">
            <skipped message="after W0101"/>
        </testcase>
    </testsuite>
    <testsuite name="bob" tests="1" disabled="0" errors="1" failures="0">
        <testcase name="submission" classname="lab1">
            <error message="it holds no file"/>
        </testcase>
    </testsuite>
    <testsuite name="eve" tests="1" disabled="0" errors="0" failures="0">
        <testcase name="submission" classname="lab1">
            <skipped message="nothing was handed in"/>
        </testcase>
    </testsuite>
</testsuites>
"#
    );
}

#[test]
fn gradescope_json() {
    let text = exported("gradescope/ada.json", &Settings::default());
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        file,
        json!({
            "score": 40.9,
            "output": "Failed.\n\n45.5 points, less 4.6 for 1 late day.\n\nerror W0101 in line 7: reads past \u{1b}[31m & the end\nTry: check\n\n=cmd|' /C calc'!A0",
            "output_format": "text", "test_output_format": "text", "test_name_format": "text",
            "visibility": "visible", "stdout_visibility": "hidden",
            "extra_data": {
                "versions": {"checker": "0.1.0", "program": "abc", "compiler": "NVRTC 12.9", "engine": "sim", "gpu": "NVIDIA H200", "driver": null},
                "needs": [{"code": "late", "why": "1 day (Gradescope): handed in 2026-11-20T23:00:00Z, due 2026-11-20T23:59:00+01:00"}],
            },
            "tests": [
                {"score": 45.5, "max_score": 46.0, "status": "passed", "name": "gray: correctness", "number": "1", "output": "every case right", "visibility": "visible"},
                {"score": 0.0, "max_score": 4.0, "status": "failed", "name": "gray: bandwidth", "number": "2", "output": "<b>slow</b>", "visibility": "visible"},
            ],
            "leaderboard": [{"name": "points", "value": 40.9, "order": "desc"}],
        })
    );
}

#[test]
fn classroom50_json() {
    let environment = [("CLASSROOM", "cs1"), ("SUBMISSION_TAG", "v3"), ("DATETIME", "2026-11-23T10:00:00Z")];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let text = exported("classroom50/ada.json", &Settings { environment, ..Settings::default() });
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        file,
        json!({
            "schema": "classroom50/result/v1", "classroom": "cs1", "assignment": "lab1", "assignment_type": "individual",
            "owner": "ada1", "submission": "v3", "commit": "", "release": "", "review": "", "datetime": "2026-11-23T10:00:00Z",
            "score": 41, "max-score": 50,
            "tests": [
                {"test-name": "gray: correctness", "passed": true, "score": 46, "max-score": 46},
                {"test-name": "gray: bandwidth", "passed": false, "score": 0, "max-score": 4},
            ],
        })
    );
}

#[test]
fn json_table() {
    let file: serde_json::Value =
        serde_json::from_str(&exported("grades.json", &Settings::default())).expect("JSON");
    assert_eq!(file[0]["findings"], json!(["W0101"]));
    assert_eq!(file[1]["name"], json!("=HYPERLINK(\"http://x\"), +Bob"), "JSON is no spreadsheet");
    assert_eq!(file[2]["state"], json!("missing"));
}

#[test]
fn cells_that_begin_like_formulas_do_not() {
    for hostile in ["=1+1", "+1+1", "-1+1", "@SUM(A1)", " =1", "\t=1", "\n=1", "\r=1", "＝1"] {
        let cell = cell::text(hostile);
        assert!(cell.starts_with(['\'', '\u{fffd}']), "{hostile:?} became {cell:?}");
        assert!(!cell.contains(['\t', '\n', '\r']));
    }
    assert_eq!(["-3.5", "+7", "x=1", "\u{1b}[2J"].map(cell::text), ["-3.5", "+7", "x=1", "\u{fffd}[2J"]);
}
