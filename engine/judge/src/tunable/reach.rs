//! Which names of a file a task's host function reaches: through its own text, the functions that it names, and so on.
//!
//! By the text alone, and generous: a name that two things share reaches both. What is not understood (macros, namespaces) counts as
//! reached.

use std::collections::BTreeSet;

/// Calls one below the other that are followed; in a file with more of them, everything is reached.
const MOST_ROUNDS: usize = 50;

/// A declaration or definition at the top of a file.
struct Piece<'a> {
    /// Names that it may define.
    defines: BTreeSet<&'a str>,
    /// All its names.
    names: BTreeSet<&'a str>,
    /// Whether everything reaches it.
    always: bool,
    /// Where it ends, in bytes from the start of the file.
    end: usize,
}

/// Whether the host function `task` reaches a constant of this name and place: one inside a function is not one of the same name in another.
pub fn reaches(text: &str, task: &str, name: &str, place: usize) -> bool {
    let (names, pieces) = (reached(text, task), pieces(text));
    let Some(piece) = pieces.iter().find(|piece| place < piece.end) else { return names.contains(name) };
    let own = |defined: &&str| *defined == task || *defined == name || names.contains(*defined);
    names.contains(name) && (piece.always || piece.defines.iter().any(own))
}

/// The names that the host function `task` reaches.
pub fn reached<'a>(text: &'a str, task: &str) -> BTreeSet<&'a str> {
    let pieces = pieces(text);
    let roots = |piece: &&Piece<'_>| piece.always || piece.defines.contains(task);
    let mut reached: BTreeSet<&str> =
        pieces.iter().filter(roots).flat_map(|piece| &piece.names).copied().collect();
    for _ in 0..MOST_ROUNDS {
        let used = pieces.iter().filter(|piece| !piece.defines.is_disjoint(&reached));
        let next: BTreeSet<&str> =
            used.flat_map(|piece| &piece.names).copied().chain(reached.iter().copied()).collect();
        if next.len() == reached.len() {
            return reached;
        }
        reached = next;
    }
    pieces.into_iter().flat_map(|piece| piece.names).collect()
}

/// The text with blanks for what the host function `task` does not reach, line by line: other functions say nothing about it.
pub fn of_task(text: &str, task: &str) -> String {
    let names = reached(text, task);
    let own = |piece: &Piece<'_>| {
        piece.always || piece.defines.iter().any(|defined| *defined == task || names.contains(defined))
    };
    if pieces(text).iter().any(|piece| piece.defines.contains(task)) {
        with_blanks(text, &own)
    } else {
        text.to_owned()
    }
}

/// The same for each function, or other piece, of the text alone.
pub fn one_by_one(text: &str) -> impl Iterator<Item = String> {
    let ends: Vec<usize> = pieces(text).iter().map(|piece| piece.end).collect();
    ends.into_iter().map(move |end| with_blanks(text, &|piece| piece.end == end))
}

fn with_blanks(text: &str, stays: &dyn Fn(&Piece<'_>) -> bool) -> String {
    let (mut left, mut start) = (String::with_capacity(text.len()), 0);
    for piece in pieces(text) {
        let part = &text[start..piece.end];
        start = piece.end;
        if stays(&piece) {
            left += part;
        } else {
            left.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' }));
        }
    }
    left + &text[start..]
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<&str> = Vec::new();
    let mut depth = 0_usize;
    let (mut line_ends, mut skips) = (0, false);
    for (at, token) in kernels::tokens_at(text) {
        if at >= line_ends {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            line_ends = text[at..].find('\n').map_or(text.len(), |end| at + end);
            // Directives that only bring in other text are no part of what follows.
            let start = text[line..].trim_start();
            skips = ["#include", "#pragma"].iter().any(|directive| start.starts_with(directive));
        }
        if skips {
            continue;
        }
        piece.push(token);
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(token, ";" | "}") {
            pieces.push(Piece { end: at + token.len(), ..taken_apart(&std::mem::take(&mut piece)) });
        }
    }
    pieces
}

fn taken_apart<'a>(tokens: &[&'a str]) -> Piece<'a> {
    let is_name = |token: &&str| token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let header = tokens.iter().position(|token| *token == "{").map_or(tokens.len(), |brace| brace + 1);
    let before = |next: &str| matches!(next, "(" | "{" | "=" | "[" | ";" | ":");
    let mut depth = 0_i32;
    // Names in parentheses are those of parameters and their types.
    let outside = tokens[..header].windows(2).filter(|pair| {
        let inside = depth > 0;
        depth += i32::from(pair[0] == "(") - i32::from(pair[0] == ")");
        !inside
    });
    let pairs = outside.filter(|pair| is_name(&pair[0]) && before(pair[1]));
    // `__launch_bounds__(256)` and its like stand before a name, and are none.
    let is_own = |name: &&str| *name != "static_assert" && *name != "alignas" && !name.starts_with("__");
    let defines = pairs.map(|pair| pair[0]).filter(is_own).collect();
    let always = tokens.contains(&"#") || matches!(tokens.first(), Some(&("namespace" | "extern")));
    Piece { defines, names: tokens.iter().copied().filter(is_name).collect(), always, end: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "#include \"workbook.cuh\"
constexpr int block_size = 256;  // tune: 128 256
constexpr int gray_block = 256;  // tune: 128 256, unlike block_size
static_assert(block_size % 32 == 0 && gray_block % 32 == 0, \"warps\");
constexpr int per_thread = 4;
template <int n = 2> __device__ int twice(int v) { return n * per_thread * v; }
__global__ void __launch_bounds__(block_size) one(int* out) { uint4 v; out[threadIdx.x] = twice(1); }
__device__ void four(uint4 (*out)[gray_block]) {}
__global__ void __launch_bounds__(gray_block) two(int* out) { uint4 v; out[0] = 1; }
void first(int* out) { one<<<1, block_size>>>(out); }
void second(int* out) { two<<<1, gray_block>>>(out); }
";

    #[test]
    fn a_task_reaches_what_its_kernels_use_and_no_other_constants() {
        let constants = |task: &str| {
            let names = reached(FILE, task);
            ["block_size", "gray_block", "per_thread"].map(|name| names.contains(name))
        };
        assert_eq!(constants("first"), [true, false, true]);
        assert_eq!(constants("second"), [false, true, false]);
    }

    #[test]
    fn other_functions_are_blank() {
        let first = of_task(FILE, "first");
        assert_eq!(first.lines().count(), FILE.lines().count());
        assert!(first.contains("twice(1)") && first.contains("void first(") && !first.contains("two<<<"));
        assert_eq!(of_task(FILE, "third"), FILE);
        let alone: Vec<String> = one_by_one("int f() {}\nint g() {}").collect();
        assert_eq!(alone, ["int f() {}\n          ", "          \nint g() {}"]);
    }

    #[test]
    fn a_constant_in_a_function_is_not_one_of_the_same_name_in_another() {
        let file = "constexpr int side = 4;\nvoid first() {\n    constexpr int size = 2;\n}\nvoid second() {\n    constexpr int size = side;\n}\n";
        let place = |text: &str| file.find(text).expect("in the file");
        let of =
            |task: &str| [place("size = 2"), place("size = side")].map(|at| reaches(file, task, "size", at));
        assert_eq!((of("first"), of("second")), ([true, false], [false, true]));
        assert_eq!(
            ["first", "second"].map(|task| reaches(file, task, "side", place("side = 4"))),
            [false, true]
        );
    }

    #[test]
    fn what_is_not_understood_counts_as_reached() {
        let file = "#define SIZE block_size\nint unused;\nvoid task() {}\n";
        assert!(reached(file, "task").contains("block_size"));
        assert!(reached("namespace a { int b() { return c; } }\nvoid task() {}\n", "task").contains("c"));
    }
}
