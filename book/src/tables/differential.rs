//! Random kernels on the simulator and on a GPU.

use records::Differential;

use crate::markdown::{Align, table};

/// A row per family of kernels.
pub fn table_of(run: &Differential) -> String {
    let titles = ["kernels", "same", "differ", "compiler", "not simulated", "false findings", "failed"];
    let mut columns = vec![("family", Align::Left)];
    columns.extend(titles.map(|title| (title, Align::Right)));
    let cells = run.families.iter().map(|row| {
        let counts =
            [row.kernels, row.same, row.differ, row.compiler, row.not_simulated, row.found, row.failed];
        [row.family.clone()].into_iter().chain(counts.map(|count| count.to_string())).collect()
    });
    format!(
        "Random kernels from seed {}, each run on both, their outputs compared byte for byte. \
         *compiler*: only the optimised machine code gives other bytes, not the same PTX assembled without \
         optimisation; or the compiler crashed.\n\n{}",
        run.seed,
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use records::FamilyRow;

    use super::*;

    #[test]
    fn a_family_has_a_row() {
        let row = FamilyRow {
            family: "warp".to_owned(),
            kernels: 9,
            same: 2,
            differ: 3,
            compiler: 1,
            not_simulated: 4,
            found: 5,
            failed: 6,
        };
        let run = Differential {
            seed: 7,
            kernels: 9,
            mismatches: 0,
            seconds: 1.0,
            compile_seconds: 1.0,
            families: vec![row],
            not_simulated: BTreeMap::new(),
            failures: Vec::new(),
            compiler_faults: Vec::new(),
        };
        let made = table_of(&run);
        assert!(made.contains("from seed 7,"), "{made}");
        assert!(made.ends_with("| warp | 9 | 2 | 3 | 1 | 4 | 5 | 6 |\n"), "{made}");
    }
}
