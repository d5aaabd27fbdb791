//! What `workshop repeat` and `workshop scores` write: what a score is worth.

use serde_json::Value;

use super::number;
use crate::markdown::{Align, prose, table};

/// A row a task. `None` if the file holds no repetitions.
pub fn repeated(value: &Value) -> Option<String> {
    let tasks = value["tasks"].as_array()?;
    tasks.first()?["attempts"].as_array()?;
    let right = Align::Right;
    let columns = [
        ("task", Align::Left),
        ("score: least, median, most", right),
        ("spread", right),
        ("share: least, median, most", right),
        ("spread", right),
        ("levels", Align::Left),
        ("stable", right),
        ("pairs dropped", right),
    ];
    let three = |spread: &Value, unit: f64, digits: usize| {
        ["min", "median", "max"].map(|key| format!("{:.digits$}", unit * number(&spread[key]))).join(", ")
    };
    let percent = |spread: &Value| format!("±{:.2} %", 100.0 * number(&spread["spread"]));
    let row = |task: &Value| {
        let names = |key: &str| {
            let all = task[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            prose(&all.collect::<Vec<_>>().join(" and "))
        };
        let count = |key: &str| task[key].as_u64().unwrap_or(0);
        vec![
            format!("`{}`", task["task"].as_str().unwrap_or_default()),
            format!("{} of {}", three(&task["score"], 1.0, 1), number(&task["points"])),
            percent(&task["score"]),
            format!("{} %", three(&task["share"], 100.0, 2)),
            percent(&task["share"]),
            format!("{}; {}", names("bandwidth_levels"), names("speedup_levels")),
            format!("{} of {}", count("stable"), value["times"]),
            format!("{} of {}", count("dropped_pairs"), count("dropped_pairs") + count("pairs")),
        ]
    };
    let verdict = if value["passed"] == true { "It is." } else { "**It is not.**" };
    Some(format!(
        "`{}` scored {} times, each time in a process of its own, on pictures made anew. A spread is half of the \
         distance between the least and the most, relative to the median; it is to be within {:.0} %, with one level \
         and every score stable. {verdict}\n\n{}",
        value["file"].as_str().unwrap_or_default(),
        value["times"],
        100.0 * number(&value["allowed_spread"]),
        table(&columns, &tasks.iter().map(row).collect::<Vec<_>>())
    ))
}

/// The rungs, if the file holds scores of two kinds.
fn rungs(value: &Value) -> Option<&Vec<Value>> {
    let rungs = value["rungs"].as_array()?;
    rungs.first().filter(|rung| rung["measured"].is_f64() && rung["predicted"].is_f64())?;
    Some(rungs)
}

/// How many rungs have two scores that are close. `None` if the file holds no scores.
pub fn summary(value: &Value) -> Option<String> {
    let rungs = rungs(value)?;
    let worst = rungs.iter().max_by(|one, other| {
        number(&one["difference"]).abs().total_cmp(&number(&other["difference"]).abs())
    })?;
    Some(format!(
        "Of {} rungs, {} get two scores within {:.0} points of each other, one with times measured on the GPU, one \
         with times predicted without it; the furthest apart are those of `{}` of {} ({:+.1} points).",
        rungs.len(),
        value["within"],
        number(&value["allowed_difference"]),
        worst["rung"].as_str().unwrap_or_default(),
        worst["lab"].as_str().unwrap_or_default(),
        number(&worst["difference"])
    ))
}

/// A row a rung and task. `None` if the file holds no scores.
pub fn compared(value: &Value) -> Option<String> {
    let right = Align::Right;
    let columns = [
        ("rung", Align::Left),
        ("task", Align::Left),
        ("points, measured", right),
        ("points, predicted", right),
        ("difference", right),
        ("share, measured", right),
        ("share, predicted", right),
        ("speedup, measured", right),
        ("speedup, predicted", right),
    ];
    let allowed = number(&value["allowed_difference"]);
    let mut cells = Vec::new();
    for rung in rungs(value)? {
        let name = format!(
            "{} `{}`",
            rung["lab"].as_str().unwrap_or_default(),
            rung["rung"].as_str().unwrap_or_default()
        );
        let difference = number(&rung["difference"]);
        let apart = difference.abs() > allowed;
        let shown = format!("{difference:+.1}");
        let mut whole = vec![
            name,
            "all".to_owned(),
            format!("{:.1}", number(&rung["measured"])),
            format!("{:.1}", number(&rung["predicted"])),
            if apart { format!("**{shown}**") } else { shown },
        ];
        whole.resize(columns.len(), String::new());
        cells.push(whole);
        cells.extend(rung["tasks"].as_array().into_iter().flatten().map(task));
    }
    Some(format!("{}\n\n{}", summary(value)?, table(&columns, &cells)))
}

fn task(task: &Value) -> Vec<String> {
    let (measured, predicted) = (&task["measured"], &task["predicted"]);
    let score = |side: &Value| match side["state"].as_str() {
        Some("stable") | None => format!("{:.1}", number(&side["score"])),
        Some(state) => format!("{:.1} ({})", number(&side["score"]), prose(state)),
    };
    let share = |side: &Value| format!("{:.1} %", 100.0 * number(&side["share"]));
    let times = |side: &Value| format!("{:.1}", number(&side["times"]));
    vec![
        String::new(),
        format!("`{}`", task["task"].as_str().unwrap_or_default()),
        score(measured),
        score(predicted),
        format!("{:+.1}", number(&task["difference"])),
        share(measured),
        share(predicted),
        times(measured),
        times(predicted),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn repetitions_show_their_ends_and_the_verdict() {
        let spread = json!({"min": 0.5, "median": 0.51, "max": 0.52, "spread": 0.0196});
        let file = json!({"file": "f.cu", "times": 50, "allowed_spread": 0.01, "passed": false, "tasks": [
            {"task": "gray", "points": 60.0, "score": spread, "share": spread, "bandwidth_levels": ["a", "b"],
             "speedup_levels": ["c"], "stable": 49, "pairs": 1500, "dropped_pairs": 2, "attempts": [{}]}]});
        let made = repeated(&file).expect("a table");
        assert!(made.contains("`f.cu` scored 50 times") && made.contains("within 1 %"), "{made}");
        assert!(made.contains("**It is not.**"), "{made}");
        let line = "| `gray` | 0.5, 0.5, 0.5 of 60 | ±1.96 % | 50.00, 51.00, 52.00 % | ±1.96 % | a and b; c | \
                    49 of 50 | 2 of 1502 |\n";
        assert!(made.ends_with(line), "{made}");
        assert_eq!(repeated(&json!({"tasks": []})), None);
    }

    #[test]
    fn scores_that_lie_apart_stand_out() {
        let side =
            |score: f64, state: &str| json!({"score": score, "share": 0.5, "times": 9.0, "state": state});
        let rung = |name: &str, difference: f64| {
            json!({"lab": "lab1", "rung": name, "measured": 90.0, "predicted": 90.0 + difference,
                "difference": difference, "tasks": [{"task": "gray", "difference": difference,
                "measured": side(90.0, "unstable"), "predicted": side(90.0 + difference, "stable")}]})
        };
        let file = json!({"within": 1, "allowed_difference": 5.0, "rungs": [rung("01_a", -1.5), rung("02_b", 7.25)]});
        let made = compared(&file).expect("a table");
        assert!(made.starts_with("Of 2 rungs, 1 get two scores within 5 points"), "{made}");
        assert!(made.contains("`02_b` of lab1 (+7.2 points)"), "{made}");
        assert!(made.contains("| lab1 `02_b` | all | 90.0 | 97.2 | **+7.2** |"), "{made}");
        assert!(made.contains("| lab1 `01_a` | all | 90.0 | 88.5 | -1.5 |"), "{made}");
        assert!(
            made.contains("|  | `gray` | 90.0 (unstable) | 88.5 | -1.5 | 50.0 % | 50.0 % | 9.0 | 9.0 |"),
            "{made}"
        );
        assert_eq!(summary(&json!({"rungs": []})), None);
    }
}
