//! `JUnit` XML: a suite per student, a case per case.

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use crate::Error;
use crate::result::{Graded, State};

const TEMPLATE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="{{ name }}" tests="{{ tests }}" failures="{{ failures }}" errors="{{ errors }}">
{%- for suite in suites %}
    <testsuite name="{{ suite.name }}" tests="{{ suite.cases|length }}" disabled="0" errors="{{ suite.errors }}" failures="{{ suite.failures }}">
    {%- for case in suite.cases %}
        <testcase name="{{ case.name }}" classname="{{ case.class }}">
        {%- if case.kind %}
            <{{ case.kind }} message="{{ case.message }}"/>
        {%- endif %}
        </testcase>
    {%- endfor %}
    </testsuite>
{%- endfor %}
</testsuites>
"#;

#[derive(Serialize)]
struct Suite {
    name: String,
    errors: usize,
    failures: usize,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    name: String,
    class: String,
    /// `failure`, `error`, `skipped`, or empty.
    kind: &'static str,
    message: String,
}

/// The file.
pub fn junit(all: &[Graded], assignment: &str) -> Result<Vec<u8>, Error> {
    let suites: Vec<Suite> = all.iter().map(suite).collect();
    let failed =
        |error: minijinja::Error| Error::Environment(format!("failed to write JUnit XML: {error:#}"));
    let mut environment = Environment::new();
    // The name's ending makes every value escaped.
    environment.add_template("junit.xml", TEMPLATE).map_err(failed)?;
    let sum = |of: fn(&Suite) -> usize| suites.iter().map(of).sum::<usize>();
    let values = context! {
        name => xml(assignment),
        tests => sum(|suite| suite.cases.len()),
        failures => sum(|suite| suite.failures),
        errors => sum(|suite| suite.errors),
        suites => Value::from(Serde(&suites)),
    };
    let text =
        environment.get_template("junit.xml").and_then(|template| template.render(values)).map_err(failed)?;
    Ok((text + "\n").into_bytes())
}

fn suite(one: &Graded) -> Suite {
    let of_case = |case: &crate::result::Case| {
        let (kind, message) = match case.verdict.as_str() {
            "passed" => ("", String::new()),
            "skipped" => ("skipped", case.note.clone()),
            _ if case.total > 0 => {
                ("failure", format!("{} of {} values wrong; {}", case.wrong, case.total, case.note))
            }
            _ => ("failure", case.note.clone()),
        };
        Case {
            name: xml(&case.name),
            class: xml(&case.task),
            kind,
            message: xml(message.trim_end_matches("; ")),
        }
    };
    let mut cases: Vec<Case> = one.report().iter().flat_map(|report| &report.cases).map(of_case).collect();
    let whole = |kind, message: &str| Case {
        name: "submission".into(),
        class: xml(&one.lab),
        kind,
        message: xml(message),
    };
    match one.state {
        State::Graded => {}
        State::Missing => cases.push(whole("skipped", "nothing was handed in")),
        State::Refused => cases.push(whole("error", one.refused.as_ref().map_or("", |refused| &refused.why))),
        State::Unfinished => cases.push(whole("error", "no result yet: this machine failed")),
    }
    let count = |kind| cases.iter().filter(|case| case.kind == kind).count();
    Suite { name: xml(&one.person.id), errors: count("error"), failures: count("failure"), cases }
}

/// Text of characters that XML has.
fn xml(text: &str) -> String {
    cuda::text::clean(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
