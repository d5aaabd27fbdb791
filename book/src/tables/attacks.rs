//! Files that attack the machine, and what became of them.

use records::{Attack, Attacks};

use super::numbers::distinct;
use crate::markdown::{Align, table};

/// A row per family: how many attacks, the verdicts, and the worst of them.
pub fn table_of(attacks: &Attacks) -> String {
    let families = distinct(attacks.rows.iter().map(|row| &row.family));
    let rows = families.into_iter().map(|family| {
        let rows: Vec<&Attack> = attacks.rows.iter().filter(|row| row.family == *family).collect();
        let codes = distinct(rows.iter().flat_map(|row| &row.codes));
        let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
        vec![
            family.clone(),
            rows.len().to_string(),
            codes.join(" "),
            format!("{:.1}", worst(&rows, |row| row.seconds)),
            format!("{:.0}", worst(&rows, |row| row.mebibytes)),
            rows.iter().map(|row| row.leaked).sum::<usize>().to_string(),
        ]
    });
    let columns = [
        ("what is attacked", Align::Left),
        ("files", Align::Right),
        ("findings", Align::Left),
        ("seconds, worst", Align::Right),
        ("MiB, worst", Align::Right),
        ("bytes leaked", Align::Right),
    ];
    format!(
        "On {} cores. Every file has a verdict.\n\n{}",
        attacks.cores,
        table(&columns, &rows.collect::<Vec<_>>())
    )
}

fn worst(rows: &[&Attack], of: fn(&Attack) -> f64) -> f64 {
    rows.iter().map(|row| of(row)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_one_row_with_its_worst_figures() {
        let attack = |family: &str, seconds: f64, code: &str| Attack {
            family: family.to_owned(),
            name: "a".to_owned(),
            exit: Some(1),
            codes: vec![code.to_owned()],
            seconds,
            mebibytes: 10.0 * seconds,
            leaked: 0,
        };
        let rows =
            vec![attack("files", 1.0, "W0002"), attack("work", 2.0, "W0504"), attack("files", 3.0, "W0001")];
        let made = table_of(&Attacks { cores: 2, rows });
        assert!(made.contains("| files | 2 | `W0002` `W0001` | 3.0 | 30 | 0 |"), "{made}");
        assert!(made.contains("| work | 1 | `W0504` | 2.0 | 20 | 0 |"), "{made}");
    }
}
