//! The source of predicted times.

use simulator::model::gpus;

/// How times are predicted for the simulated GPU with this title.
pub fn predicted(title: &str) -> &'static str {
    let known = gpus().iter().find(|gpu| gpu.title == title);
    match known {
        Some(gpu) if !gpu.validated && gpu.reads_machine_code() => "times are predicted, unvalidated",
        // The machine code of that GPU cannot be read.
        Some(gpu) if !gpu.validated => "times are predicted from PTX only, unvalidated",
        _ => "times are predicted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_gpu_that_was_measured_is_validated() {
        assert_eq!(predicted("NVIDIA H200"), "times are predicted");
        assert_eq!(predicted("GeForce RTX 4090"), "times are predicted, unvalidated");
        assert_eq!(predicted("Quadro K620"), "times are predicted from PTX only, unvalidated");
    }
}
