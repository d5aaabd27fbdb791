//! Arrays of a thread and of structures past whose end a kernel certainly goes. The compiler keeps the ones in registers, and in memory the
//! others have their neighbours right behind them, so that no access shows it: indices are worked out from the text.
//!
//! A finding of this kind fails a file whose outputs are right. So whatever is not certain is left out: names that are declared twice,
//! conditions that are not known, loops that may end early.

use runtime::finding::{Finding, Kind, Severity};

use super::code::{function_of, has, is_part, last_name, numbered_lines, places, value};
use super::elements::in_brackets;
use super::expression::{Expression, parsed};
use super::host_arrays::{LAST, NO_ELEMENT};
use super::missed::indices;
use super::walk::{Thread, Way};
use crate::submission::Submission;

/// Accesses that are looked at, and threads of a block.
const MOST: usize = 256;
const THREADS: i64 = 1024;

/// Words after which a round, or a thread, may not come to a line.
const LEAVES: [&str; 5] = ["break", "continue", "goto", "return", "switch"];

/// The first such access of the kernels that a task launches.
pub fn found(submission: &Submission, task: &str) -> Option<Finding> {
    let text = submission.text.as_str();
    brackets(text).take(MOST).find_map(|(number, line, at)| {
        let way = |column| Way::to(text, task, number, column);
        let access = Access::of(text, text, (number, line, at), way)?;
        let values = access.outside()?;
        let element = in_brackets(&values);
        let sides: Vec<String> = access.sides.iter().map(i64::to_string).collect();
        let name = access.name;
        let beside = if access.is_member { "the structure's other members" } else { "other variables" };
        let message = format!(
            "`{name}{element}` is used here, but `{name}` has {} elements: {beside} lie next to it, or the compiler leaves the access out",
            sides.join(" × ")
        );
        let hint = "find the index that is too large for the size in the declaration, or negative: is the bound of its loop one too far?";
        let column = line[..access.column].chars().count() as u32 + 1;
        let finding = Finding::new("W0107", Kind::Memory, Severity::Error, message, hint);
        Some(finding.at(&submission.name, number, column))
    })
}

/// The first such access of a function of the host to an array of its own: the line, what is used, and why it is not there. What lies behind
/// the array is another variable of the host, which may hold a value.
pub fn in_host(text: &str) -> Option<(u32, String, String)> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    brackets(text).take(MOST).find_map(|(number, line, at)| {
        let (first, _) = function_of(&lines, number)?;
        // An array of the same name in another function is another one.
        let scope: String = lines
            .iter()
            .take_while(|(at, line)| *at <= number || !line.starts_with('}'))
            .map(|(at, line)| if *at < first { "\n".to_owned() } else { format!("{line}\n") })
            .collect();
        let access =
            Access::of(text, &scope, (number, line, at), |column| Way::in_host(text, number, column))?;
        let returns = access.way.kernel.iter().any(|(at, line)| *at <= number && has(line, "return"));
        let (name, [elements]) = (access.name, access.sides.as_slice()) else { return None };
        let values = access.outside().filter(|_| !returns && !access.is_member)?;
        let what = format!("`{name}{}`{NO_ELEMENT}", in_brackets(&values));
        let last = elements - 1;
        let index = &line[at + 1..].split_once(']')?.0.trim();
        let reached = values.iter().map(i64::to_string).collect::<String>();
        let comes = if *index == reached {
            String::new()
        } else {
            format!(", but in line {number}, `{index}` comes to {reached}")
        };
        let why = format!(
            "line {} declares `{name}` with {elements}{LAST}`{name}[{last}]`{comes}",
            access.declared
        );
        Some((number, what, why))
    })
}

/// All brackets that open in a text, with their lines; none where it is not known which lines count.
fn brackets(text: &str) -> impl Iterator<Item = (u32, &str, usize)> {
    let known = !["#if", "/*", "union", "asm"].iter().any(|word| text.contains(word));
    numbered_lines(text).filter(move |_| known).flat_map(|(number, line)| {
        line.match_indices('[').map(move |(at, _)| (number, line, at)).collect::<Vec<_>>()
    })
}

/// An access to an array whose size is known.
struct Access<'a> {
    way: Way<'a>,
    name: &'a str,
    is_member: bool,
    sides: Vec<i64>,
    indices: Vec<Expression>,
    line: u32,
    column: usize,
    declared: u32,
}

impl<'a> Access<'a> {
    /// The access at this bracket. `scope` is the text in which the array is declared, with the lines of `text`; `way` leads to the column.
    fn of(
        text: &'a str,
        scope: &str,
        (number, line, at): (u32, &'a str, usize),
        way: impl Fn(usize) -> Option<Way<'a>>,
    ) -> Option<Self> {
        let name = last_name(&line[..at]);
        let column = at - name.len();
        let before = line[..column].trim_end();
        let is_member = before.ends_with('.') || before.ends_with("->");
        let object = before.trim_end_matches(|c: char| is_part(c) || ".->".contains(c));
        // In the same statement nothing may decide whether it is reached; `&a[4]` is the end of four elements.
        let statement = object.rsplit([';', '{', '}']).next()?;
        let decides = ["?", "&&", "||", "sizeof", "decltype"].iter().any(|word| statement.contains(word));
        if name.is_empty() || decides || object.trim_end().ends_with('&') {
            return None;
        }
        let (declared, sides) = declaration(name, scope, text)?;
        let (texts, _) = indices(&line[at..])?;
        let indices: Option<Vec<Expression>> = texts.iter().map(|text| parsed(text)).collect();
        let indices = indices.filter(|indices| indices.len() == sides.len())?;
        let way = way(column)?;
        let own = way.kernel.first().is_some_and(|(first, _)| declared > *first) && declared < number;
        let fits = if is_member { in_structure(declared, text) } else { own };
        (fits && way.is_known()).then_some(Self {
            way,
            name,
            is_member,
            sides,
            indices,
            line: number,
            column,
            declared,
        })
    }

    /// The indices of the first access outside, if some thread of the first block certainly comes to it.
    fn outside(&self) -> Option<Vec<i64>> {
        let first = self.way.loops().map(|of| of.line).min().unwrap_or(self.line);
        let around = self.statement_at(first);
        let leaves = around.iter().any(|(_, line)| LEAVES.iter().any(|word| has(line, word)));
        // Its head sets a counter twice.
        let steps = |name: &str, head: u32| {
            self.statement_at(head).iter().map(|(_, line)| sets(line, name)).sum::<usize>() > 2
        };
        if leaves || self.way.loops().any(|of| steps(&of.name, of.line)) {
            return None;
        }
        let of_thread = |name: &str| name.starts_with("threadIdx") || name.starts_with("blockIdx");
        let reached = self.way.guards().filter_map(|(condition, _)| condition);
        let ends = self.way.loops().flat_map(|of| [&of.begin, &of.condition, &of.step]);
        let differs = self
            .indices
            .iter()
            .chain(reached)
            .chain(ends)
            .any(|expression| self.way.depends(expression, &of_thread));
        let returns = self.way.kernel.iter().any(|(line, text)| *line <= self.line && has(text, "return"));
        if differs && returns {
            return None;
        }
        let [x, y] = self.way.sides;
        let threads = if differs { (x * y).min(THREADS) } else { 1 };
        (0..threads).find_map(|thread| {
            let thread = Thread { own: [thread % x, thread / x, 0], ..Thread::default() };
            self.outside_of(&thread)
        })
    }

    /// The lines of the kernel from this one to the end of the statement that begins there.
    fn statement_at(&self, first: u32) -> &[(u32, &'a str)] {
        let start = self.way.kernel.iter().position(|(line, _)| *line == first).unwrap_or(0);
        let mut depth = 0;
        let ends = |(_, line): &(u32, &str)| {
            depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
            depth <= 0 && line.trim_end().ends_with([';', '}'])
        };
        let end =
            self.way.kernel[start..].iter().position(ends).map_or(self.way.kernel.len(), |at| start + at + 1);
        &self.way.kernel[start..end]
    }

    fn outside_of(&self, thread: &Thread) -> Option<Vec<i64>> {
        let total: i64 = self.sides.iter().product();
        let mut found = None;
        self.way.rounds(thread, &mut |counters| {
            if self.way.is_let_through(thread, counters, None)? {
                let values: Option<Vec<i64>> =
                    self.indices.iter().map(|index| self.way.value(index, thread, counters)).collect();
                let values = values?;
                let element = values.iter().zip(&self.sides).fold(0, |at, (value, side)| at * side + value);
                if !(0..total).contains(&element) {
                    found = Some(values);
                }
            }
            Some(found.is_none())
        });
        found
    }
}

/// The line and the sides of the only declaration of an array with this name in `scope`, if nothing else may be called so there.
fn declaration(name: &str, scope: &str, text: &str) -> Option<(u32, Vec<i64>)> {
    let mut found = None;
    for (number, line) in numbered_lines(scope) {
        for at in places(line, name) {
            let (before, after) = (line[..at].trim_end(), line[at + name.len()..].trim_start());
            let word = last_name(before);
            let typed = !word.is_empty() && !["return", "case", "else", "new", "delete"].contains(&word);
            // A pointer, a reference or a template's type before the name, or another name of a list.
            let other = before.ends_with(['*', '&', '>', ','])
                && !before.ends_with("->")
                && !after.starts_with(['[', '.']);
            if other || before.trim_end().ends_with("#define") {
                return None;
            }
            if typed {
                let shared = ["__shared__", "__constant__", "__device__", "extern", "static"];
                if found.is_some() || shared.iter().any(|space| has(line, space)) {
                    return None;
                }
                let (sides, behind) = indices(after)?;
                // A parameter `int a[4]` is a pointer.
                behind.starts_with([';', '=', '{']).then_some(())?;
                let sides: Option<Vec<i64>> =
                    sides.iter().map(|side| i64::try_from(value(side, text)?).ok()).collect();
                found = Some((number, sides.filter(|sides| sides.iter().product::<i64>() > 1)?));
            }
        }
    }
    found
}

/// How often a line sets a variable.
fn sets(line: &str, name: &str) -> usize {
    let set = |at: &usize| {
        let (before, after) = (line[..*at].trim_end(), line[at + name.len()..].trim_start());
        let steps = ["++", "--", "+=", "-=", "*=", "/=", "<<=", ">>="];
        after.starts_with('=') && !after.starts_with("==")
            || steps.iter().any(|step| after.starts_with(step))
            || ["++", "--", "&"].iter().any(|step| before.ends_with(step))
    };
    places(line, name).filter(set).count()
}

/// Whether a line declares a member of a structure.
fn in_structure(line: u32, text: &str) -> bool {
    let mut open: Vec<bool> = Vec::new();
    let mut structure = false;
    for (number, text) in numbered_lines(text) {
        let inside = open.last() == Some(&true);
        structure |= has(text, "struct") || has(text, "class");
        if number == line {
            return inside || structure && text.contains('{');
        }
        for c in text.chars() {
            match c {
                '{' => open.push(std::mem::take(&mut structure)),
                '}' => drop(open.pop()),
                ';' => structure = false,
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn told(before: &str, body: &str) -> Option<String> {
        let text = format!(
            "{before}\n__global__ void k(const uint8_t* in, uint8_t* out, int n) {{\n    const int me = threadIdx.y * 32 + threadIdx.x;\n{body}\n}}\n\
             void f(const uint8_t* in, uint8_t* out, int n) {{\n    k<<<8, dim3(32, 8)>>>(in, out, n);\n}}\n"
        );
        let submission = Submission {
            shown: "f.cu".to_owned(),
            name: "f.cu".to_owned(),
            text,
            sha256: String::new(),
            untouched: false,
        };
        let finding = found(&submission, "f")?;
        Some(finding.message.split('`').nth(1).unwrap_or_default().to_owned())
    }

    #[test]
    fn accesses_past_the_end_are_told_where_they_are_certain() {
        let tile = "struct Tile {\n    uint8_t row[12][36];\n    uint8_t edge[36];\n};";
        let fill = |bound: &str| {
            format!(
                "    __shared__ Tile t;\n    for (int i = me; i < {bound}; i += 256) t.row[i / 36][i % 36] = in[i];"
            )
        };
        assert_eq!(told(tile, &fill("13 * 36")).as_deref(), Some("row[12][0]"));
        assert_eq!(told(tile, &fill("12 * 36")), None);
        let part =
            |bound: &str| format!("    int part[4];\n    for (int i = 0; i {bound}; ++i) part[i] = in[i];");
        assert_eq!(told("", &part("<= 4")).as_deref(), Some("part[4]"));
        assert_eq!(told("", &part("< 4")), None);
        assert_eq!(told("", &part("<= 4 && i < n")), None);
        let sum = "    int part[4];\n    for (int i = 3; i >= 0; --i) part[i] = part[i - 1] + in[i];";
        assert_eq!(told("", sum).as_deref(), Some("part[-1]"));
        assert_eq!(
            told("constexpr int last = 4;", "    int part[last];\n    part[last] = 1;").as_deref(),
            Some("part[4]")
        );
    }

    #[test]
    fn what_may_be_right_is_not_told() {
        for body in [
            "    int part[4];\n    for (int i = 0; i <= 4; ++i) {\n        if (i == 4) break;\n        part[i] = in[i];\n    }",
            "    int part[4];\n    for (int i = 0; i <= 4; ++i) if (i < 4) part[i] = in[i];",
            "    int part[4];\n    for (int i = 0; i <= 4; ++i) out[i] = i < 4 ? part[i] : 0;",
            "    int part[4];\n    for (int i = 0; i <= 4; ++i) if (n > i) part[i] = in[i];",
            "    int part[2][4];\n    for (int i = 0; i < 8; ++i) part[0][i] = in[i];",
            "    int part[4];\n    int* end = &part[4];",
            "    if (me >= 4) return;\n    int part[4];\n    part[me] = 1;",
            "    int part[4];\n    for (int i = 0; i <= 4; ++i) {\n        part[i] = 1;\n        i += n;\n    }",
            "    int part[4];\n    { int part[8]; part[7] = 1; }",
            "    int part[4];\n    while (n--) part[4] = 1;",
        ] {
            assert_eq!(told("", body), None, "{body}");
        }
        let parameter = "__global__ void k(\n    int part[4],\n    int n) {\n    part[4] = n;\n}\n\
                         void f(int* a) {\n    k<<<1, 32>>>(a, 1);\n}\n";
        assert_eq!(told(parameter, ""), None);
        assert_eq!(told("__device__ void g(int* part) {\n}", "    int part[4];\n    part[4] = 1;"), None);
    }
}
