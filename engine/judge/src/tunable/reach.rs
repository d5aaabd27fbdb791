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

/// What the host function of a task reaches.
pub struct Reach<'a> {
    task: &'a str,
    pieces: Vec<Piece<'a>>,
    names: BTreeSet<&'a str>,
}

impl<'a> Reach<'a> {
    /// What the host function `task` reaches in a file.
    pub fn of(text: &'a str, task: &'a str) -> Self {
        let pieces = pieces(text);
        Self { task, names: names(&pieces, task), pieces }
    }

    /// Whether a constant of this name and place is reached: one inside a function is not one of the same name in another.
    pub fn has(&self, name: &str, place: usize) -> bool {
        let at = self.pieces.partition_point(|piece| piece.end <= place);
        let of_name = |piece: &Piece<'_>| piece.defines.contains(name);
        self.names.contains(name)
            && self.pieces.get(at).is_none_or(|piece| of_name(piece) || self.is_reached(piece))
    }

    fn is_reached(&self, piece: &Piece<'_>) -> bool {
        let own = |defined: &&str| *defined == self.task || self.names.contains(*defined);
        piece.always || piece.defines.iter().any(own)
    }
}

/// The names that the host function `task` reaches.
pub fn reached<'a>(text: &'a str, task: &str) -> BTreeSet<&'a str> {
    names(&pieces(text), task)
}

fn names<'a>(pieces: &[Piece<'a>], task: &str) -> BTreeSet<&'a str> {
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
    pieces.iter().flat_map(|piece| &piece.names).copied().collect()
}

/// The text with blanks for what the host function `task` does not reach, line by line: other functions say nothing about it.
pub fn of_task(text: &str, task: &str) -> String {
    let reach = Reach::of(text, task);
    if !reach.pieces.iter().any(|piece| piece.defines.contains(task)) {
        return text.to_owned();
    }
    let (mut left, mut start) = (String::with_capacity(text.len()), 0);
    for piece in &reach.pieces {
        let part = &text[start..piece.end];
        start = piece.end;
        if reach.is_reached(piece) {
            left += part;
        } else {
            left.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' }));
        }
    }
    left + &text[start..]
}

/// Each function, or other piece, of the text, and the number of the line in which the one before ends.
pub fn one_by_one(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let (mut start, mut line) = (0, 1);
    pieces(text).into_iter().map(move |piece| {
        let (part, first) = (&text[start..piece.end], line);
        start = piece.end;
        line += part.matches('\n').count() as u32;
        (first, part)
    })
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
        let alone: Vec<(u32, &str)> = one_by_one("int f() {}\n\nint g() {}int h;").collect();
        assert_eq!(alone, [(1, "int f() {}"), (1, "\n\nint g() {}"), (3, "int h;")]);
    }

    #[test]
    fn a_constant_in_a_function_is_not_one_of_the_same_name_in_another() {
        let file = "constexpr int side = 4;\nvoid first() {\n    constexpr int size = 2;\n}\nvoid second() {\n    constexpr int size = side;\n}\n";
        let place = |text: &str| file.find(text).expect("in the file");
        let of = |task: &str| {
            [place("size = 2"), place("size = side")].map(|at| Reach::of(file, task).has("size", at))
        };
        assert_eq!((of("first"), of("second")), ([true, false], [false, true]));
        assert_eq!(
            ["first", "second"].map(|task| Reach::of(file, task).has("side", place("side = 4"))),
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
