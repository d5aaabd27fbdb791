//! One root cause, one finding: which findings only follow from another one.
//!
//! A missing barrier also shows as an undefined value, an index past the end also as a race. Two findings belong together if a
//! rule of the table names their codes, and they share what the rule asks for. Nothing is removed: the finding that explains
//! the others comes first, and a report may fold the others under it.

use crate::build::{BY_NONE, IN_PART, NO_RETURN, SEARCH, STANDS_IN, UNFILLED, UNSET};
use runtime::finding::{Finding, Severity};

/// What two findings have to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    /// The kernel.
    Kernel,
    /// The same, and both threads of a race store: an index past the end of its row or array hits the element of another thread.
    /// A load that no barrier orders is a mistake of its own: what is out of bounds is never carried out.
    Stores,
    /// The kernel, and the cases: what also happens where the root does not is a fault of its own.
    Cases,
    /// The same, and the effect stands behind the root, in an array that some line fills.
    Behind,
    /// The cases, on the host or in a kernel.
    Runs,
    /// The kernel and an array, such as `counts` of `counts[3]`.
    Array,
    /// The same, and a place between the lines of both: one barrier there orders them all.
    Between,
    /// The line, where the root is a variable without a value.
    Unset,
    /// Nothing, where the root is a variable without a value.
    Pointer,
    /// Nothing, where the root is a function that returns nothing.
    Returned,
    /// The cases, where the root is a null pointer: kernels that get it use it, too.
    Null,
    /// The line.
    Line,
    /// The cases, where the effect is a search or a test that counts decide.
    Counts,
    /// The cases, where the root is an array of the host that a copy fills in part.
    Part,
    /// The text of the message.
    Message,
    /// Nothing.
    Nothing,
}

/// Findings that explain others. A code stands for all that begin with it.
struct Rule {
    roots: &'static [&'static str],
    effects: &'static [&'static str],
    share: Share,
}

const fn rule(roots: &'static [&'static str], effects: &'static [&'static str], share: Share) -> Rule {
    Rule { roots, effects, share }
}

/// Accesses out of bounds.
const OUTSIDE: &[&str] = &["W0101", "W0106", "W0107"];
/// Barriers that threads do not come to.
const BARRIERS: &[&str] = &["W0401", "W0402", "W0403", "W0409"];
/// Accesses that no barrier orders.
const RACES: &[&str] = &["W0301", "W0302", "W0303", "W0304", "W0307", "W0312"];
/// What a race brings with it.
const MILDER: &[&str] = &["W0304", "W0305", "W0306", "W0309"];

/// The earlier a rule, the deeper its roots lie.
const RULES: &[Rule] = &[
    // Without a header, none of its names is known.
    rule(&["W0002"], &["W0001"], Share::Nothing),
    // A name that is unknown here is unknown there.
    rule(&["W0001"], &["W0001"], Share::Message),
    // What has no value is wrong wherever it is used.
    rule(&["W0006"], &["W06"], Share::Unset),
    // What goes to any address ends with a trap, wherever the pointer is used.
    rule(&["W0006"], &["W0505"], Share::Pointer),
    rule(&["W0602", "W0612"], &["W01", "W0505"], Share::Null),
    // Threads that stopped themselves come to no barrier.
    rule(&["W0505"], BARRIERS, Share::Cases),
    // What a function without `return` gives is anything, a pointer to the host as well.
    rule(&["W0006"], &["W0105", "W0207", "W0505"], Share::Returned),
    // A copy that was refused brings nothing.
    rule(&["W0611", "W0612"], &["W02"], Share::Runs),
    // An index past the end hits other data, and leaves its own unwritten.
    rule(OUTSIDE, &["W02"], Share::Kernel),
    rule(OUTSIDE, &["W03"], Share::Stores),
    // What lies there is another copy's, which may still be on its way.
    rule(OUTSIDE, &["W0312"], Share::Line),
    // Threads that returned fill no shared memory, and are missing at every later barrier.
    rule(BARRIERS, &["W0301", "W0304", "W0307", "W04"], Share::Cases),
    rule(BARRIERS, &["W02"], Share::Behind),
    // Without a barrier, a thread reads before another has written.
    rule(RACES, &["W02"], Share::Array),
    // What threads race for may be any number, and what later kernels look for with it may not be there.
    rule(RACES, &["W0201"], Share::Counts),
    rule(RACES, RACES, Share::Between),
    rule(RACES, MILDER, Share::Array),
    rule(RACES, MILDER, Share::Line),
    rule(&["W0305"], MILDER, Share::Line),
    // What is computed from elements that no copy has filled has no value either.
    rule(&["W0201"], &["W0207"], Share::Part),
    // What nothing has written is undefined wherever it is used.
    rule(&["W02"], &["W02"], Share::Array),
];

/// A finding that no other explains, and those that it explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its place in the list.
    pub finding: usize,
    /// The places of its effects.
    pub effects: Vec<usize>,
}

/// The roots among these findings: errors first, else in their order.
pub fn roots(findings: &[Finding]) -> Vec<Root> {
    let explained: Vec<Option<usize>> = (0..findings.len()).map(|of| deepest(findings, of)).collect();
    let root = |finding: usize| {
        let effects = (0..findings.len()).filter(|of| explained[*of] == Some(finding)).collect();
        Root { finding, effects }
    };
    let own = (0..findings.len()).filter(|of| explained[*of].is_none());
    let mut roots: Vec<Root> = own.map(root).collect();
    // A race on what decides whether threads return comes before the barrier that they then miss.
    let races = |root: &Root| {
        let finding = &findings[root.finding];
        finding.severity == Severity::Error
            && names(&["W0301"], finding)
            && finding.message.starts_with("reads ")
    };
    let misses = |root: &Root| names(BARRIERS, &findings[root.finding]);
    let waits = |root: &Root| misses(root) && findings[root.finding].severity != Severity::Error;
    let is_race = roots.iter().any(races);
    roots.sort_by_key(|root| (std::cmp::Reverse(severity(findings, root)), is_race && waits(root)));
    roots
}

/// Orders findings so that each root stands before its effects, and the most severe root first.
pub fn order(findings: &mut Vec<Finding>) {
    let order: Vec<usize> = roots(findings)
        .into_iter()
        .flat_map(|root| std::iter::once(root.finding).chain(root.effects))
        .collect();
    let mut places: Vec<Option<Finding>> = std::mem::take(findings).into_iter().map(Some).collect();
    findings.extend(order.into_iter().filter_map(|place| places.get_mut(place).and_then(Option::take)));
}

/// The finding to solve first, if there is an error: what explains it may itself be a warning.
pub fn main_error(findings: &[Finding]) -> Option<&Finding> {
    let roots = roots(findings);
    let first = roots.first()?;
    is_error(findings, first).then(|| &findings[first.finding])
}

/// Whether a root is what to solve: an error, or what explains one.
pub fn is_error(findings: &[Finding], root: &Root) -> bool {
    severity(findings, root) == Severity::Error
}

/// The severity of a root is that of its worst effect: a warning that explains an error is what to solve.
fn severity(findings: &[Finding], root: &Root) -> Severity {
    let all = root.effects.iter().chain(std::iter::once(&root.finding));
    all.map(|of| findings[*of].severity).max().unwrap_or(Severity::Note)
}

/// The root of a finding's root, and so on; `None` for a finding that nothing explains.
fn deepest(findings: &[Finding], effect: usize) -> Option<usize> {
    let mut root = None;
    // The rank falls with every step, so that it ends.
    while let Some(next) = explains(findings, root.unwrap_or(effect)) {
        root = Some(next);
    }
    root
}

/// What explains a finding: by the first rule that applies, the finding of the lowest rank.
fn explains(findings: &[Finding], effect: usize) -> Option<usize> {
    let lower = |root: &usize| rank(findings, *root) < rank(findings, effect);
    RULES.iter().find_map(|rule| {
        let applies = |root: &usize| applies(rule, &findings[*root], &findings[effect]);
        (0..findings.len()).filter(lower).filter(applies).min_by_key(|root| rank(findings, *root))
    })
}

/// How deep a finding lies: an effect has a higher rank than its root. The barrier in a branch holds up those that no branch is around.
fn rank(findings: &[Finding], of: usize) -> (usize, std::cmp::Reverse<Severity>, bool, usize) {
    let finding = &findings[of];
    let rule = RULES.iter().position(|rule| names(rule.roots, finding)).unwrap_or(RULES.len());
    (rule, std::cmp::Reverse(finding.severity), !finding.message.contains(STANDS_IN), of)
}

fn names(codes: &[&str], finding: &Finding) -> bool {
    codes.iter().any(|code| finding.code.starts_with(code))
}

fn applies(rule: &Rule, root: &Finding, effect: &Finding) -> bool {
    // A remark explains no fault.
    let remark = root.severity == Severity::Note && effect.severity != Severity::Note;
    names(rule.roots, root) && names(rule.effects, effect) && !remark && shares(rule.share, root, effect)
}

fn shares(share: Share, one: &Finding, other: &Finding) -> bool {
    let kernel = |finding: &Finding| finding.thread.as_ref().map(|thread| thread.kernel.clone());
    let same_kernel = kernel(one) == kernel(other);
    let same_array = || same_kernel && arrays(one).iter().any(|array| arrays(other).contains(array));
    match share {
        Share::Kernel => same_kernel,
        Share::Stores => {
            let message = &other.message;
            same_kernel && message.starts_with("writes ") && !message.contains(" reads too")
        }
        Share::Runs => other.cases.iter().all(|case| one.cases.contains(case)),
        Share::Cases => same_kernel && shares(Share::Runs, one, other),
        Share::Behind => {
            let cases = shares(Share::Cases, one, other);
            cases && other.line > one.line && !other.message.contains(UNFILLED)
        }
        Share::Array => same_array(),
        Share::Between => {
            let (one, other) = (span(one), span(other));
            same_array() && one.start.max(other.start) < one.end.min(other.end)
        }
        Share::Pointer => one.message.contains(UNSET),
        Share::Returned => one.message.starts_with(NO_RETURN),
        Share::Unset => one.message.contains(UNSET) && shares(Share::Line, one, other),
        Share::Null => one.message.ends_with("null pointer") && shares(Share::Runs, one, other),
        Share::Line => (&one.file, one.line) == (&other.file, other.line),
        Share::Counts => {
            let sought = other.hint.contains(BY_NONE) || other.hint.starts_with(SEARCH);
            let counts = one.labels.iter().any(|label| label.text.contains("atomically"))
                || one.message.contains("atomically");
            sought && counts && !same_kernel && shares(Share::Runs, one, other)
        }
        Share::Part => one.message.contains(IN_PART) && shares(Share::Runs, one, other),
        Share::Message => one.message == other.message,
        Share::Nothing => true,
    }
}

/// The lines of a finding, without the last of several: a barrier after one of them orders them.
fn span(finding: &Finding) -> std::ops::Range<u32> {
    let lines = || finding.line.into_iter().chain(finding.labels.iter().map(|label| label.line));
    let (first, last) = (lines().min().unwrap_or(0), lines().max().unwrap_or(0));
    first..last.max(first + 1)
}

/// The arrays and variables that a finding names: `counts` of `` `counts[3]` ``, and `low`.
fn arrays(finding: &Finding) -> Vec<&str> {
    let texts = std::iter::once(&finding.message).chain(finding.labels.iter().map(|label| &label.text));
    let quoted = texts.flat_map(|text| text.split('`').skip(1).step_by(2));
    let is_variable = |name: &&str| !name.starts_with("__") && !name.contains(['(', '<']);
    quoted.filter_map(|name| name.split('[').next()).filter(|name| is_variable(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::Repair;
    use runtime::finding::{Kind, Label, Thread};

    #[test]
    fn a_statement_that_was_left_out_is_not_compared_with_another() {
        let hint = |told: &str| Repair { line: 11, told: told.to_owned() }.hint();
        assert_eq!(
            hint("without `return;` in line 11, all 25 cases are right"),
            "line 11 is too many: work out what it does"
        );
        assert!(hint("with `i < n` in line 11, all 25 cases are right").starts_with("compare line 11 with"));
    }

    /// A finding of the kernel `k` at this line; a note if its code is that of a remark.
    fn found(code: &str, line: u32, message: &str) -> Finding {
        let severity = match code {
            "W0306" => Severity::Note,
            "W0304" | "W0403" => Severity::Warning,
            _ => Severity::Error,
        };
        let mut finding =
            Finding::new(code, Kind::Memory, severity, message.to_owned(), "").at("a.cu", line, 1);
        finding.thread = Some(Thread { kernel: "k".to_owned(), block: [0; 3], thread: [0; 3] });
        finding
    }

    /// The codes and lines of the roots, each with the number of its effects.
    fn folded(findings: &[Finding]) -> Vec<(&str, u32, usize)> {
        let shown = |root: Root| {
            let finding = &findings[root.finding];
            (finding.code.as_str(), finding.line.unwrap_or(0), root.effects.len())
        };
        roots(findings).into_iter().map(shown).collect()
    }

    #[test]
    fn a_missing_barrier_comes_before_what_nothing_has_written() {
        let all = [found("W0203", 7, "it comes from `counts[3]`"), found("W0307", 5, "writes `counts[3]`")];
        assert_eq!(folded(&all), [("W0307", 5, 1)]);
        let other = [found("W0203", 7, "it comes from `sums[3]`"), found("W0307", 5, "writes `counts[3]`")];
        assert_eq!(folded(&other), [("W0203", 7, 0), ("W0307", 5, 0)]);
    }

    #[test]
    fn an_early_return_is_one_finding() {
        let all = [
            found("W0203", 9, "it comes from `counts[3]`"),
            found("W0403", 8, "threads had returned"),
            found("W0403", 10, "threads had returned"),
        ];
        assert_eq!(folded(&all), [("W0403", 8, 2)]);
        assert_eq!(main_error(&all).map(|finding| finding.code.as_str()), Some("W0403"));
    }

    #[test]
    fn a_race_on_what_decides_comes_before_the_barrier_that_threads_miss() {
        let mut all = [
            found("W0201", 99, "it comes from `lowest`"),
            found("W0403", 91, "threads had returned"),
            found("W0301", 55, "reads `last`, which thread 0 writes too"),
        ];
        // In another task as well.
        all[2].cases = vec!["equalize: 1x1".to_owned()];
        assert_eq!(main_error(&all).map(|finding| finding.code.as_str()), Some("W0301"));
    }

    #[test]
    fn a_function_that_returns_nothing_explains_the_pointer_that_it_gives() {
        let missing = |text: &str| {
            let mut all =
                [found("W0105", 62, "argument 3 of `k` points to host memory"), found("W0006", 29, text)];
            all[1].thread = None;
            main_error(&all).map(|finding| finding.code.clone())
        };
        let said = "missing return statement at end of non-void function \"find_range\"";
        assert_eq!(missing(said).as_deref(), Some("W0006"));
        assert_eq!(missing("variable \"a\" was set but never used").as_deref(), Some("W0105"));
    }

    #[test]
    fn missing_zeros_are_a_mistake_of_their_own_beside_a_missed_barrier() {
        let barrier = || found("W0403", 8, "threads returned");
        assert_eq!(folded(&[found("W0203", 7, "it comes from `counts[3]`"), barrier()]).len(), 2);
        let unfilled =
            found("W0203", 9, "it comes from `counts[3]` (shared memory), and no line fills `counts`");
        assert_eq!(folded(&[unfilled, barrier()]).len(), 2);
    }

    #[test]
    fn what_also_happens_where_no_thread_returns_is_not_because_of_an_early_return() {
        let mut all =
            [found("W0203", 9, "it comes from `counts[3]`"), found("W0403", 8, "threads had returned")];
        all[1].cases = vec!["histogram: 1x1".to_owned()];
        all[0].cases = vec!["histogram: 1x1".to_owned()];
        assert_eq!(folded(&all), [("W0403", 8, 1)]);
        all[0].cases.push("histogram: 32x16, whole blocks".to_owned());
        assert_eq!(folded(&all), [("W0203", 9, 0), ("W0403", 8, 0)]);
    }

    #[test]
    fn missing_zeros_are_one_finding() {
        let mut label = found("W0204", 9, "stores a value that nothing has written");
        label.labels =
            vec![Label { file: "a.cu".into(), line: 8, column: 1, text: "`counts[0]` is read".into() }];
        assert_eq!(folded(&[found("W0203", 6, "from `counts[3]`"), label]), [("W0203", 6, 1)]);
    }

    #[test]
    fn an_index_past_the_end_explains_what_it_hits() {
        let all = [
            found("W0305", 4, "writes `tile[6]`, which thread 2 writes too"),
            found("W0306", 4, "writes `tile[7]`"),
            found("W0106", 4, "writes 1 byte at byte 384 of shared memory"),
        ];
        assert_eq!(folded(&all), [("W0106", 4, 2)]);
    }

    #[test]
    fn a_missing_barrier_is_a_mistake_of_its_own_beside_an_index_past_the_end() {
        let outside = found("W0106", 4, "reads `counts[255]`, but `counts` has 255 elements");
        for race in [
            "updates atomically `counts[3]`, which thread 0 writes too",
            "reads `counts[3]`, which thread 0 writes too",
            "writes `counts[3]`, which thread 0 reads too",
        ] {
            assert_eq!(
                folded(&[outside.clone(), found("W0307", 6, race)]),
                [("W0106", 4, 0), ("W0307", 6, 0)]
            );
        }
    }

    #[test]
    fn a_copy_of_a_part_comes_before_what_is_computed_from_the_rest() {
        let mut all = [
            found("W0207", 74, "argument 3 of `k` is undefined"),
            found("W0201", 71, "it comes from `counts`, of which line 68 fills only 256 of 1024 bytes"),
        ];
        all[0].thread = None;
        assert_eq!(folded(&all), [("W0201", 71, 1)]);
        all[1].message = "it comes from a local variable or array".to_owned();
        assert_eq!(folded(&all).len(), 2);
    }

    #[test]
    fn a_variable_without_an_index_is_known_by_its_name() {
        let all = [found("W0203", 7, "it comes from `low`"), found("W0307", 5, "writes `low`")];
        assert_eq!(folded(&all), [("W0307", 5, 1)]);
    }

    #[test]
    fn a_race_of_warps_comes_before_that_of_lanes_and_a_note_explains_nothing() {
        let all = [
            found("W0306", 5, "writes `bins[1]`"),
            found("W0304", 5, "writes `bins[1]`"),
            found("W0302", 5, "reads `bins[4]`"),
        ];
        assert_eq!(folded(&all), [("W0302", 5, 2)]);
        assert_eq!(folded(&all[..1]), [("W0306", 5, 0)]);
    }

    #[test]
    fn one_barrier_is_one_finding_and_two_barriers_are_two() {
        let between = |first: u32, last: u32| {
            let mut race = found("W0307", first, "writes `counts[3]`");
            race.labels = vec![Label { file: "a.cu".into(), line: last, column: 1, text: String::new() }];
            race
        };
        assert_eq!(folded(&[between(10, 18), between(19, 10)]), [("W0307", 10, 1)]);
        assert_eq!(folded(&[between(5, 7), between(9, 7)]), [("W0307", 5, 0), ("W0307", 9, 0)]);
    }

    #[test]
    fn faults_of_different_kernels_are_different() {
        let mut other = found("W0203", 20, "from `counts[3]`");
        other.thread = Some(Thread { kernel: "other".to_owned(), block: [0; 3], thread: [0; 3] });
        assert_eq!(folded(&[found("W0203", 6, "from `counts[3]`"), other]).len(), 2);
    }

    #[test]
    fn the_order_puts_roots_before_effects_and_loses_nothing() {
        let mut all = vec![
            found("W0304", 3, "writes `a[1]`"),
            found("W0203", 7, "it comes from `counts[3]`"),
            found("W0307", 5, "writes `counts[3]`"),
        ];
        order(&mut all);
        let codes: Vec<&str> = all.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["W0307", "W0203", "W0304"]);
    }
}
