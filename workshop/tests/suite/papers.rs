//! `workshop reports`: published figures beside ours.

use serde_json::Value;

use crate::common::{root, run, shown};

fn json(arguments: &[&str]) -> Value {
    let output = run(&root(), arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("valid JSON")
}

#[test]
fn a_table_is_repeated_on_the_gpu_of_the_report_ratio_by_ratio() {
    let compared = json(&["reports", "R0/grayscale", "--engine", "sim", "--json"]);
    let report = &compared["reports"][0];
    assert_eq!((report["engine"].as_str(), report["gpu"].as_str()), (Some("sim"), Some("GeForce GTX 480")));
    let experiment = &report["experiments"][0];
    assert_eq!(experiment["size"], serde_json::json!([8773, 5352]));
    let rows = experiment["rows"].as_array().expect("rows");
    let number = |row: usize, pointer: &str| {
        rows[row].pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("row {row}: {pointer}"))
    };
    let names: Vec<_> = rows.iter().filter_map(|row| row["ours"].as_str()).collect();
    assert_eq!(names, ["sequential", "01_one_pixel_per_thread", "03_coalesced", "04_four_pixels"]);
    for (row, whole) in rows.iter().enumerate().skip(1) {
        for (key, from) in [("before", row - 1), ("first", 0)] {
            for side in ["published", "here"] {
                let of = |row: usize| number(row, &format!("/ms/{side}"));
                let expected = of(from) / of(row);
                let ratio = number(row, &format!("/{key}/{side}"));
                assert!(
                    (ratio / expected - 1.0).abs() < 1e-12,
                    "row {row}, {key} {side}: {ratio} {expected}"
                );
            }
            let both = |side: &str| number(row, &format!("/{key}/{side}"));
            assert!((both("ratio") - both("here") / both("published")).abs() < 1e-12);
        }
        assert_eq!(whole["right"], true);
    }
    assert!(
        (number(0, "/ms/published") - 293.1).abs() < 1e-9 && (number(3, "/ms/published") - 1.8).abs() < 1e-9
    );
}

#[test]
fn another_gpu_can_be_named_as_people_name_it_and_statements_are_tried() {
    let compared = json(&["reports", "r3/scan", "--gpu", "Quadro K620", "--json"]);
    let report = &compared["reports"][0];
    assert_eq!((report["id"].as_str(), report["gpu"].as_str()), (Some("R3"), Some("Quadro K620")));
    let claim = &report["experiments"][0]["claims"][0];
    let times = claim["times"].as_array().expect("times");
    let [first, second] = [0, 1].map(|index| times[index][1].as_f64().expect("milliseconds"));
    let same = (second / first - 1.0).abs() <= 0.05;
    assert_eq!(claim["verdict"], if same { "holds" } else { "does_not_hold" }, "{claim}");
    assert_eq!(times[0][0], "05_scan_in_a_block");
}

#[test]
fn the_text_has_both_figures_of_each_row_on_one_line() {
    let shown = shown(&["reports", "R0/grayscale", "--engine", "sim"]);
    assert!(shown.starts_with("exit 0\n--- stdout\nR0: "), "{shown}");
    assert!(shown.contains("R0/grayscale: RGB to gray"), "{shown}");
    let row = shown.lines().find(|line| line.contains("4 bytes per fetch [04]")).expect("the last row");
    let after = row.split_once(']').expect("the rung").1;
    let numbers: Vec<f64> = after.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 8, "{row}");
    assert!((numbers[0] - 1.8).abs() < 1e-9, "{row}");
    // 4.6 / 1.8, as the report says.
    assert!((numbers[2] - 2.56).abs() < 1e-9, "{row}");
}
