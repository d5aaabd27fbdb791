//! Pages of a hostile class.

use serde_json::json;

use super::*;
use crate::class::{Arrival, Chosen, Person, Submitted};
use crate::result::{Graded, Lab, Pair, Rules, grade, summarise};
use crate::run::Checked;

const HOSTILE: &str =
    "</pre><script>alert(1)</script><img src=x onerror=alert(1)> \" ' {{ 7*7 }} \u{202e}\u{1b}[2J";

const PICTURE: &str = "data:image/png;base64,AAAA";

fn hostile() -> (Lab, Graded) {
    let person = Person {
        id: "eve".into(),
        name: HOSTILE.into(),
        section: HOSTILE.into(),
        enrolled: true,
        ..Person::default()
    };
    let file = Some(Ok(Chosen { name: HOSTILE.into(), bytes: HOSTILE.as_bytes().to_vec() }));
    let report = json!({
        "score": 45.5, "max_score": 50.0, "passed": false, "next": HOSTILE, "version": "1", "gpu": HOSTILE,
        "points": [{"task": HOSTILE, "what": "speed", "points": 1.0, "max": 4.0, "reason": HOSTILE}],
        "cases": [{"task": "t", "name": HOSTILE, "verdict": "failed", "wrong": 3, "total": 20, "note": HOSTILE}],
        "findings": [{"code": "W0101", "severity": "error", "line": 1, "message": HOSTILE, "hint": HOSTILE, "count": 2,
                      "cases": [HOSTILE], "labels": [{"line": 1, "text": HOSTILE}]}],
        "performance": [{"task": HOSTILE, "seconds": 1e-3, "share": 0.5, "speedup": 123.4, "state": "stable", "basis": "predicted"}],
        "illustration": {
            "costs": [{"task": HOSTILE, "seconds": 1e-3, "lines": [{"line": 1, "share": 0.5, "why": [HOSTILE]}]}],
            "pictures": [
                {"task": HOSTILE, "case": HOSTILE, "output": HOSTILE, "pixels": true, "window": [0, 0, 9, 9], "whole": [99, 9],
                 "expected": PICTURE, "found": PICTURE, "difference": PICTURE},
                {"expected": PICTURE, "found": HOSTILE, "difference": PICTURE},
                {"expected": PICTURE, "found": "https://example.com/spy.png", "difference": PICTURE},
            ],
        },
    });
    let lab = Lab::gray();
    let arrival = Arrival { marked_by: Some("Canvas"), ..Arrival::default() };
    let rules = Rules { max_score: 50.0, late_penalty: 0.0, free_days: 0, due: None };
    let graded = grade(
        "lab1",
        &Submitted { person, arrival, file },
        vec![Some(Checked::Report(report))],
        "abc",
        &rules,
    );
    (lab, graded)
}

fn is_text_alone(page: &[u8]) {
    let page = String::from_utf8(page.to_vec()).expect("UTF-8");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for forbidden in ["<script", "<img", "onerror=alert(1)>", "http://", "https://", "src="] {
        // Escaped text may say so, and pictures are part of the page.
        let escaped = page
            .replace("&lt;", "‹")
            .replace("src=x onerror", "")
            .replace(&format!("<img src=\"{}\"", PICTURE.replace('/', "&#x2f;")), "");
        assert!(!escaped.contains(forbidden), "{forbidden} in {page}");
    }
    assert!(page.contains("&lt;script&gt;") && page.contains("{{ 7*7 }}"), "the text is there, as text");
}

#[test]
fn hostile_text_stays_text() {
    let pages = Pages::new().expect("templates");
    let (lab, graded) = hostile();
    let similar = vec![Pair { a: HOSTILE.into(), b: "b".into(), share: 0.9, tokens: 99 }];
    is_text_alone(&student(&pages, &lab, &graded, HOSTILE, Some(HOSTILE)).expect("a page"));
    is_text_alone(&pair(&pages, &similar[0], [HOSTILE, HOSTILE], &[]).expect("a page"));
    let summary = summarise(&lab, std::slice::from_ref(&graded), similar, "s");
    let (of_class, board) = class(&pages, &[graded], &summary).expect("pages");
    is_text_alone(&of_class);
    let board = String::from_utf8(board).expect("UTF-8");
    assert!(!board.contains("alert"), "the leaderboard has no names");
    assert!(board.contains("45.5"));
}

#[test]
fn a_page_shows_the_finding_at_its_line() {
    let (lab, graded) = hostile();
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let mut graded = graded;
    graded.reports[0].findings[0].line = Some(3);
    graded.reports[0].findings[0].labels.clear();
    let page = student(&Pages::new().expect("templates"), &lab, &graded, text, None).expect("a page");
    let page = String::from_utf8(page).expect("UTF-8");
    assert!(page.contains("<div class=\"hit\"><span>3</span>three</div>"), "{page}");
    assert!(page.contains("123") && page.contains("1.00"), "speedup and milliseconds");
}

#[test]
fn a_page_shows_what_lines_cost_and_what_outputs_look_like() {
    let (lab, graded) = hostile();
    let page = student(&Pages::new().expect("templates"), &lab, &graded, "one\ntwo\n", None).expect("a page");
    let page = String::from_utf8(page).expect("UTF-8");
    let line =
        "<div class=\"hot\" style=\"--heat: 0.53\"><span class=\"share\">50 %</span><span>1</span>one</div>";
    assert!(page.contains(line), "{page}");
    assert!(page.contains("<span class=\"share\"></span><span>2</span>two</div>"), "{page}");
    assert_eq!(page.matches("<img ").count(), 3, "only those of the first output are pictures");
    assert!(page.contains("(columns 0–8, rows 0–8 of 99 × 9)"), "{page}");
}
