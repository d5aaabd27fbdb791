//! The source of predicted times.

use simulator::model::gpus;

/// How times are predicted for the simulated GPU with this title.
pub fn predicted(title: &str) -> &'static str {
    let known = gpus().iter().find(|gpu| gpu.title == title);
    if known.is_none_or(simulator::model::Gpu::reads_machine_code) {
        "times are predicted"
    } else {
        // The machine code of that GPU cannot be read.
        "times are predicted from PTX only"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_gpu_whose_machine_code_is_read_is_predicted_from_it() {
        assert_eq!(predicted("NVIDIA H200"), "times are predicted");
        assert!(predicted("Quadro K620").ends_with("from PTX only"));
    }
}
