//! Kernels whose name another function has too: two kernels of one name, or a kernel `round` beside the function of the C library.
//!
//! The compiler chooses by the arguments of the launch, which a launch needs the kernel's address before. As for templates
//! ([`crate::templates`]), the rewriter declares `workbook_of_k` beside each such kernel, with its parameters alone.

use std::collections::BTreeMap;

use crate::headers::HEADERS;
use crate::region::{Region, closing, kernel_name, split};
use crate::templates::{KernelTemplate, PREFIX, default_at, text};

/// A launch names no argument of a template: it always leaves the choice to the companion.
const ANY_LAUNCH: usize = 1;

/// Kernels that are looked at: each name is searched for in all headers.
const MOST_KERNELS: usize = 256;

/// The kernels of these regions that are no templates and share their name with another function.
pub(crate) fn find(regions: &[Region<'_>], source: &str) -> Vec<KernelTemplate> {
    let text = regions.iter().filter(|region| !region.in_macro);
    let kernels: Vec<Kernel> = text.flat_map(|region| plain(region, source)).take(MOST_KERNELS).collect();
    let mut bodies: BTreeMap<&str, usize> = BTreeMap::new();
    for kernel in kernels.iter().filter(|kernel| kernel.has_body) {
        *bodies.entry(kernel.name.as_str()).or_default() += 1;
    }
    let shared = |name: &str| bodies.get(name).is_some_and(|count| *count > 1) || in_a_header(name);
    let named = kernels.iter().filter(|kernel| shared(&kernel.name));
    named.map(Kernel::companion).collect()
}

struct Kernel {
    name: String,
    has_body: bool,
    /// Where its declaration ends.
    end: usize,
    /// With and without their default values.
    parameters: [String; 2],
}

impl Kernel {
    fn companion(&self) -> KernelTemplate {
        let Self { name, end, parameters: [all, plain], .. } = self;
        let companion = format!(
            " auto {PREFIX}{name}({all}) -> ::workbook::constant<static_cast<void (*)({plain})>(&{name})>;"
        );
        KernelTemplate { name: name.clone(), needed: ANY_LAUNCH, end: *end, companion }
    }
}

/// The kernels that a region declares and that are no templates.
fn plain(region: &Region<'_>, source: &str) -> Vec<Kernel> {
    let tokens = region.tokens.as_slice();
    let kernel = |global: usize| {
        let ends = |at: &usize| tokens[*at].is(';') || tokens[*at].is('{') || tokens[*at].is('}');
        let start = (0..global).rev().find(ends).map_or(0, |at| at + 1);
        if tokens[start..global].iter().any(|token| token.text(source) == "template") {
            return None;
        }
        let name = kernel_name(region, source, global)?;
        let last = closing(tokens, name + 1)?;
        let after = last + tokens[last..].iter().position(|token| token.is(';') || token.is('{'))?;
        let has_body = tokens[after].is('{');
        let end = if has_body { closing(tokens, after)? } else { after };
        let parameters = split(&tokens[name + 2..last]);
        let of = |default: bool| {
            let upto = |list: &[_]| if default { list.len() } else { default_at(list) };
            parameters.iter().map(|one| text(&one[..upto(one)], source)).collect::<Vec<_>>().join(", ")
        };
        let name = tokens[name].text(source).to_owned();
        Some(Kernel { name, has_body, end: tokens[end].end, parameters: [of(true), of(false)] })
    };
    (0..tokens.len()).filter(|&at| tokens[at].text(source) == "__global__").filter_map(kernel).collect()
}

/// Whether a header declares a function of this name, in `std` or not.
fn in_a_header(name: &str) -> bool {
    let declared = |text: &str| {
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            matches!(before, Some(' ' | ':' | '(' | '*')) && matches!(after, Some('(' | ')' | ';'))
        })
    };
    HEADERS.iter().any(|header| declared(header.text))
}

#[cfg(test)]
mod tests {
    use crate::rewrite_launches;

    fn rewritten(source: &str) -> String {
        rewrite_launches(source).expect("it has complete launches")
    }

    #[test]
    fn the_arguments_choose_among_kernels_of_one_name() {
        let text = rewritten(
            "__global__ void k(const int* a, int n = 1) {}\nextern \"C\" __global__ void k(float* a) {}\n\
             void f(float* a) { k<<<1, 2>>>(a); }",
        );
        assert!(
            text.contains(
                "{} auto workbook_of_k(const int* a, int n = 1) -> \
                 ::workbook::constant<static_cast<void (*)(const int* a, int n)>(&k)>;"
            ) && text.contains("{} auto workbook_of_k(float* a) ->")
                && text.contains("::workbook::deduce("),
            "{text}"
        );
    }

    #[test]
    fn a_kernel_may_have_the_name_of_a_library_function() {
        for name in ["round", "copy", "exit", "ceil_div"] {
            let text = rewritten(&format!(
                "__global__ void {name}(int* a) {{}} void f(int* a) {{ {name}<<<1, 2>>>(a); }}"
            ));
            assert!(text.contains("::workbook::deduce("), "{text}");
        }
        for source in [
            "__global__ void k(int* a); __global__ void k(int* a) {} void f(int* a) { k<<<1, 2>>>(a); }",
            "__global__ void gray(int* a) {} void f(int* a) { gray<<<1, 2>>>(a); }",
        ] {
            assert!(!rewritten(source).contains("deduce"));
        }
    }
}
