//! A kernel that is called like a function: `kernel(arguments)`, without `<<<grid, block>>>`.
//!
//! nvcc rejects it. Here the host pass compiles kernels as host functions, so the call would run once on the host and fail
//! at its first access to GPU memory, with a message about the access.

use std::collections::HashSet;

use crate::error::RewriteError;
use crate::lexer::{Kind, Token};
use crate::region::{Region, closing, kernel_name};

/// The first such call of a source.
pub(crate) fn find(region: &Region<'_>, source: &str) -> Option<RewriteError> {
    let text = |at: usize| region.tokens.get(at).map_or("", |token| token.text(source));
    let declared: HashSet<usize> = (0..region.tokens.len())
        .filter(|at| text(*at) == "__global__")
        .filter_map(|at| kernel_name(region, source, at))
        .collect();
    // A host function may have a kernel's name; a call means that one, then.
    let shared: HashSet<&str> = (1..region.tokens.len())
        .filter(|&at| !declared.contains(&at) && is_declaration(region, source, at))
        .map(text)
        .collect();
    let kernels: HashSet<&str> =
        declared.iter().map(|at| text(*at)).filter(|name| !shared.contains(name)).collect();
    // A statement begins after one of these, so the name is a call and not a declaration.
    let begins = |before: &Token| before.is(';') || before.is('{') || before.is('}') || before.is(')');
    let called = |at: &usize| {
        let (before, next) = (region.tokens[at - 1], region.tokens.get(at + 1));
        kernels.contains(text(*at))
            && !declared.contains(at)
            && next.is_some_and(|next| next.is('('))
            && begins(before)
    };
    let at = (1..region.tokens.len()).find(called)?;
    let name = text(at);
    let message = format!(
        "`{name}` is a kernel, but it is called like a function: launch it with a number of threads, \
         `{name}<<<blocks, threads_per_block>>>(…)`"
    );
    Some(RewriteError::at(source, region.tokens[at].start, message))
}

/// Whether a function is declared here: a type, this name, parameters, and a body or `;`.
fn is_declaration(region: &Region<'_>, source: &str, at: usize) -> bool {
    let tokens = region.tokens.as_slice();
    let (before, name) = (tokens[at - 1], tokens[at]);
    let is_type = match before.kind {
        Kind::Name => {
            !["return", "else", "do", "case", "new", "throw", "goto"].contains(&before.text(source))
        }
        Kind::Mark(mark) => matches!(mark, '*' | '&' | '>'),
        _ => false,
    };
    let open = tokens.get(at + 1).is_some_and(|next| next.is('('));
    name.kind == Kind::Name
        && is_type
        && open
        && closing(tokens, at + 1)
            .and_then(|close| tokens.get(close + 1))
            .is_some_and(|after| after.is('{') || after.is(';'))
}

#[cfg(test)]
mod tests {
    use crate::rewrite_launches;

    const KERNEL: &str = "__global__ void __launch_bounds__(256) k(int* out, int n) {\n}\n";

    #[test]
    fn a_kernel_called_like_a_function_is_told_with_the_form_of_a_launch() {
        let calls = ["k(out, 3);", "if (n > 0) k(out, 3);", "int a = 1; k (out, 3);", "{ k(out, 3); }"];
        for call in calls {
            let source = format!("{KERNEL}void host(int* out, int n) {{ {call} }}");
            let error = rewrite_launches(&source).unwrap_err();
            assert_eq!(error.line, 3, "{call}");
            assert!(error.message.contains("`k<<<blocks, threads_per_block>>>(…)`"), "{}", error.message);
        }
    }

    #[test]
    fn declarations_launches_and_other_names_are_not() {
        for rest in [
            "__global__ void k(int* out, int n);",
            "void host(int* out) { k<<<1, 2>>>(out, 3); }",
            "struct S { void k(int); }; void host(S s) { s.k(1); }",
            "void host() { int k = 0; k++; }",
            "__device__ void f(int); __global__ void g() { f(1); }",
            "void k(const int* in, int n) {} void host(int* in) { k(in, 3); }",
        ] {
            assert!(rewrite_launches(&format!("{KERNEL}{rest}")).is_ok(), "{rest}");
        }
    }
}
