//! Files of a shape that has no table of its own: every list of objects becomes a table of their plain values.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::markdown::{Align, prose, table};

/// Keys that the provenance line shows already.
const SHOWN: [&str; 6] = ["gpu", "cpu", "driver", "compiler", "date", "command"];

/// The plain values of the file, then a table for each list of objects in it.
pub fn tables(value: &Value) -> String {
    let empty = Map::new();
    let fields = value.as_object().unwrap_or(&empty);
    let mut out = String::new();
    for (key, value) in fields.iter().filter(|(key, _)| !SHOWN.contains(&key.as_str())) {
        if let Some(plain) = plain(value) {
            let _ = writeln!(out, "- {}: {plain}", prose(key));
        }
    }
    for (key, value) in fields {
        let objects: Vec<&Map<String, Value>> =
            value.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
        if !objects.is_empty() {
            let _ = write!(out, "\n{}:\n\n{}", prose(key), list(&objects));
        }
    }
    out
}

/// The simulator beside other simulators; `None` if the file is not of that kind.
pub fn simulator_peers(value: &Value) -> Option<String> {
    let rows = value["rows"].as_array()?;
    rows.first().filter(|row| row["kernel"].is_string() && row["Oclgrind"].is_number())?;
    let shown = [
        ("kernel", "kernel"),
        ("ours, unchecked", "ours, unchecked"),
        ("ours, analyses", "ours, initialisation and races"),
        ("Oclgrind", "Oclgrind, unchecked"),
        ("Oclgrind, --data-races --uninitialized", "Oclgrind, with checks"),
        ("PoCL", "PoCL, native code"),
        ("ratio", "ours to Oclgrind, both with checks"),
    ];
    let columns: Vec<(&str, Align)> = shown
        .iter()
        .map(|(key, title)| (*title, if *key == "kernel" { Align::Left } else { Align::Right }))
        .collect();
    let cells = |row: &Value| {
        shown.iter().map(|(key, _)| plain(&row[*key]).unwrap_or_else(|| "–".to_owned())).collect()
    };
    let load =
        value["load_average_at_the_end"].as_f64().map(|load| format!(", load {load}")).unwrap_or_default();
    Some(format!(
        "Pixels a second of the same kernels on {} cores{load}:\n\n{}",
        value["cores"],
        table(&columns, &rows.iter().map(cells).collect::<Vec<_>>())
    ))
}

fn list(objects: &[&Map<String, Value>]) -> String {
    let mut keys: Vec<&String> = Vec::new();
    for key in objects.iter().flat_map(|object| object.iter()).filter(|(_, value)| plain(value).is_some()) {
        if !keys.contains(&key.0) {
            keys.push(key.0);
        }
    }
    // Words first: they say what the numbers of the row are about.
    keys.sort_by_key(|key| objects.iter().any(|object| object.get(*key).is_some_and(Value::is_number)));
    let columns: Vec<(&str, Align)> = keys
        .iter()
        .map(|key| {
            let is_number = objects.iter().any(|object| object.get(*key).is_some_and(Value::is_number));
            (key.as_str(), if is_number { Align::Right } else { Align::Left })
        })
        .collect();
    let rows: Vec<Vec<String>> = objects
        .iter()
        .map(|object| {
            keys.iter().map(|key| object.get(*key).and_then(plain).unwrap_or_else(|| "–".into())).collect()
        })
        .collect();
    table(&columns, &rows)
}

/// A value that fits a cell.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(prose(text)),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Number(number) if number.is_f64() => number.as_f64().map(rounded),
        Value::Number(number) => Some(grouped(&number.to_string())),
        _ => None,
    }
}

/// Four significant digits.
fn rounded(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// `9453529` as `9 453 529`, with spaces that do not break.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digit.is_ascii_digit() && digits.len() > 4
        {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn any_list_of_objects_becomes_a_table_with_words_first() {
        let made = tables(&json!({"cores": 2, "rows": [{"a": 12345, "kernel": "gray"}, {"b": 0.25}]}));
        let expected = "- cores: 2\n\nrows:\n\n| kernel | a | b |\n| --- | ---: | ---: |\n| gray | 12\u{202f}345 | – \
                        |\n| – | – | 0.25 |\n";
        assert_eq!(made, expected);
    }

    #[test]
    fn simulators_stand_side_by_side() {
        let made =
            simulator_peers(&json!({"cores": 2, "rows": [{"kernel": "gray", "ours, unchecked": 9_453_529,
            "Oclgrind": 82450, "ratio": 291.24}]}));
        let made = made.expect("such a file");
        assert!(made.starts_with("Pixels a second of the same kernels on 2 cores:\n"), "{made}");
        let line = "| gray | 9\u{202f}453\u{202f}529 | – | 82\u{202f}450 | – | – | 291.2 |\n";
        assert!(made.ends_with(line), "{made}");
        assert_eq!(simulator_peers(&json!({"rows": [{"kernel": "x"}]})), None);
    }

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!([291.2, 1265.1, 0.000_123_456, 11.9].map(rounded), ["291.2", "1265", "0.0001235", "11.9"]);
    }
}
