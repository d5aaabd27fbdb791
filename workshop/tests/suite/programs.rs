//! Programs of `engine/simulator/tests/programs` on the simulator: outputs and findings as their headers say, the same
//! on one thread and on several. Each commit tries another third; `workshop programs` runs all.

use cuda::nvrtc::Compiler;
use workshop::programs::{Program, Verdict, check, load, side_by_side};

use crate::common::{part, root};

#[test]
fn programs_do_what_their_headers_say() {
    let programs = load(&root(), &[]).unwrap_or_else(|stop| panic!("{stop}"));
    assert!(programs.len() >= 220, "there were more programs once: {}", programs.len());
    let programs: Vec<Program> = programs.into_iter().skip(part(3)).step_by(3).collect();
    let compiler = Compiler::find(&mut |_| {}).expect("a compiler");
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let verdicts = side_by_side(&programs, threads, |program| check(&compiler, program).0);
    let wrong: Vec<String> = programs
        .iter()
        .zip(verdicts)
        .filter(|(program, _)| program.pending().is_none())
        .filter_map(|(program, verdict)| match verdict {
            Verdict::Right => None,
            Verdict::Wrong(reason) => Some(format!("{}: {reason}", program.name)),
        })
        .collect();
    assert!(wrong.is_empty(), "{} programs went wrong:\n{}", wrong.len(), wrong.join("\n"));
}
