//! Products and sums that `ptxas` fuses.
//!
//! PTX lets the assembler fuse a `mul` and an `add` or `sub` that carry no rounding modifier (PTX manual, `mul`, `add`),
//! and it does unless told not to. NVRTC fuses most itself and writes `fma.rn`, but leaves `a * b - c` and `c - a * b`
//! apart and unmarked, and products that have other uses too; with `-fmad=false`, and for `__fmul_rn` and its kin, it
//! marks all as `.rn`. The last bit of a result depends on it, so what `ptxas` does is done here.
//!
//! As `ptxas` 12.8 does for compute capabilities 5.0, 7.5, 9.0 and 12.0 (read off its machine code): a product without
//! a guard is fused into the sums that use it, if nothing else uses it, all stand in its basic block, and all have its
//! type and its `.ftz`. A sum of two such products takes the one that has no other use, or the first.
//!
//! Not followed: a product that reaches its sum through `mov` or `neg`, half precision, a sum behind a jump that is
//! always taken, and a factor that is overwritten before the sum. `ptxas` fuses the first, the third and the fourth; half
//! precision was not looked at, nor how often NVRTC writes any of them.

use std::collections::HashMap;

use super::assigned::{Uses, blocks, write_counts};
use crate::ptx::ast::{Body, Instruction, Operand};

/// A product that may be fused.
struct Product {
    /// The instruction.
    at: usize,
    /// The sums that use it, rising.
    sums: Vec<usize>,
}

/// What an instruction computes in, if it is `opcode` without a rounding modifier: type and `.ftz`; and whether it
/// saturates.
fn unmarked<'a>(instruction: &'a Instruction, opcodes: &[&str]) -> Option<(&'a str, bool, bool)> {
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let (ty, rest) = words.split_last()?;
    let (ftz, sat) = match rest {
        [] => (false, false),
        ["ftz"] => (true, false),
        ["sat"] => (false, true),
        ["ftz", "sat"] => (true, true),
        _ => return None,
    };
    (opcodes.contains(&instruction.opcode.as_str())
        && matches!(*ty, "f32" | "f64")
        && instruction.operands.len() == 3)
        .then_some((*ty, ftz, sat))
}

fn is(operand: &Operand, name: &str) -> bool {
    matches!(operand, Operand::Register(register) if register == name)
}

/// The product at `at`, whose block ends before `end`, if all its uses are sums that it can be fused into.
fn product(
    body: &Body,
    uses: &[Uses<'_>],
    writes: &HashMap<&str, usize>,
    at: usize,
    end: usize,
) -> Option<Product> {
    let instruction = &body.instructions[at];
    let (ty, ftz, sat) = unmarked(instruction, &["mul"])?;
    let [Operand::Register(name), a, b] = &instruction.operands[..] else { return None };
    if sat || instruction.guard.is_some() {
        return None;
    }
    let reads = |number: usize| uses[number].reads.contains(&name.as_str());
    let rewrites = |number: usize| uses[number].writes.contains(&name.as_str());
    let sums: Vec<usize> = if writes.get(name.as_str()) == Some(&1) {
        (0..body.instructions.len()).filter(|&number| reads(number)).collect()
    } else {
        // The register holds something else later: this value ends where it is overwritten for certain.
        let last =
            (at + 1..end).find(|&number| rewrites(number) && body.instructions[number].guard.is_none())?;
        (at + 1..=last).filter(|&number| reads(number)).collect()
    };
    let takes = |&number: &usize| {
        let sum = &body.instructions[number];
        let kind = unmarked(sum, &["add", "sub"]);
        let places = sum.operands.iter().skip(1).filter(|operand| is(operand, name)).count();
        (at + 1..end).contains(&number)
            && kind.is_some_and(|kind| (kind.0, kind.1) == (ty, ftz))
            && places == 1
    };
    let last = *sums.last()?;
    let kept = |factor: &Operand| match factor {
        Operand::Register(factor) => !(at..last).any(|number| uses[number].writes.contains(&factor.as_str())),
        _ => true,
    };
    (sums.iter().all(takes) && kept(a) && kept(b)).then_some(Product { at, sums })
}

/// A sum with a product fused into it. Private spellings: `~fms` is `a × b − c`, `~fnma` is `c − a × b`.
fn fused(sum: &Instruction, product: &Instruction) -> Option<Instruction> {
    let [Operand::Register(name), a, b] = &product.operands[..] else { return None };
    let [d, x, y] = &sum.operands[..] else { return None };
    let first = is(x, name);
    let other = if first { y } else { x };
    let (opcode, round) = match (sum.opcode.as_str(), first) {
        ("add", _) => ("fma", Some("rn".to_owned())),
        (_, true) => ("~fms", None),
        (_, false) => ("~fnma", None),
    };
    Some(Instruction {
        opcode: opcode.to_owned(),
        modifiers: round.into_iter().chain(sum.modifiers.iter().cloned()).collect(),
        operands: vec![d.clone(), a.clone(), b.clone(), other.clone()],
        ..sum.clone()
    })
}

/// The sums that become something else, by number.
pub(super) fn contracted(body: &Body) -> HashMap<usize, Instruction> {
    let mut out = HashMap::new();
    if !body.instructions.iter().any(|instruction| unmarked(instruction, &["mul"]).is_some()) {
        return out;
    }
    let uses: Vec<Uses<'_>> = body.instructions.iter().map(Uses::of).collect();
    let writes = write_counts(body);
    let products: Vec<Product> = blocks(body)
        .iter()
        .flat_map(|block| (block.start..block.end).map(|at| (at, block.end)))
        .filter_map(|(at, end)| product(body, &uses, &writes, at, end))
        .collect();
    let fuse = |product: &Product, number: usize, out: &mut HashMap<usize, Instruction>| {
        if let Some(instruction) = fused(&body.instructions[number], &body.instructions[product.at]) {
            out.insert(number, instruction);
        }
    };
    // Those with one use: by the sum's operands, the first first.
    let mut single: Vec<(usize, usize, &Product)> = products
        .iter()
        .filter(|product| product.sums.len() == 1)
        .map(|product| {
            let sum = &body.instructions[product.sums[0]];
            let first = body.instructions[product.at].operands[0] == sum.operands[1];
            (product.sums[0], usize::from(!first), product)
        })
        .collect();
    single.sort_unstable_by_key(|&(sum, operand, _)| (sum, operand));
    for (sum, _, product) in single {
        if !out.contains_key(&sum) {
            fuse(product, sum, &mut out);
        }
    }
    // Those with more: all or none.
    for product in products.iter().filter(|product| product.sums.len() > 1) {
        if !product.sums.iter().any(|sum| out.contains_key(sum)) {
            for &sum in &product.sums {
                fuse(product, sum, &mut out);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::ptx::parse;

    /// The spellings of what became of sums, in order.
    fn fused(code: &str) -> Vec<String> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<3>;\n\
             .reg .f32 %f<12>;\n.reg .f64 %d<9>;\n.reg .b64 %rd<3>;\n{code}\nret;\n}}\n"
        );
        let ast = parse(&text).unwrap();
        let found = contracted(ast.functions[0].body.as_ref().unwrap());
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|&(number, _)| number);
        found
            .iter()
            .map(|(number, instruction)| {
                let names: Vec<&str> = instruction
                    .operands
                    .iter()
                    .map(|operand| match operand {
                        Operand::Register(name) => name.trim_start_matches('%'),
                        _ => "?",
                    })
                    .collect();
                let words = instruction.modifiers.join(".");
                format!("{number} {}.{words} {}", instruction.opcode, names.join(" "))
            })
            .collect()
    }

    const NONE: [&str; 0] = [];

    #[test]
    fn one_use_is_fused() {
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; add.f32 %f7,%f6,%f3;"), ["1 fma.rn.f32 f7 f1 f2 f3"]);
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; add.f32 %f7,%f3,%f6;"), ["1 fma.rn.f32 f7 f1 f2 f3"]);
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; sub.f32 %f7,%f6,%f3;"), ["1 ~fms.f32 f7 f1 f2 f3"]);
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; sub.f32 %f7,%f3,%f6;"), ["1 ~fnma.f32 f7 f1 f2 f3"]);
        assert_eq!(fused("mul.f64 %d6,%d1,%d2; sub.f64 %d7,%d6,%d3;"), ["1 ~fms.f64 d7 d1 d2 d3"]);
        assert_eq!(
            fused("mul.f32 %f6,%f1,%f2; bar.sync 0; add.f32 %f6,%f6,%f3;"),
            ["2 fma.rn.f32 f6 f1 f2 f3"]
        );
        let guarded = "mul.f32 %f6,%f1,%f2; @%p1 add.f32 %f7,%f6,%f3;";
        assert_eq!(fused(guarded), ["1 fma.rn.f32 f7 f1 f2 f3"]);
    }

    #[test]
    fn modifiers_have_to_agree() {
        assert_eq!(fused("mul.rn.f32 %f6,%f1,%f2; add.f32 %f7,%f6,%f3;"), NONE);
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; add.rn.f32 %f7,%f6,%f3;"), NONE);
        assert_eq!(fused("mul.ftz.f32 %f6,%f1,%f2; add.f32 %f7,%f6,%f3;"), NONE);
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; add.ftz.f32 %f7,%f6,%f3;"), NONE);
        assert_eq!(fused("mul.sat.f32 %f6,%f1,%f2; add.f32 %f7,%f6,%f3;"), NONE);
        let saturated = "mul.ftz.f32 %f6,%f1,%f2; add.ftz.sat.f32 %f7,%f6,%f3;";
        assert_eq!(fused(saturated), ["1 fma.rn.ftz.sat.f32 f7 f1 f2 f3"]);
    }

    #[test]
    fn all_uses_or_none() {
        let both = "mul.f32 %f6,%f1,%f2; sub.f32 %f7,%f6,%f3; sub.f32 %f8,%f4,%f6;";
        assert_eq!(fused(both), ["1 ~fms.f32 f7 f1 f2 f3", "2 ~fnma.f32 f8 f1 f2 f4"]);
        let stored = "mul.f32 %f6,%f1,%f2; add.f32 %f7,%f6,%f3; st.global.f32 [%rd1],%f6;";
        assert_eq!(fused(stored), NONE);
        assert_eq!(fused("mul.f32 %f6,%f1,%f2; add.f32 %f7,%f6,%f6;"), NONE);
        let factor = "mul.f32 %f6,%f1,%f2; fma.rn.f32 %f7,%f6,%f3,%f4; add.f32 %f8,%f6,%f5;";
        assert_eq!(fused(factor), NONE);
        assert_eq!(fused("@%p1 mul.f32 %f6,%f1,%f2; @%p1 add.f32 %f7,%f6,%f3;"), NONE);
    }

    #[test]
    fn a_block_is_the_horizon() {
        let later = "mul.f32 %f6,%f1,%f2; @%p1 bra L; bar.sync 0; add.f32 %f7,%f6,%f3; L:";
        assert_eq!(fused(later), NONE);
        // Written in two places, used in a third.
        let merged = "mul.f32 %f6,%f1,%f2; @%p1 bra L; add.f32 %f6,%f6,%f3; L: st.global.f32 [%rd1],%f6;";
        assert_eq!(fused(merged), NONE);
        let inner = "@%p1 bra L; mul.f32 %f6,%f1,%f2; sub.f32 %f7,%f6,%f3; L:";
        assert_eq!(fused(inner), ["2 ~fms.f32 f7 f1 f2 f3"]);
        // The old factor is gone.
        let gone = "mul.f32 %f6,%f1,%f2; add.rn.f32 %f1,%f4,%f5; add.f32 %f7,%f6,%f3;";
        assert_eq!(fused(gone), NONE);
    }

    #[test]
    fn of_two_products_one_is_taken() {
        let two = "mul.f32 %f6,%f1,%f2; mul.f32 %f7,%f3,%f4; sub.f32 %f8,";
        assert_eq!(fused(&format!("{two}%f6,%f7;")), ["2 ~fms.f32 f8 f1 f2 f7"]);
        assert_eq!(fused(&format!("{two}%f7,%f6;")), ["2 ~fms.f32 f8 f3 f4 f6"]);
        // The one without other uses, wherever it stands.
        let other = format!("{two}%f7,%f6; sub.f32 %f9,%f7,%f5;");
        assert_eq!(fused(&other), ["2 ~fnma.f32 f8 f1 f2 f7"]);
        let chain = format!("{two}%f6,%f7; mul.f32 %f9,%f5,%f1; sub.f32 %f10,%f8,%f9;");
        assert_eq!(fused(&chain), ["2 ~fms.f32 f8 f1 f2 f7", "4 ~fnma.f32 f10 f5 f1 f8"]);
    }
}
