//! Launches inside device code (dynamic parallelism): the compiler would end with a name of the checker's own.

use crate::error::RewriteError;
use crate::launch::Launch;
use crate::region::{Region, closing, kernel_name, regions};
use crate::{conditional, lexer};

/// The body of a kernel.
#[derive(Debug)]
pub(crate) struct Body {
    kernel: String,
    start: usize,
    end: usize,
}

impl Body {
    /// Whether this place is in it.
    pub fn holds(&self, place: usize) -> bool {
        (self.start..self.end).contains(&place)
    }

    /// The error of a launch in this kernel.
    pub fn launches(&self, launch: &Launch, source: &str) -> Option<RewriteError> {
        let inside = self.holds(launch.open);
        let child = source[launch.kernel..launch.open].trim();
        inside.then(|| {
            let message = format!(
                "the kernel `{}` launches `{child}`: launches inside kernels (dynamic parallelism) are not available here; \
                 launch `{child}` from the host function, after `{}`",
                self.kernel, self.kernel
            );
            RewriteError::at(source, launch.open, message)
        })
    }
}

/// The bodies of the kernels that a region defines.
pub(crate) fn bodies(region: &Region<'_>, source: &str) -> Vec<Body> {
    let tokens = region.tokens.as_slice();
    let body = |global: usize| {
        let name = kernel_name(region, source, global)?;
        let last = closing(tokens, name + 1)?;
        let open = tokens.get(last + 1).filter(|token| token.is('{'))?;
        let end = closing(tokens, last + 1)?;
        let kernel = tokens[name].text(source).to_owned();
        Some(Body { kernel, start: open.start, end: tokens[end].end })
    };
    (0..tokens.len()).filter(|&at| tokens[at].text(source) == "__global__").filter_map(body).collect()
}

/// The text with a `return` at the beginning of each kernel, for the host pass, which needs no more of a kernel than its name and its
/// parameters: the rest is still read, but not optimised. A kernel with more text in the line of its `{` stays, so that columns
/// of messages do; and so does all of a text that is not understood.
pub(crate) fn without_bodies(rewritten: &str) -> String {
    let Ok(tokens) = lexer::tokens(rewritten) else { return rewritten.to_owned() };
    let (tokens, _) = conditional::live(&tokens, rewritten);
    let mut begins: Vec<usize> = Vec::new();
    for region in regions(&tokens, rewritten).iter().filter(|region| !region.in_macro) {
        begins.extend(bodies(region, rewritten).iter().map(|body| body.start + 1));
    }
    begins.sort_unstable();
    let (mut out, mut done) = (String::with_capacity(rewritten.len()), 0);
    for begin in begins {
        let line = rewritten[begin..].lines().next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with("//") && !line.ends_with('\\') {
            out.push_str(&rewritten[done..begin]);
            out.push_str(" return;");
            done = begin;
        }
    }
    out + &rewritten[done..]
}

#[cfg(test)]
mod tests {
    use super::without_bodies;
    use crate::rewrite_launches;

    #[test]
    fn a_launch_in_a_kernel_is_told_with_both_names() {
        for (parent, line) in [
            ("__global__ void parent(int* a) {\n child<<<1, 2>>>(a);\n}", 3),
            (
                "template <int N>\n__global__ void __launch_bounds__(N) parent(int* a) { if (N) { child<<<1, N>>>(a); } }",
                3,
            ),
        ] {
            let error =
                rewrite_launches(&format!("__global__ void child(int* a) {{}}\n{parent}")).unwrap_err();
            assert_eq!(error.line, line);
            assert!(error.message.contains("`parent` launches `child`"), "{}", error.message);
        }
        let host = "__global__ void child(int* a) {} void host(int* a) { child<<<1, 2>>>(a); }";
        assert!(rewrite_launches(host).is_ok());
    }

    #[test]
    fn kernels_return_at_once_in_the_host_pass_and_columns_stay() {
        let emptied = |text: &str| without_bodies(text);
        assert_eq!(
            emptied("template <int N>\n__global__ void k(int* a)  // why\n{\n  a[0] = N;\n}\nvoid f() {\n}"),
            "template <int N>\n__global__ void k(int* a)  // why\n{ return;\n  a[0] = N;\n}\nvoid f() {\n}"
        );
        assert_eq!(emptied("__global__ void k() {  // why\n}"), "__global__ void k() { return;  // why\n}");
        for stays in [
            "__global__ void k(int* a) { a[0] = 1; }",
            "__global__ void k(int* a) { // a\\\n b\n}",
            "__global__ void k(int* a);\nvoid f() {\n}",
            "#define K __global__ void k() { \\\n }",
            "__global__ void k() {\n int a[] = {",
            "#if 0\n__global__ void k() {\n}\n#endif",
        ] {
            assert_eq!(emptied(stays), stays);
        }
    }
}
