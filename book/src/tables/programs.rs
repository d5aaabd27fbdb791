//! The simulator's test programs.

use records::Programs;

use super::numbers::dash;
use crate::markdown::{Align, prose, table};

/// A row per program; the columns that all programs share are left out.
pub fn table_of(programs: &Programs) -> String {
    let on_gpu = programs.programs.iter().any(|program| program.gpu.is_some());
    let sanitized = programs.programs.iter().any(|program| program.sanitizer.is_some());
    let mut columns = vec!["program", "about", "right"];
    columns.extend(on_gpu.then_some("on the GPU"));
    columns.extend(sanitized.then_some("compute-sanitizer"));
    columns.push("remark");
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let cells = programs.programs.iter().map(|program| {
        let mut cells = vec![prose(&program.program), prose(&program.about), yes(program.right)];
        if on_gpu {
            cells.push(program.gpu.as_deref().map_or_else(dash, prose));
        }
        if sanitized {
            cells.push(program.sanitizer.as_ref().map_or_else(dash, |found| {
                let count = found.count.map_or_else(|| "nothing".to_owned(), |count| count.to_string());
                format!("{}: {count}", prose(&found.tool))
            }));
        }
        cells.push(prose(&program.remark));
        cells
    });
    let columns: Vec<(&str, Align)> = columns.into_iter().map(|title| (title, Align::Left)).collect();
    format!(
        "Each program names in its header the outputs and findings that it must have; *right*: it has them on the simulator. \
         Run on: {}.\n\n{}",
        prose(&programs.engine),
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use records::{Program, Sanitized};

    use super::*;

    #[test]
    fn only_what_ran_has_a_column() {
        let program = Program {
            program: "memory/past_end".to_owned(),
            about: "a".to_owned(),
            expected: Vec::new(),
            found: Vec::new(),
            right: true,
            remark: String::new(),
            pending: false,
            gpu: None,
            sanitizer: None,
        };
        let tool =
            Sanitized { tool: "memcheck".to_owned(), count: Some(3), lines: Vec::new(), said: String::new() };
        let sanitized = Program { sanitizer: Some(tool), right: false, ..program.clone() };
        let all = Programs { engine: "simulator".to_owned(), programs: vec![program.clone(), sanitized] };
        let made = table_of(&all);
        assert!(made.contains("| program | about | right | compute-sanitizer | remark |\n"), "{made}");
        assert!(made.contains("| memory/past\\_end | a | yes | – |  |\n"), "{made}");
        assert!(made.ends_with("| memory/past\\_end | a | no | memcheck: 3 |  |\n"), "{made}");
        let on_gpu = Program { gpu: Some("equal".to_owned()), ..program };
        let made = table_of(&Programs { programs: vec![on_gpu], ..all });
        assert!(made.ends_with("| memory/past\\_end | a | yes | equal |  |\n"), "{made}");
    }
}
