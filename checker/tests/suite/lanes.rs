//! What is said of a lane that a shuffle reads is what was seen of it.

use std::fs;

use crate::common::shown_in;
use crate::mistakes::{check, histogram};

/// A histogram whose kernel counts the level of the next lane; `lead` stands before the shuffle.
fn shuffled(lead: &str, mask: &str, down: &str) -> String {
    histogram(&format!(
        "    const int level = i < pixels ? gray[i] : 0;\n    {lead}\n    const int next = {down}({mask}, level, 1);\n    \
         if (i + 1 < pixels) atomicAdd(&bins[next], 1u);"
    ))
}

#[test]
fn a_lane_that_takes_no_part_is_told_with_the_reason() {
    let short = shuffled("", "~0u", "__shfl_down_sync").replace("pixels, 256), 256", "pixels, 100), 100");
    let said = ["`__shfl_down_sync` reads lane 4 of the warp here, which does not exist: this warp has 4"];
    check("histogram", &short, &said, &["not in the mask", "the mask does not name"]);
    let unnamed =
        shuffled("if (t % 32 < 16)", "0xffffu", "__shfl_xor_sync").replace("level, 1)", "level, 16)");
    let unnamed = unnamed.replace("    const int next =", "    int next = 0;\n    if (t % 32 < 16) next =");
    let unnamed = unnamed.replace("    if (t % 32 < 16)\n", "");
    let said = ["`__shfl_xor_sync` reads lane ", "of the warp here, which the mask does not name"];
    check("histogram", &unnamed, &said, &["does not exist", "has ended"]);
    let ended = shuffled("if (i >= pixels) return;", "~0u", "__shfl_down_sync").replace("i + 1 < ", "i < ");
    let said = ["`__shfl_down_sync` reads lane ", "of the warp here, which has ended and takes no part"];
    check("histogram", &ended, &said, &["does not exist", "does not name"]);
}

/// What `checker hint` says, at both stages, of a kernel without shared memory is nothing of shared memory.
#[test]
fn a_hint_on_a_value_that_nothing_has_written_is_about_where_it_comes_from() {
    let hint = |body: &str| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("mine.cu"), histogram(body)).expect("a file in it");
        let less = ["hint", "lab2", "--engine", "sim", "--file", "mine.cu"];
        let more: Vec<&str> = less.into_iter().chain(["--more"]).collect();
        [shown_in(folder.path(), &less), shown_in(folder.path(), &more)].concat()
    };
    let own = hint(
        "    int level[2];\n    if (i > 0) level[t % 2] = gray[min(i, pixels - 1)];\n    if (i < pixels) atomicAdd(&bins[level[i % 2] & 255], 1u);",
    );
    assert!(own.contains("W020") && !own.contains("In shared memory") && !own.contains("tile"), "{own}");
    let shared = hint(
        "    __syncthreads();\n    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);\n    __syncthreads();\n    atomicAdd(&bins[t], counts[t]);",
    );
    assert!(
        shared.contains("In shared memory, let the block") && !shared.contains("In memory of the GPU"),
        "{shared}"
    );
}
