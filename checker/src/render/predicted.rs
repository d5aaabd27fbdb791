//! What predicted times were made of.

use simulator::model::gpus;

/// How times come about on the simulated GPU of this title.
pub fn predicted(title: &str) -> &'static str {
    let known = gpus().iter().find(|gpu| gpu.title == title);
    if known.is_none_or(simulator::model::Gpu::reads_machine_code) {
        "times are predicted"
    } else {
        // Nobody here reads the machine code of that GPU.
        "times are predicted from PTX alone"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_gpu_whose_machine_code_is_read_is_predicted_from_it() {
        assert_eq!(predicted("NVIDIA H200"), "times are predicted");
        assert!(predicted("Quadro K620").ends_with("from PTX alone"));
    }
}
