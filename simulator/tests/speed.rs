//! Warp instructions a second of the plain 5×5 box filter on one core, unchecked and with every analysis.
//! Run with `cargo test --release -p simulator --test speed -- --ignored --nocapture`.

use std::sync::Arc;
use std::time::Instant;

use simulator::{Checks, Device, Launch, Limits, Module};

#[test]
#[ignore = "a measurement"]
fn box_filter() {
    let (width, height) = (1024u32, 512u32);
    let pixels = (width * height) as usize;
    let module = Arc::new(Module::from_ptx(include_str!("programs/basics.ptx")).unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let run = |checks: Checks| {
        let mut device = Device::new(Arc::clone(&module), Limits::default());
        let input = device.alloc(pixels as u64, "in").unwrap();
        device.write(input, &vec![3; pixels]).unwrap();
        let output = device.alloc(pixels as u64, "out").unwrap();
        let arguments = [
            input.to_le_bytes().to_vec(),
            output.to_le_bytes().to_vec(),
            width.to_le_bytes().to_vec(),
            height.to_le_bytes().to_vec(),
        ];
        let launch = Launch {
            kernel: "box",
            grid: [width / 32, height / 8, 1],
            block: [32, 8, 1],
            dynamic_shared: 0,
            arguments: &arguments,
            checks,
        };
        let start = Instant::now();
        let report = pool.install(|| device.launch(&launch)).unwrap();
        assert_eq!(report.findings, []);
        (start.elapsed().as_secs_f64(), report.counters.warp_instructions)
    };
    let (_, instructions) = run(Checks::COUNT);
    for (name, checks) in [
        ("none", Checks::NONE),
        ("count", Checks::COUNT),
        ("initialisation", Checks { initialisation: true, ..Checks::NONE }),
        ("races", Checks { races: true, ..Checks::NONE }),
        ("both", Checks { count: false, ..Checks::ALL }),
        ("all", Checks::ALL),
    ] {
        let seconds = (0..5).map(|_| run(checks).0).fold(f64::MAX, f64::min);
        println!("{name:15} {:6.1} M warp instructions/s", instructions as f64 / seconds / 1e6);
    }
}
