//! Costs of single operations.

use records::Micro;

use crate::markdown::{Align, table};

/// A row per operation.
pub fn table_of(micro: &Micro) -> String {
    let columns = [("operation", Align::Left), ("figure", Align::Right), ("unit", Align::Left)];
    let cells = micro.figures.iter();
    let cells = cells.map(|one| vec![one.name.clone(), format!("{:.3}", one.value), one.unit.clone()]);
    format!(
        "Cycles are those of a multiprocessor at {:.0} MHz. Each kernel ran with few and with many rounds; the difference cancels the \
         overhead that both runs share. Kernels: `workshop/validation/micro`.\n\n{}",
        micro.clock_hz * 1e-6,
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use records::Figure;

    use super::*;

    #[test]
    fn an_operation_has_a_row_with_its_unit() {
        let add =
            Figure { name: "add".to_owned(), value: 0.5, unit: "cycles".to_owned(), kernel: "k".to_owned() };
        let text = table_of(&Micro { multiprocessors: 132, clock_hz: 1.98e9, figures: vec![add] });
        assert!(text.contains("1980 MHz") && text.ends_with("| add | 0.500 | cycles |\n"), "{text}");
    }
}
