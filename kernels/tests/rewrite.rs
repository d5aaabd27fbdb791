//! Launch rewriting: every shape of launch, what only looks like one, and what is refused with which words.

use kernels::{rewrite_launches, source_column, unclosed_brace};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

/// Each launch and what it becomes, `P(` and `C(` standing for the names of the shim.
const LAUNCHES: &[(&str, &str)] = &[
    ("k<<<1, 2>>>(a);", " P(k, C(1, 2))(a);"),
    ("k<<<g,b,s,st>>>();", " P(k, C(g,b,s,st))();"),
    ("k <<< g , b >>> ( a )", " P(k , C( g , b )) ( a )"),
    ("if (n) k<<<1, 2>>>(a); else k<<<3, 4>>>(b);", "if (n)  P(k, C(1, 2))(a); else  P(k, C(3, 4))(b);"),
    // The kernel.
    ("ns::k<<<1, 2>>>()", " P(ns::k, C(1, 2))()"),
    ("return ::k<<<1, 2>>>()", "return  P(::k, C(1, 2))()"),
    ("case 1:k<<<1, 2>>>()", "case 1: P(k, C(1, 2))()"),
    ("k<3><<<1, 2>>>()", " P(k<3>, C(1, 2))()"),
    ("k<A, (1>2)><<<1, 2>>>()", " P(k<A, (1>2)>, C(1, 2))()"),
    ("k<std::foo<int>><<<1, 2>>>()", " P(k<std::foo<int>>, C(1, 2))()"),
    ("k<a<b<c>>><<<1, 2>>>()", " P(k<a<b<c>>>, C(1, 2))()"),
    ("k<1 << 2, p->q, (x >= 3)><<<1, 2>>>()", " P(k<1 << 2, p->q, (x >= 3)>, C(1, 2))()"),
    ("k<n >= 3, n <= 4><<<1, 2>>>()", " P(k<n >= 3, n <= 4>, C(1, 2))()"),
    ("a<int>::k<<<1, 2>>>()", " P(a<int>::k, C(1, 2))()"),
    ("T::template k<3><<<1, 2>>>()", " P(T::template k<3>, C(1, 2))()"),
    ("x = table[i + f(2)].kernel<<<1, 2>>>()", "x =  P(table[i + f(2)].kernel, C(1, 2))()"),
    ("this->k<<<1, 2>>>()", " P(this->k, C(1, 2))()"),
    ("if (a) (*k)<<<1, 2>>>()", "if (a)  P((*k), C(1, 2))()"),
    ("pick(3)<<<1, 2>>>()", " P(pick(3), C(1, 2))()"),
    // Annotations of lambdas, which NVRTC does not take.
    ("f([=] __device__ (int i) {}); k<<<1, 2>>>()", "f([=]  (int i) {});  P(k, C(1, 2))()"),
    ("[&]__host__ __device__(int i) {}", "[&] (int i) {}"),
    ("[[nodiscard]] __device__ int f();", "[[nodiscard]] __device__ int f();"),
    // The configuration.
    ("k<<<dim3(1, 2), dim3{3, 4}>>>()", " P(k, C(dim3(1, 2), dim3{3, 4}))()"),
    ("k<<<n >> 8, a[1 > 2] << 1>>>()", " P(k, C(n >> 8, a[1 > 2] << 1))()"),
    ("k<<<(n >>> 2), 3>>>()", " P(k, C((n >>> 2), 3))()"),
    ("k<<<f<a, b, c, d, e>(1), g<x<y<z>>>::v>>>()", " P(k, C(f<a, b, c, d, e>(1), g<x<y<z>>>::v))()"),
    ("k<<<1, size<int>>>>(a)", " P(k, C(1, size<int>))(a)"),
    (
        "k<<<[&]{ int a, b, c, d, e; return 1; }(), 2>>>()",
        " P(k, C([&]{ int a, b, c, d, e; return 1; }(), 2))()",
    ),
    // Launches within launches.
    ("k<<<1, 2>>>(f([]{ j<<<3, 4>>>(); }))", " P(k, C(1, 2))(f([]{  P(j, C(3, 4))(); }))"),
    // Over several lines, with comments between.
    (
        "k // one\n<<<1, /* >>> */ 2\n>>>\n// two\n(a,\n b);",
        " P(k // one\n, C(1, /* >>> */ 2\n))\n// two\n(a,\n b);",
    ),
    ("k<<<1,\r\n2>>>(\r\na);\r\n", " P(k, C(1,\r\n2))(\r\na);\r\n"),
    ("k<<<1, 2>>>(\n#ifdef A\na\n#else\nb\n#endif\n);", " P(k, C(1, 2))(\n#ifdef A\na\n#else\nb\n#endif\n);"),
    // In macros: the arguments may come with the use, the settings from another macro.
    ("#define RUN(k, n) k<<<(n) / 2, \\\n  2>>>(x)\n", "#define RUN(k, n)  P(k, C((n) / 2, \\\n  2))(x)\n"),
    ("#define L(k) k##_kernel<<<1, 2>>>\nL(a)(x);", "#define L(k)  P(k##_kernel, C(1, 2))\nL(a)(x);"),
    ("#define L(k, ...) k<<<1, 2>>>(__VA_ARGS__)", "#define L(k, ...)  P(k, C(1, 2))(__VA_ARGS__)"),
    ("#define L k<<<1, 2>>>ARGS", "#define L  P(k, C(1, 2))ARGS"),
    ("#define SHAPE 1, 2\nk<<<SHAPE>>>()", "#define SHAPE 1, 2\n P(k, C(SHAPE))()"),
    ("#define ARGS (1, 2)\nk<<<1, 2>>>ARGS;", "#define ARGS (1, 2)\n P(k, C(1, 2))ARGS;"),
    ("#define L(s) k<<<s>>>(0)", "#define L(s)  P(k, C(s))(0)"),
    // After things that a lexer may stumble over.
    ("int a = 1'000; k<<<1, 2>>>()", "int a = 1'000;  P(k, C(1, 2))()"),
    ("'\"'; k<<<1, 2>>>(); '\\''; k<<<1, 2>>>()", "'\"';  P(k, C(1, 2))(); '\\'';  P(k, C(1, 2))()"),
    ("R\"x( \" )\" )x\"; k<<<1, 2>>>()", "R\"x( \" )\" )x\";  P(k, C(1, 2))()"),
    ("#error don't\nk<<<1, 2>>>()", "#error don't\n P(k, C(1, 2))()"),
    ("#if 0\nk<<<\n#else\nk<<<1, 2>>>();\n#endif", "#if 0\nk<<<\n#else\n P(k, C(1, 2))();\n#endif"),
    ("größe<<<1, 2>>>(ä)", " P(größe, C(1, 2))(ä)"),
    ("0x1e+k<<<1, 2>>>()", "0x1e+ P(k, C(1, 2))()"),
    // A body that is a `try`; what ends within the function stays.
    (
        "int f() noexcept try { g({1}); } catch (int e) { throw; } catch (...) { }\nint x;",
        "int f() noexcept { try { g({1}); } catch (int e) { ::workbook::rethrow(); } catch (const ::workbook::NeverThrown& \
         workbook_caught) { } }\nint x;",
    ),
    ("void f() { try { } catch (int) { } }", "void f() { try { } catch (int) { } }"),
];

/// Text in which `<<<` does not start a launch.
const NO_LAUNCHES: &[&str] = &[
    "",
    "int a = 1 << 2, b = a >> 3; c <<= 1; a < b; std::vector<std::vector<std::vector<int>>> v;",
    "// k<<<1, 2>>>()\n/* k<<< */ \"k<<<1\" '<<<' R\"(k<<<1)\" u8R\"ab(<<<)ab\"",
    "// spliced \\\nk<<<1, \n",
    "\"a\\\"k<<<\" \"spliced \\\n <<<\"",
    "#if 0\nk<<<1>>>(\n#if 1\nk<<<\n#endif\n#endif\n",
    "#if 1\n#elif X\nk<<<\n#else\nk<<<\n#endif\n",
    "#error a <<< b\n#pragma omp <<<\n",
    "s.operator<<<int>(x);",
    "k<< <1, 2>>>(x)",
];

/// Line and column of a refused launch, and a part of what is said.
const REFUSED: &[(&str, u32, u32, &str)] = &[
    ("\n  k<<<1>>>(x);", 2, 4, "the launch of `k` has only one setting between"),
    ("k<<<>>>(x);", 1, 2, "has no settings between"),
    ("k<<<1, 2, 3, 4, 5>>>(x);", 1, 2, "has more than four settings between"),
    (
        "ns::k<int, 3><<<1, 2>>>;",
        1,
        14,
        "the launch of `ns::k<int, 3>` has no argument list: write `(…)` after `>>>`",
    ),
    ("k<<<1, 2>>> x;", 1, 2, "has no argument list"),
    ("k<<<1, 2>>(x);", 1, 2, "has no `>>>`: write `k<<<blocks, threads_per_block>>>(arguments)`"),
    ("k<<<1, 2(x);", 1, 2, "has no `>>>`"),
    ("f(k<<<1, 2);", 1, 4, "has no `>>>`"),
    ("k<<<1, 2", 1, 2, "has no `>>>`"),
    ("k<<<1, j<<<1, 2>>>();", 1, 2, "has no `>>>`"),
    ("x = <<<1, 2>>>(y);", 1, 5, "there is no kernel before `<<<`: write `kernel<<<blocks"),
    ("3<<<1, 2>>>(y);", 1, 2, "there is no kernel before"),
    ("return <<<1, 2>>>(y);", 1, 8, "there is no kernel before"),
    ("k<<<<1, 2>>>(y);", 1, 2, "`<<<<` does not start a launch"),
    ("a;\n<<<<<<< HEAD\nb;", 2, 1, "merge conflict"),
    ("#define A <<<1, 2>>>\nk A (x);", 1, 11, "there is no kernel before `<<<` in this macro"),
    ("#define A(k) k<<<1,\n2>>>(x)", 1, 15, "in this macro has no `>>>`"),
    ("ä /* never\n closed", 1, 3, "comment is never closed"),
    ("R\"x(never closed)\"", 1, 1, "raw string is never closed"),
];

#[test]
fn launches_become_calls() {
    for (source, expected) in LAUNCHES {
        let expected =
            expected.replace("P(", "::workbook::prepare(").replace("C(", "::workbook::configuration(");
        assert_eq!(rewrite_launches(source).as_ref(), Ok(&expected), "{source}");
    }
}

#[test]
fn other_text_stays() {
    for source in NO_LAUNCHES {
        assert_eq!(rewrite_launches(source).as_deref(), Ok(*source));
    }
}

#[test]
fn refusals_say_where_and_what_to_write() {
    for (source, line, column, part) in REFUSED {
        let error = rewrite_launches(source).expect_err(source);
        assert_eq!((error.line, error.column), (*line, *column), "{source}: {error}");
        assert!(error.message.contains(part), "{source}: {error}");
    }
}

/// Every character that the rewriting leaves alone is found again in its column.
#[test]
fn columns_lead_back_to_the_source() {
    let source = "ä;\n  ä; K<<<X, Y>>>(Z); Q<2><<<U, V>>>(W);\nend";
    let rewritten = rewrite_launches(source).expect("two launches");
    let column = |text: &str, mark: char| {
        let line = text.lines().nth(1).expect("a second line");
        line.chars().position(|c| c == mark).expect("kept") as u32 + 1
    };
    for mark in "äKXYZQ2UVW".chars() {
        assert_eq!(source_column(source, 2, column(&rewritten, mark)), column(source, mark), "{mark}");
    }
    assert_eq!(source_column(source, 3, 2), 2);
    // Inside inserted text: the place where it was inserted.
    assert_eq!(source_column(source, 2, 10), 6);
}

#[test]
fn an_unclosed_brace_is_found_where_it_is_certain() {
    let cases = [
        ("void f() {\n  if (a) {\n}\nvoid g() { }", Some((1, 10))),
        ("void f() { } // {\nvoid g() { '{'; \"{\";", Some((2, 10))),
        ("void f() { }", None),
        ("void f() { } }", None),
        ("#define BEGIN {\nvoid f() BEGIN }", None),
        ("#define END }\nvoid f() { END", None),
        ("#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}", None),
        ("void f() {\n#ifdef A\nif (a) {\n#endif\n}", None),
        ("#ifdef A\nvoid f() { }\n#endif\nvoid g() {", Some((4, 10))),
        ("#if 0\n{\n#endif", None),
    ];
    for (source, expected) in cases {
        let found = unclosed_brace(source).map(|error| (error.line, error.column));
        assert_eq!(found, expected, "{source}");
    }
}

/// Text out of the pieces that the lexer and the rewriter tell apart.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "k",
        "<<<",
        ">>>",
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        ":",
        "::",
        "->",
        ".",
        "#",
        "##",
        "\n",
        "\\\n",
        "\r\n",
        " ",
        "\"",
        "'",
        "//",
        "/*",
        "*/",
        "R\"(",
        ")\"",
        "#define A ",
        "#if 0\n",
        "#else\n",
        "#endif\n",
        "1'0",
        "0x1p+",
        "operator",
        "template",
        "return",
        "ä",
        "\\",
        "\u{feff}",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Never a panic; the lines stay; only `<<<` and `>>>` go, and only what the shim needs comes.
    #[test]
    fn any_text_keeps_its_lines(source in prop_oneof![pieces(), any::<String>()]) {
        if let Ok(rewritten) = rewrite_launches(&source) {
            prop_assert_eq!(rewritten.matches('\n').count(), source.matches('\n').count());
            let launches = rewritten.matches(" ::workbook::prepare(").count() - source.matches(" ::workbook::prepare(").count();
            let added = (" ::workbook::prepare(".len() + ", ::workbook::configuration(".len() + "))".len() - 6) * launches;
            prop_assert_eq!(rewritten.len(), source.len() + added);
            if launches == 0 {
                prop_assert_eq!(rewritten, source);
            }
        }
    }

    /// A launch is found behind any whole line of other code.
    #[test]
    fn a_launch_is_found_behind_other_code(index in 0..LAUNCHES.len()) {
        let (before, _) = LAUNCHES[index];
        let source = format!("{before}\n;\nk<<<1, 2>>>(x);");
        let rewritten = rewrite_launches(&source).expect(before);
        let last = rewritten.lines().last();
        prop_assert_eq!(last, Some(" ::workbook::prepare(k, ::workbook::configuration(1, 2))(x);"));
    }
}
