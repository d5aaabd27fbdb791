//! The ideas of this lab, in the order in which a kernel should get them. Each names the rung that has it first.

use lab::{Idea, Part};

/// Of its task.
pub const IDEAS: &[Idea] = &[Idea {
    rung: 1,
    name: "neighbouring threads, neighbouring pixels",
    lacks: |signs| signs.scattered > 1.5,
    eases: &Part::ALL,
    idea: "let neighbouring threads of a warp take neighbouring pixels of a row",
    sketch: "A warp loads from 32 addresses at once. If they are neighbours, one sector of 32 bytes holds them all; threads that go along columns touch \
             32 sectors.",
    code: "
const int i = blockIdx.x * blockDim.x + threadIdx.x;
",
}];
