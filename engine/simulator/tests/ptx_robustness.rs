//! No text makes the parser panic, loop or crawl.

use proptest::prelude::*;
use proptest::sample::Index;
use simulator::ptx::parse;

const SAMPLES: [&str; 7] = [
    include_str!("ptx/assembly.ptx"),
    include_str!("ptx/blocks.ptx"),
    include_str!("ptx/calls.ptx"),
    include_str!("ptx/debug.ptx"),
    include_str!("ptx/initializers.ptx"),
    include_str!("ptx/inlining.ptx"),
    include_str!("ptx/textures.ptx"),
];

/// Pieces that steer the parser deep into its grammar.
const PIECES: [&str; 45] = [
    ".entry k",
    ".func",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ";",
    ":",
    "=",
    "+",
    "-",
    "~",
    "!",
    "@",
    "|",
    "_",
    ".reg .b32 a;",
    ".reg .pred %p<3>;",
    ".param .b32 a",
    ".global .u8 a[2]",
    ".v4",
    ".align 8",
    "=",
    "{{1}",
    "a:",
    ".branchtargets",
    ".callprototype",
    ".loc 1 2 3",
    ", inlined_at 1 2 3",
    "generic(",
    "0xFF(",
    "%tid.x",
    "0f3F800000",
    "1.5",
    "18446744073709551615",
    "\"",
    "/*",
    "//",
    "\n",
    "ld.u32",
];

#[derive(Debug, Clone)]
enum Edit {
    Delete(Index, Index),
    Insert(Index, usize),
    Overwrite(Index, u8),
    Repeat(Index, Index),
    Truncate(Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = any::<Index>;
    let edit = prop_oneof![
        (at(), at()).prop_map(|(from, to)| Edit::Delete(from, to)),
        (at(), 0..PIECES.len()).prop_map(|(place, piece)| Edit::Insert(place, piece)),
        (at(), any::<u8>()).prop_map(|(place, byte)| Edit::Overwrite(place, byte)),
        (at(), at()).prop_map(|(from, to)| Edit::Repeat(from, to)),
        at().prop_map(Edit::Truncate),
    ];
    prop::collection::vec(edit, 1..6)
}

fn edited(sample: &str, edits: &[Edit]) -> String {
    let mut bytes = sample.as_bytes().to_vec();
    for edit in edits {
        let length = bytes.len() + 1;
        // Short spans, so that several edits leave something to parse.
        let span = |from: &Index, to: &Index| {
            let start = from.index(length);
            start..(start + to.index(60)).min(length - 1)
        };
        match edit {
            Edit::Delete(from, to) => drop(bytes.drain(span(from, to))),
            Edit::Insert(place, piece) => {
                let place = place.index(length);
                bytes.splice(place..place, PIECES[*piece].bytes());
            }
            Edit::Overwrite(place, byte) => {
                if let Some(slot) = bytes.get_mut(place.index(length)) {
                    *slot = *byte;
                }
            }
            Edit::Repeat(from, to) => {
                let range = span(from, to);
                let copy = bytes[range.clone()].to_vec();
                bytes.splice(range.end..range.end, copy);
            }
            Edit::Truncate(place) => bytes.truncate(place.index(length)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Parses; whatever comes of it, an error must name a line of the text.
fn survives(text: &str) {
    if let Err(error) = parse(text) {
        let lines = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
        assert!((1..=lines).contains(&(error.line as usize)), "{error}");
        assert!(error.message.starts_with("expected ") && error.message.contains(", found "), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_pieces(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        let words: Vec<&str> = pieces.iter().map(|&piece| PIECES[piece]).collect();
        survives(&words.join(" "));
        survives(&format!(".entry k {{ {}", words.join(" ")));
        survives(&format!(".global .u8 a[3][2] = {}", words.join(" ")));
    }

    #[test]
    fn edited_samples(sample in 0..SAMPLES.len(), edits in edits()) {
        survives(&edited(SAMPLES[sample], &edits));
    }
}

/// Texts of a megabyte: a quadratic parser would take hours and a recursive one overflow its stack.
#[test]
fn long_texts_end() {
    let repeated = |head: &str, piece: &str, tail: &str| {
        format!("{head}{}{tail}", piece.repeat(1_000_000 / piece.len()))
    };
    let numbered = |head: &str, piece: &dyn Fn(usize) -> String, tail: &str| {
        let lines: Vec<String> = (1..40_000).map(piece).collect();
        format!("{head}{}{tail}", lines.join("\n"))
    };
    let nest = "{".repeat(200);
    let texts = [
        repeated(".entry k ", "{", ""),
        repeated(".entry k {", "{}", "}"),
        repeated(&format!(".entry k {nest}"), "bra a;", &"}".repeat(200)),
        repeated(&format!(".entry k {{ .reg .b32 a; {nest}"), "add a, a, a;", &"}".repeat(200)),
        repeated(".entry k {", ".loc 1 2 3, inlined_at 1 2 3\n", "}"),
        repeated(".entry k { mov a, ", "-", "1; }"),
        repeated(".entry k { mov a, ", "{", ""),
        repeated(".global .b8 a[9][9] = ", "{", ""),
        repeated(".global .b8 a[] = {", "1,", "};"),
        repeated(".section .debug_str ", "{", ""),
        repeated("", "/* * /", ""),
        repeated("", "\"", ""),
        numbered(".entry k {", &|i| format!(".loc 1 {} 0, inlined_at 1 {i} 0", i + 1), "ret; }"),
        numbered(".entry k {", &|i| format!(".reg .b32 %r{i}; {{ .reg .b32 %r{i}; L{i}: bra L{i}; }}"), "}"),
        numbered("", &|i| format!(".func f{i} {{ .loc 1 {i} 0\nret; }}"), ""),
    ];
    for text in texts {
        survives(&text);
    }
}
