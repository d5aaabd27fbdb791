//! The grammar of PTX, topic by topic: text in, syntax tree out.

use pretty_assertions::assert_eq;
use simulator::ptx::ast::{AddressBase, Ast, Body, Init, Instruction, Operand, Space, Type, Variable};
use simulator::ptx::parse;

fn module(text: &str) -> Ast {
    parse(&format!(".version 8.8\n.target sm_90\n.address_size 64\n{text}")).unwrap()
}

/// The body of a kernel with some registers declared.
fn body(text: &str) -> Body {
    let registers = ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<4>;";
    module(&format!(".entry k(.param .u64 k_param_0) {{ {registers} {text} }}")).functions[0]
        .body
        .clone()
        .unwrap()
}

fn instruction(text: &str) -> Instruction {
    body(text).instructions.remove(0)
}

fn register(name: &str) -> Operand {
    Operand::Register(name.to_owned())
}

fn symbol(name: &str) -> Operand {
    Operand::Symbol { name: name.to_owned(), offset: 0 }
}

fn at_register(name: &str, offset: i64) -> Operand {
    Operand::Address { base: AddressBase::Register(name.to_owned()), offset }
}

fn at_symbol(name: &str, offset: i64) -> Operand {
    Operand::Address { base: AddressBase::Symbol(name.to_owned()), offset }
}

#[test]
fn module_directives() {
    let ast = parse(
        ".version 9.5 // a comment\n.target sm_100a, debug\n.address_size 64\n\
         .file 1 \"C:\\\\a \\\"b\\\".cu\", 17, 18\n.file\t2 \"b.cuh\"\n.pragma \"x\", \"y\";\n\
         .section .debug_str { $L__info_string0:\n.b8 95,90 { .b32 .debug_line+4 } }",
    )
    .unwrap();
    assert_eq!((ast.version, ast.target.as_str()), ((9, 5), "sm_100a"));
    assert_eq!(ast.files, [(1, "C:\\a \"b\".cu".to_owned()), (2, "b.cuh".to_owned())]);
}

#[test]
fn operands_of_every_kind() {
    let pair = |first: &str, second: &str| Operand::Pair(first.to_owned(), second.to_owned());
    let double = |value: f64| Operand::Float { bits: value.to_bits(), single: false };
    let cases = [
        ("%r1", register("%r1")),
        ("%tid.x", register("%tid.x")),
        ("%laneid", register("%laneid")),
        ("%clock64", register("%clock64")),
        ("WARP_SZ", register("WARP_SZ")),
        ("!%p1", Operand::Negated("%p1".to_owned())),
        ("%p1|%p2", pair("%p1", "%p2")),
        ("%r1|_", pair("%r1", "_")),
        ("_|%p2", pair("_", "%p2")),
        ("_", Operand::Sink),
        ("-1", Operand::Integer(-1)),
        ("0x1F", Operand::Integer(31)),
        ("0xFFFFFFFFFFFFFFFF", Operand::Integer(-1)),
        ("0f3F800000", Operand::Float { bits: 0x3F80_0000, single: true }),
        ("0dBFF0000000000000", double(-1.0)),
        ("1.0", double(1.0)),
        ("-2.5e-1", double(-0.25)),
        ("table", symbol("table")),
        ("table+8", Operand::Symbol { name: "table".to_owned(), offset: 8 }),
        ("[%rd1]", at_register("%rd1", 0)),
        ("[%rd1+-4]", at_register("%rd1", -4)),
        ("[%rd1-4]", at_register("%rd1", -4)),
        ("[table+8]", at_symbol("table", 8)),
        ("[k_param_0]", at_symbol("k_param_0", 0)),
        ("[0x10]", Operand::Address { base: AddressBase::Absolute, offset: 16 }),
        ("{%r1, _, 3}", Operand::Vector(vec![register("%r1"), Operand::Sink, Operand::Integer(3)])),
        ("(%r1, table)", Operand::List(vec![register("%r1"), symbol("table")])),
        ("()", Operand::List(Vec::new())),
        (
            "[tex, {%f1, %f2}]",
            Operand::TextureAddress {
                texture: Box::new(symbol("tex")),
                sampler: None,
                coordinates: vec![register("%f1"), register("%f2")],
            },
        ),
        (
            "[%rd1, smp, %f1]",
            Operand::TextureAddress {
                texture: Box::new(register("%rd1")),
                sampler: Some(Box::new(symbol("smp"))),
                coordinates: vec![register("%f1")],
            },
        ),
    ];
    for (text, expected) in cases {
        let found = instruction(&format!("mov.b32 %r0, {text}, 7;")).operands;
        assert_eq!(found, [register("%r0"), expected, Operand::Integer(7)], "{text}");
    }
}

#[test]
fn opcodes_guards_and_modifiers() {
    let found = body(
        "ret;\n@!%p1 ld.shared::cta.L2::128B.v4.u32 {%r1}, [%rd1];\n@%p2 tex.2d.v4.f32.s32 %r1, [%rd1, %r2];",
    );
    let [plain, load, texture] = &found.instructions[..] else { panic!("{found:?}") };
    assert_eq!((plain.opcode.as_str(), plain.operands.len(), plain.line), ("ret", 0, 4));
    assert_eq!(load.guard, Some(("%p1".to_owned(), true)));
    assert_eq!(load.modifiers, ["shared::cta", "L2::128B", "v4", "u32"]);
    assert_eq!(load.line, 5);
    assert_eq!(texture.guard, Some(("%p2".to_owned(), false)));
    assert_eq!(texture.modifiers, ["2d", "v4", "f32", "s32"]);
}

#[test]
fn calls_direct_and_indirect() {
    let found = body(
        "{ .param .b32 param0; .param .align 8 .b8 retval0[12];
           call.uni (retval0), f, (param0);
           proto_1 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[8]) .noreturn;
           call (retval0), %rd1, (param0), proto_1;
           call.uni g;
         }
         { .param .b32 param0; st.param.b32 [param0+0], 1; void_2 : .callprototype ()_ (); }",
    );
    let list = |name: &str| Operand::List(vec![symbol(name)]);
    assert_eq!(found.instructions[0].operands, [list("retval0@1"), symbol("f"), list("param0@1")]);
    assert_eq!(
        found.instructions[1].operands,
        [list("retval0@1"), register("%rd1"), list("param0@1"), symbol("proto_1@1")]
    );
    assert_eq!(found.instructions[2].operands, [symbol("g")]);
    assert_eq!(found.instructions[3].operands, [at_symbol("param0@2", 0), Operand::Integer(1)]);
    let names: Vec<_> = found.variables.iter().map(|v| (v.name.as_str(), v.elements, v.align)).collect();
    assert_eq!(names, [("param0@1", 1, 4), ("retval0@1", 12, 8), ("param0@2", 1, 4)]);
    let shapes: Vec<_> = found.prototypes.iter().map(|(n, r, p)| (n.as_str(), r.len(), p.len())).collect();
    assert_eq!(shapes, [("proto_1@1", 1, 2), ("void_2@2", 0, 0)]);
    assert_eq!(found.prototypes[0].2[1].elements, 8);
}

#[test]
fn scopes_are_flattened() {
    let found = body(
        "start: { .reg .b32 a; mov.u32 a, %r1; bra inner; { .reg .b32 a; mov.u32 a, 1; bra inner; bra start; }
           mov.u32 a, 2; inner: bra later; }
         { inner: bra inner; } bra inner; bra a; later:",
    );
    let targets: Vec<_> =
        found.instructions.iter().map(|i| (i.opcode.as_str(), i.operands[0].clone())).collect();
    let expected = [
        ("mov", register("a@1")),
        ("bra", symbol("inner@1")),
        ("mov", register("a@2")),
        ("bra", symbol("inner@1")),
        ("bra", symbol("start")),
        ("mov", register("a@1")),
        ("bra", symbol("later")),
        ("bra", symbol("inner@3")),
        // Nothing of these names is visible here: left for whoever looks labels up to report.
        ("bra", symbol("inner")),
        ("bra", symbol("a")),
    ];
    assert_eq!(targets, expected);
    let labels = [("start", 0), ("inner@1", 6), ("inner@3", 7), ("later", 10)];
    assert_eq!(found.labels, labels.map(|(name, index)| (name.to_owned(), index)));
    let inner: Vec<_> = found.registers.iter().filter(|(name, _)| name.starts_with('a')).collect();
    assert_eq!(inner, [&("a@1".to_owned(), Type::B32), &("a@2".to_owned(), Type::B32)]);
}

#[test]
fn branch_tables() {
    let found = body(
        "{ table: .branchtargets one, two; brx.idx %r1, table; one: ret; } two: f: .calltargets g, h; ret;",
    );
    let names = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(found.branch_targets, [("table@1".to_owned(), names(&["one@1", "two"]))]);
    assert_eq!(found.instructions[0].operands[1], symbol("table@1"));
}

#[test]
fn registers_are_expanded() {
    let ast = module(".entry k { .reg .pred p; .reg .b16 %rs<3>, %odd, %h<1>; .pragma \"nounroll\"; }");
    let found = &ast.functions[0].body.as_ref().unwrap().registers;
    let expected = [
        ("p", Type::Pred),
        ("%rs0", Type::B16),
        ("%rs1", Type::B16),
        ("%rs2", Type::B16),
        ("%odd", Type::B16),
        ("%h0", Type::B16),
    ];
    assert_eq!(*found, expected.map(|(name, ty)| (name.to_owned(), ty)));
}

#[test]
fn functions_and_their_limits() {
    let ast = module(
        ".func (.param .b32 r) f (.param .b32 a);
         .extern .func vprintf (.param .b64 a, .param .b64 b) .noreturn;
         .weak .func (.param .b32 r) f (.param .b32 a) { ret; }
         .func (.param .b32 r) f (.param .b32 a);
         .visible .entry k (.param .align 16 .b8 a[48], .param .u64 .ptr .global .align 64 b, .param .texref t)
         .maxntid 16, 8, 1 .minnctapersm 2 .maxnreg 64 .maxclusterrank 8 .reqnctapercluster 2, 1 .explicitcluster
         { ret; }
         .entry bare .reqntid 32, 4 { }",
    );
    let names: Vec<_> =
        ast.functions.iter().map(|f| (f.name.as_str(), f.entry, f.external, f.body.is_some())).collect();
    let expected = [
        ("f", false, false, true),
        ("vprintf", false, true, false),
        ("k", true, false, true),
        ("bare", true, false, true),
    ];
    assert_eq!(names, expected);
    assert_eq!(ast.functions[0].line, 6, "the definition's line");
    let kernel = &ast.functions[2];
    let parameters: Vec<_> = kernel.parameters.iter().map(|p| (p.ty, p.elements, p.array, p.align)).collect();
    assert_eq!(parameters, [(Type::B8, 48, true, 16), (Type::U64, 1, false, 8), (Type::TexRef, 1, false, 8)]);
    assert_eq!((kernel.max_threads, kernel.required_threads), (Some(128), None));
    assert_eq!(ast.functions[3].required_threads, Some([32, 4, 1]));
}

#[test]
fn variables_and_their_shapes() {
    let ast = module(
        ".extern .shared .align 16 .b8 dynamic[];
         .global .attribute(.managed, .unified(1, 2)) .align 4 .u32 managed = 3;
         .visible .const .v4 .f32 vector[2];
         .common .global .f64 table[2][3], second;
         .extern .global .u32 later;
         .global .u32 later;
         .extern .global .u32 later;",
    );
    let found: Vec<_> = ast
        .variables
        .iter()
        .map(|v| (v.name.as_str(), v.space, v.elements, v.array, v.align, v.external, v.visible))
        .collect();
    let expected = [
        ("dynamic", Space::Shared, 0, true, 16, true, false),
        ("managed", Space::Global, 1, false, 4, false, false),
        ("vector", Space::Const, 8, true, 16, false, true),
        ("table", Space::Global, 6, true, 8, false, true),
        ("second", Space::Global, 1, false, 8, false, true),
        ("later", Space::Global, 1, false, 4, false, false),
    ];
    assert_eq!(found, expected);
}

#[test]
fn initial_values() {
    let bytes = |bytes: &[u8]| Init::Bytes(bytes.to_vec());
    let address = |offset: i64, generic: bool| Init::Address { symbol: "x".to_owned(), offset, generic };
    let each = |values: &[u8]| values.iter().map(|&value| bytes(&[value])).collect::<Vec<_>>();
    let masks: Vec<String> =
        (0..8).map(|byte| format!("{:#X}(generic(x)+4)", 0xFF_u64 << (8 * byte))).collect();
    let cases = [
        (".u32 v = -2".to_owned(), 1, vec![bytes(&[0xFE, 0xFF, 0xFF, 0xFF])]),
        (".b16 v = 0xFFFFU".to_owned(), 1, vec![bytes(&[0xFF, 0xFF])]),
        (".b128 v = -1".to_owned(), 1, vec![bytes(&[0xFF; 16])]),
        (".f32 v = 0f3F800000".to_owned(), 1, vec![bytes(&1.0_f32.to_le_bytes())]),
        (".f32 v = -1.5".to_owned(), 1, vec![bytes(&(-1.5_f32).to_le_bytes())]),
        (
            ".f64 v[2] = {0d3FF0000000000000, 2}".to_owned(),
            2,
            vec![bytes(&1.0_f64.to_le_bytes()), bytes(&2.0_f64.to_le_bytes())],
        ),
        (".b8 v[4] = {1, 2}".to_owned(), 4, each(&[1, 2])),
        (".b8 v[] = {1, 2, 3}".to_owned(), 3, each(&[1, 2, 3])),
        (".b8 v[][2] = {1, 2, 3}".to_owned(), 4, each(&[1, 2, 3])),
        (".b8 v[2][3] = {{1}, {2, 3}}".to_owned(), 6, each(&[1, 0, 0, 2, 3, 0])),
        (".b8 v[2][2][2] = {{{1, 2}, {3}}, {{}}}".to_owned(), 8, each(&[1, 2, 3, 0, 0, 0, 0, 0])),
        (".v2 .b8 v[2] = {{1, 2}, {3}}".to_owned(), 4, each(&[1, 2, 3, 0])),
        (
            ".u64 v[4] = {x, x+8, generic(x)-4, generic(x+4)+1}".to_owned(),
            4,
            vec![address(0, false), address(8, false), address(-4, true), address(5, true)],
        ),
        (
            format!(".b8 v[10] = {{1, {}, 2}}", masks.join(", ")),
            10,
            vec![bytes(&[1]), address(4, true), bytes(&[2])],
        ),
    ];
    for (text, elements, init) in cases {
        let Variable { elements: found_elements, init: found, .. } =
            module(&format!(".global {text};")).variables.remove(0);
        assert_eq!((found_elements, found), (elements, init), "{text}");
    }
}

#[test]
fn locations_of_instructions() {
    let found =
        body("ret; .loc 1 3 5\nret; .loc 1 4 1, function_name $L__info_string0, inlined_at 1 3 5\nret; ret;");
    let indices: Vec<u32> = found.instructions.iter().map(|i| i.location).collect();
    assert_eq!(indices, [0, 1, 2, 2]);
    // A function starts afresh, and equal positions are one entry.
    let ast = module(".func f { .loc 1 3 5\n ret; } .func g { ret; .loc 1 3 5\n ret; }");
    assert_eq!(ast.locations.len(), 2);
    let second: Vec<u32> =
        ast.functions[1].body.as_ref().unwrap().instructions.iter().map(|i| i.location).collect();
    assert_eq!(second, [0, 1]);
}

#[test]
fn errors_name_line_expectation_and_finding() {
    let cases = [
        ("\n.entyr k", 2, "expected a directive such as `.entry` or `.global`, found `.entyr`"),
        (".entry k {\nadd.s32 %r1, %r2 %r3;\n}", 2, "expected `;` after the operands of `add`, found `%r3`"),
        (
            ".entry k {\n",
            2,
            "expected `}` at the end of `k`, whose body starts in line 1, found the end of the text",
        ),
        (
            ".entry k { .reg .b32 a;\n.reg .b32 a; }",
            2,
            "expected a new name, found `a`, which this scope declares already",
        ),
        (".entry k { a:\na: }", 2, "expected a new label, found `a`, which this scope has already"),
        (".entry k { @k bra a; }", 1, "expected a predicate register, found `k`"),
        (".entry k { ld.u32 %r1, [%rd1+a]; }", 1, "expected a whole number of bytes, found `a`"),
        (
            ".entry k { .reg .b32 %r<9999999>; }",
            1,
            "expected at most 1048576 registers and initial values in all, found 9999999 more for `%r<9999999>`",
        ),
        (
            ".func f {}\n.func f {}",
            2,
            "expected one definition of `f`, found a second one (the first is in line 1)",
        ),
        (
            ".func f (.reg .b32 a);",
            1,
            "expected `.param` (parameters in registers are not supported), found `.reg`",
        ),
        (".address_size 32", 1, "expected an address size of 64 bits, found `32`"),
        (".global .u32 a[2] = {1, 2, 3};", 1, "expected at most 2 initial values here, found more"),
        (
            ".global .b8 a[2][2][2] = {{{1}, {2}, {3}}};",
            1,
            "expected at most 4 initial values here, found more",
        ),
        (".global .u32 a = x;", 1, "expected elements of 64 bits for the address of `x`, found 32 bits"),
        (
            ".global .b8 a[9] = {0xFF(x), 2};",
            1,
            "expected the rest of the masked address of `x`, found another value",
        ),
        (
            ".global .u32 a[99999999999][99999999999];",
            1,
            "expected a variable that fits a 64-bit address space, found `a`",
        ),
        (
            ".global .b8 a[9][99999999] = {{1},{2}};",
            1,
            "expected at most 1048576 registers and initial values in all, found 99999998 more for a short row of initial values",
        ),
        (
            ".file 1 \"open",
            1,
            "expected the path of the file in quotes, found a string that is never closed, `\"open`",
        ),
        (
            ".entry k { /* open",
            1,
            "expected an instruction, a label or a directive, found a comment that is never closed",
        ),
        (
            ".entry k { ¤ }",
            1,
            "expected an instruction, a label or a directive, found a character that PTX does not use, \"¤\"",
        ),
    ];
    for (text, line, message) in cases {
        let error = parse(text).unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (line, message), "{text}");
    }
    let nested = format!(".entry k {}", "{".repeat(1000));
    let message = "expected scopes nested at most 256 deep, found `{`";
    assert_eq!(parse(&nested).unwrap_err().message, message);
}
