//! What compilers really emit: the samples of `ptx/`, each beside the `.cu` file it comes from.

use std::collections::HashSet;

use pretty_assertions::assert_eq;
use simulator::ptx::ast::{AddressBase, Ast, Body, Function, Init, Instruction, Operand};
use simulator::ptx::parse;

const SAMPLES: [(&str, &str); 7] = [
    ("assembly", include_str!("ptx/assembly.ptx")),
    ("blocks", include_str!("ptx/blocks.ptx")),
    ("calls", include_str!("ptx/calls.ptx")),
    ("debug", include_str!("ptx/debug.ptx")),
    ("initializers", include_str!("ptx/initializers.ptx")),
    ("inlining", include_str!("ptx/inlining.ptx")),
    ("textures", include_str!("ptx/textures.ptx")),
];

fn text(name: &str) -> &'static str {
    SAMPLES.iter().find(|(sample, _)| *sample == name).unwrap().1
}

fn sample(name: &str) -> Ast {
    parse(text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn function<'a>(ast: &'a Ast, name: &str) -> &'a Function {
    ast.functions.iter().find(|function| function.name == name).unwrap()
}

fn kernel<'a>(ast: &'a Ast, name: &str) -> &'a Body {
    function(ast, name).body.as_ref().unwrap()
}

/// All instructions of an opcode.
fn all<'a>(body: &'a Body, opcode: &str) -> Vec<&'a Instruction> {
    body.instructions.iter().filter(|instruction| instruction.opcode == opcode).collect()
}

/// Lines of the source that an instruction unwinds to, innermost first.
fn chain(ast: &Ast, instruction: &Instruction) -> Vec<u32> {
    let mut index = instruction.location as usize;
    let mut lines = Vec::new();
    while index != 0 {
        lines.push(ast.locations[index].line);
        index = ast.locations[index].inlined_at as usize;
    }
    lines
}

/// Names that an operand refers to, registers and symbols apart.
fn names<'a>(operand: &'a Operand, registers: &mut Vec<&'a str>, symbols: &mut Vec<&'a str>) {
    match operand {
        Operand::Register(name)
        | Operand::Negated(name)
        | Operand::Address { base: AddressBase::Register(name), .. } => registers.push(name),
        Operand::Pair(first, second) => registers.extend([first.as_str(), second.as_str()]),
        Operand::Symbol { name, .. } | Operand::Address { base: AddressBase::Symbol(name), .. } => {
            symbols.push(name);
        }
        Operand::Vector(elements) | Operand::List(elements) => {
            for element in elements {
                names(element, registers, symbols);
            }
        }
        Operand::TextureAddress { texture, coordinates, .. } => {
            names(texture, registers, symbols);
            for element in coordinates {
                names(element, registers, symbols);
            }
        }
        Operand::Address { base: AddressBase::Absolute, .. }
        | Operand::Integer(_)
        | Operand::Float { .. }
        | Operand::Sink => {}
    }
}

/// Every statement of the text is in the tree, and every name leads somewhere.
#[test]
fn nothing_is_lost_and_every_name_resolves() {
    for (sample_name, text) in SAMPLES {
        let ast = sample(sample_name);
        let module: HashSet<&str> = ast
            .functions
            .iter()
            .map(|function| function.name.as_str())
            .chain(ast.variables.iter().map(|variable| variable.name.as_str()))
            .collect();
        for function in &ast.functions {
            let Some(body) = &function.body else { continue };
            let registers: HashSet<&str> = body.registers.iter().map(|(name, _)| name.as_str()).collect();
            let mut symbols = module.clone();
            let parameters = function.parameters.iter().chain(&function.returns);
            symbols.extend(parameters.chain(&body.variables).map(|variable| variable.name.as_str()));
            symbols.extend(body.labels.iter().map(|(name, _)| name.as_str()));
            symbols.extend(body.prototypes.iter().map(|(name, ..)| name.as_str()));
            for instruction in &body.instructions {
                let (mut used, mut referred) = (Vec::new(), Vec::new());
                instruction.operands.iter().for_each(|operand| names(operand, &mut used, &mut referred));
                used.extend(instruction.guard.iter().map(|(name, _)| name.as_str()));
                let special = |name: &str| {
                    ["%tid.", "%ntid.", "%ctaid.", "%clock64", "%is_explicit_cluster", "WARP_SZ", "_"]
                        .iter()
                        .any(|prefix| name.starts_with(prefix))
                };
                used.retain(|name| !registers.contains(name) && !special(name));
                referred.retain(|name| !symbols.contains(name));
                assert_eq!((used, referred), (vec![], vec![]), "{sample_name}, line {}", instruction.line);
            }
        }
        let bodies = ast.functions.iter().filter_map(|function| function.body.as_ref());
        let found: usize = bodies.map(|body| body.instructions.len()).sum();
        // 14 lines of the compiler's and twice 7 instructions of the inline assembly, several a line.
        let expected = if sample_name == "assembly" { 14 + 2 * 7 } else { lines_with_an_opcode(text) };
        assert_eq!(found, expected, "{sample_name}");
    }
}

/// Lines that start with an opcode, perhaps after a guard; a compiler writes one instruction a line.
fn lines_with_an_opcode(text: &str) -> usize {
    let starts_an_instruction = |line: &&str| {
        let line = line.trim();
        let code =
            if line.starts_with('@') { line.split_once(' ').map_or("", |(_, code)| code) } else { line };
        let complete = code.ends_with(';') || code.starts_with("call");
        complete
            && code.starts_with(|first: char| first.is_ascii_lowercase())
            && !code.starts_with("prototype")
    };
    text.lines().filter(starts_an_instruction).count()
}

#[test]
fn inlining_unwinds_to_the_kernel() {
    let ast = sample("inlining");
    let body = kernel(&ast, "inlining");
    let loads: Vec<_> = all(body, "ld").into_iter().filter(|load| load.modifiers[0] == "global").collect();
    let chains: Vec<_> = loads.iter().map(|load| chain(&ast, load)).collect();
    // Line 5 reads, 10 and 11 call it, 16 calls those; 22 and 23 are the kernel's own.
    assert_eq!(chains, [vec![5, 10, 16, 22], vec![5, 11, 16, 22], vec![5, 10, 23], vec![5, 11, 23]]);
    let store = all(body, "st")[0];
    assert_eq!(chain(&ast, store), [24]);
    let mut distinct = HashSet::new();
    assert!(ast.locations.iter().all(|location| distinct.insert(location)), "locations are listed once");
    assert_eq!(ast.files, [(1, "/inlining.cu".to_owned())]);
}

#[test]
fn calls_and_structures_by_value() {
    let ast = sample("calls");
    assert_eq!((ast.version, ast.target.as_str()), ((9, 5), "sm_100"));
    let names: Vec<_> = ast.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["_Z6triplei", "_Z4flipi", "_Z4bump4Fived", "calls"]);
    assert!(ast.functions.iter().all(|function| function.body.is_some()), "declared first, defined later");
    let bump = function(&ast, "_Z4bump4Fived");
    assert_eq!(
        (bump.returns[0].elements, bump.parameters[0].elements, bump.parameters[0].align),
        (20, 20, 16)
    );
    let kernel_head = function(&ast, "calls");
    assert_eq!((kernel_head.max_threads, kernel_head.parameters[1].align), (Some(256), 8));
    let body = kernel(&ast, "calls");
    let indirect = all(body, "call").into_iter().find(|call| call.operands.len() == 4).unwrap();
    assert!(matches!(&indirect.operands[1], Operand::Register(name) if name.starts_with("%rd")));
    assert_eq!(indirect.operands[3], Operand::Symbol { name: body.prototypes[0].0.clone(), offset: 0 });
    let table: Vec<_> = ast.variables[0]
        .init
        .iter()
        .map(|init| match init {
            Init::Address { symbol, offset: 0, generic: false } => symbol.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(table, ["_Z6triplei", "_Z4flipi"]);
}

#[test]
fn initial_values_of_structures() {
    let ast = sample("initializers");
    let variable = |name: &str| ast.variables.iter().find(|variable| variable.name == name).unwrap();
    let pointer = |offset: i64| Init::Address { symbol: "numbers".to_owned(), offset, generic: true };
    assert_eq!(variable("plain").init[1], pointer(8));
    assert_eq!(variable("packed").init, [Init::Bytes(vec![1]), pointer(4)]);
    assert_eq!((variable("packed").elements, variable("packed").align), (9, 1));
    assert_eq!(variable("pi").init, [Init::Bytes(3.25_f64.to_le_bytes().to_vec())]);
    assert_eq!(variable("single").init, [Init::Bytes((-0.5_f32).to_le_bytes().to_vec())]);
    assert_eq!(variable("negative").init, [Init::Bytes((-5_i64).to_le_bytes().to_vec())]);
    assert_eq!(variable("small").init, [Init::Bytes(vec![0xFE, 0xFF])]);
    assert_eq!(variable("managed").init, [Init::Bytes(vec![3, 0, 0, 0])]);
    assert_eq!(
        variable("message").init,
        [Init::Address { symbol: "$str".to_owned(), offset: 0, generic: true }]
    );
    let weights = variable("weights");
    assert_eq!((weights.elements, weights.init.len()), (24, 16), "zeros at the end are not written");
}

#[test]
fn blocks_share_memory_and_shuffle() {
    let ast = sample("blocks");
    assert_eq!((ast.variables[0].name.as_str(), ast.variables[0].elements), ("scratch", 0));
    let body = kernel(&ast, "blocks");
    assert_eq!((body.variables[0].name.as_str(), body.variables[0].elements), ("_ZZ6blocksE5local", 1024));
    assert!(
        matches!(&all(body, "shfl")[0].operands[0], Operand::Pair(_, predicate) if predicate.starts_with("%p"))
    );
    let vectors: Vec<_> =
        body.instructions.iter().filter(|i| i.modifiers.iter().any(|m| m == "v4")).collect();
    assert!(matches!(&vectors[0].operands[0], Operand::Vector(elements) if elements.len() == 4));
    // The loop of line 7 jumps back.
    let label = |name: &str| body.labels.iter().find(|(label, _)| label == name).unwrap().1;
    let back = body.instructions.iter().enumerate().any(|(index, instruction)| {
        instruction.opcode == "bra"
            && matches!(&instruction.operands[0], Operand::Symbol { name, .. } if label(name) < index)
    });
    assert!(back);
}

#[test]
fn assembly_scopes_do_not_collide() {
    let ast = sample("assembly");
    let body = kernel(&ast, "assembly");
    let scoped: Vec<_> = body.labels.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(scoped, ["again@1", "done@1", "again@3", "done@3"]);
    let branches: Vec<_> = all(body, "bra").iter().map(|branch| branch.operands[0].clone()).collect();
    let expected = ["done@1", "again@1", "done@3", "again@3"]
        .map(|name| Operand::Symbol { name: name.to_owned(), offset: 0 });
    assert_eq!(branches, expected);
    assert!(all(body, "bra").iter().all(|branch| chain(&ast, branch).len() == 2), "each under its own call");
    assert!(body.registers.iter().any(|(name, _)| name == "step1@2"));
}

#[test]
fn textures_surfaces_and_printf() {
    let ast = sample("textures");
    let body = kernel(&ast, "textures");
    for opcode in ["tex", "sust"] {
        let address = all(body, opcode)[0].operands.iter().find_map(|operand| match operand {
            Operand::TextureAddress { coordinates, .. } => Some(coordinates.len()),
            _ => None,
        });
        assert_eq!(address, Some(2), "{opcode}");
    }
    // The header's own line is in file 2, the student's at the end of the chain.
    assert_eq!(ast.locations[all(body, "tex")[0].location as usize].file, 2);
    assert_eq!(chain(&ast, all(body, "tex")[0]).last(), Some(&8));
    assert!(function(&ast, "vprintf").external && function(&ast, "vprintf").body.is_none());
    assert_eq!(all(body, "call")[0].operands[1], Operand::Symbol { name: "vprintf".to_owned(), offset: 0 });
}

#[test]
fn debug_sections_are_skipped() {
    let ast = sample("debug");
    assert_eq!(ast.target, "sm_90");
    assert!(kernel(&ast, "debug").labels.iter().any(|(name, _)| name.starts_with("$L__func_begin")));
    assert_eq!(ast.variables, []);
}
