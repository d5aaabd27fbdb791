//! Counts that the model expects of launches on whole pictures, beside the GPU's own counters (`workshop totals`).

use std::fmt::Write as _;

use records::{CountsSummary, KernelTotals, LaunchTotals, Set, Totals};
use simulator::model::{Kernel, Whole, gpus, l2_sectors};

use super::count::Counted;
use super::summary::{errors, set_name};
use judge::exit::Stop;
use runtime::engine::{Step, Work};

/// A count that is compared: its name, our figure, and the GPU's.
type Quantity = (&'static str, fn(&Kernel, Whole) -> Option<f64>, fn(&LaunchTotals) -> f64);

const QUANTITIES: [Quantity; 3] = [
    ("instructions", |kernel, _| Some(kernel.machine?.issued), |total| total.instructions),
    (
        "passes of the load/store pipe",
        |kernel, _| Some(kernel.counters.load_store_passes() as f64),
        |total| total.passes,
    ),
    ("sectors to and from the L2", |kernel, _| Some(sectors(kernel)), |total| total.l2_sectors),
];

/// Smaller counts are left out: they are mostly the overhead that each launch has.
const FEWEST: f64 = 1000.0;

/// On the GPU that was measured, which is the first.
fn sectors(kernel: &Kernel) -> f64 {
    l2_sectors(kernel, &gpus()[0])
}

/// A launch on both sides.
#[derive(Debug, Clone)]
pub struct Row {
    set: Set,
    lab: String,
    kernel: String,
    task: String,
    case: String,
    launch: String,
    what: &'static str,
    expected: f64,
    gpu: f64,
}

/// Every launch that both sides have; files that were not timed are left out. Files whose host functions make another number of
/// launches than was expected are an error: nothing would be beside its own.
pub fn rows(calls: &[Counted], totals: &Totals) -> Result<Vec<Row>, Stop> {
    let mut all = Vec::new();
    for file in &totals.kernels {
        let own = calls.iter().filter(|call| {
            let point = &call.point;
            file.are_of(point.set, &point.lab, &point.kernel) && totals.cases.contains(&point.case)
        });
        let mut own = own.peekable();
        if own.peek().is_none() {
            continue;
        }
        let mut launches = file.launches.iter();
        for call in own {
            for (kernel, whole) in kernels(call) {
                let Some(total) = launches.next() else { return Err(other_launches(file)) };
                all.extend(compared(call, kernel, whole, total));
            }
        }
        if launches.next().is_some() {
            return Err(other_launches(file));
        }
    }
    Ok(all)
}

fn kernels(call: &Counted) -> impl Iterator<Item = (&Kernel, Whole)> {
    call.steps.iter().filter_map(|(step, whole)| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some((&**kernel, *whole)),
        _ => None,
    })
}

fn other_launches(file: &KernelTotals) -> Stop {
    Stop::environment(format!(
        "`{}` of {} was seen to make {} launches, and is expected to make another number: run `workshop totals` again",
        file.kernel,
        file.lab,
        file.launches.len()
    ))
}

fn compared(call: &Counted, kernel: &Kernel, whole: Whole, total: &LaunchTotals) -> Vec<Row> {
    let row = |(what, expected, counted): &Quantity| {
        let (expected, gpu) = (expected(kernel, whole)? * whole.scale, counted(total));
        (gpu >= FEWEST).then(|| Row {
            set: call.point.set,
            lab: call.point.lab.clone(),
            kernel: call.point.kernel.clone(),
            task: call.point.task.clone(),
            case: call.point.case.clone(),
            launch: total.name.clone(),
            what,
            expected,
            gpu,
        })
    };
    QUANTITIES.iter().filter_map(row).collect()
}

/// By set and quantity; a quantity that no launch has is left out.
pub fn summaries(rows: &[Row]) -> Vec<CountsSummary> {
    let mut all = Vec::new();
    for set in [Set::Ladder, Set::Pool, Set::Fresh] {
        for (what, ..) in QUANTITIES {
            let of: Vec<&Row> = rows.iter().filter(|row| row.set == set && row.what == what).collect();
            if of.is_empty() {
                continue;
            }
            let (mean_absolute_error, median_absolute_error) =
                errors(of.iter().map(|row| row.expected / row.gpu));
            let (what, launches) = (what.to_owned(), of.len());
            all.push(CountsSummary { set, what, launches, mean_absolute_error, median_absolute_error });
        }
    }
    all
}

/// The summaries, and the launches that are farthest off.
pub fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "\n{:10} {:32} {:>8} {:>11} {:>9}\n",
        "set", "counted on the GPU", "launches", "mean error", "median"
    );
    for summary in summaries(rows) {
        let _ = writeln!(
            out,
            "{:10} {:32} {:>8} {:>9.1} % {:>7.1} %",
            set_name(summary.set),
            summary.what,
            summary.launches,
            100.0 * summary.mean_absolute_error,
            100.0 * summary.median_absolute_error
        );
    }
    let mut worst: Vec<&Row> = rows.iter().collect();
    let off = |row: &Row| (row.expected.max(1.0) / row.gpu).ln().abs();
    worst.sort_by(|one, other| off(other).total_cmp(&off(one)));
    let _ = writeln!(out, "\nthe worst:");
    for row in worst.iter().take(60) {
        let _ = writeln!(
            out,
            "  {:5} {:28} {:20} {:16} {:28} {:30} {:>6.2}",
            row.lab,
            row.kernel,
            row.task,
            row.case,
            judge::wrap::shortened(&row.launch, 28),
            row.what,
            row.expected / row.gpu
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::Point;

    use super::*;

    fn call(launches: usize) -> Counted {
        let point = Point {
            set: Set::Ladder,
            lab: "lab1".to_owned(),
            kernel: "01_a".to_owned(),
            task: "t".to_owned(),
            case: "c".to_owned(),
            seconds: 1.0,
            yardstick_seconds: 1.0,
            error: 0.0,
        };
        let mut counters = simulator::Counters::default();
        counters.global_wavefronts = 3000;
        let kernel = Kernel {
            counters,
            executed: Vec::new(),
            simulated: 0,
            code: None,
            machine: None,
            grid: [1, 1, 1],
            threads: 32,
            shared: 0,
            registers: 0,
        };
        let whole = Whole::new(2.0, 2.0);
        let step = Step::Work { stream: 0, work: Work::Kernel(Box::new(kernel)) };
        Counted { point, family: String::new(), steps: vec![(step, whole); launches] }
    }

    fn totals() -> Totals {
        let launch = LaunchTotals {
            name: "k".to_owned(),
            instructions: 5e4,
            busiest_scheduler: 1e3,
            passes: 5000.0,
            l2_sectors: 0.0,
            dram_sectors: [0.0, 0.0],
            microseconds: 1.0,
        };
        let (set, lab, kernel) = (Set::Ladder, "lab1".to_owned(), "01_a".to_owned());
        let file = KernelTotals { set, lab, kernel, launches: vec![launch] };
        Totals { cases: vec!["c".to_owned()], kernels: vec![file] }
    }

    #[test]
    fn launches_stand_beside_their_own() {
        let rows = rows(&[call(1)], &totals()).unwrap();
        assert_eq!(rows.len(), 1, "no machine code, no sectors: {rows:?}");
        assert_eq!((rows[0].what, rows[0].launch.as_str()), ("passes of the load/store pipe", "k"));
        let error = summaries(&rows)[0].mean_absolute_error;
        assert!((error - 0.2).abs() < 1e-9, "{error}");
    }

    #[test]
    fn files_that_were_not_timed_are_left_out() {
        let mut totals = totals();
        totals.kernels.push(KernelTotals { lab: "lab6".to_owned(), ..totals.kernels[0].clone() });
        assert_eq!(rows(&[call(1)], &totals).unwrap().len(), 1);
    }

    #[test]
    fn another_number_of_launches_is_an_error() {
        for launches in [0, 2] {
            assert!(rows(&[call(launches)], &totals()).is_err(), "{launches}");
        }
    }
}
