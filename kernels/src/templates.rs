//! Kernel templates whose arguments a launch leaves to be deduced: `template <class T> __global__ void k(T* x)` and
//! `k<<<g, b>>>(x)`.
//!
//! A launch needs the kernel's address before its arguments are seen, so nothing could be deduced. Beside each kernel
//! template the rewriter therefore declares a function with the same template and parameters, `workbook_of_k`, whose
//! result type names the kernel. A launch asks for the type of its call (`deduce` in `include/runtime/launch.cuh`).

use crate::lexer::{Kind, Token};
use crate::region::{Region, closing, kernel_name, split};

/// What the companion of a kernel `k` is called, before `k`.
pub(crate) const PREFIX: &str = "workbook_of_";

/// A kernel template.
#[derive(Debug)]
pub(crate) struct KernelTemplate {
    pub name: String,
    /// Template arguments that a launch has to write for nothing to be deduced; `usize::MAX` with a parameter pack.
    pub needed: usize,
    /// Where the declaration ends: the companion follows.
    pub end: usize,
    /// The companion's declaration.
    pub companion: String,
}

/// The kernel templates that a region declares.
pub(crate) fn find(region: &Region<'_>, source: &str) -> Vec<KernelTemplate> {
    let tokens = region.tokens.as_slice();
    (0..tokens.len().saturating_sub(1))
        .filter(|&at| tokens[at].text(source) == "template" && tokens[at + 1].is('<'))
        .filter_map(|at| template(region, source, at))
        .collect()
}

fn template(region: &Region<'_>, source: &str, at: usize) -> Option<KernelTemplate> {
    let tokens = region.tokens.as_slice();
    let close = closing(tokens, at + 1)?;
    let begins = |token: &&Token| token.is(';') || token.is('{') || token.is('}');
    let until = close + tokens[close..].iter().position(begins)?;
    let global = (close..until).find(|&index| tokens[index].text(source) == "__global__")?;
    let name = kernel_name(region, source, global).filter(|&name| name < until)?;
    let last = closing(tokens, name + 1)?;
    let after = last + tokens[last..].iter().position(|token| token.is(';') || token.is('{'))?;
    let end = if tokens[after].is(';') { after } else { closing(tokens, after)? };

    let mut header = Vec::new();
    let mut names = Vec::new();
    let mut needed = 0_usize;
    for (number, parameter) in split(&tokens[at + 2..close]).into_iter().enumerate() {
        let (declared, default) = parameter.split_at(default_at(parameter));
        let pack = declared.iter().any(|token| token.is('.'));
        let mut text = text(declared, source);
        let own = match declared {
            [.., before, name] if name.kind == Kind::Name && !before.is(':') => Some(*name),
            _ => pointed_at(declared),
        };
        let known = own.map_or_else(|| format!("workbook_{number}"), |name| name.text(source).to_owned());
        if own.is_none() {
            text = format!("{text} {known}");
        }
        needed = match (pack, default.is_empty()) {
            (true, _) => usize::MAX,
            // One with a default before it has to be written, too.
            (false, true) => needed.max(number + 1),
            (false, false) => needed,
        };
        header.push(format!("{text} {}", self::text(default, source)));
        names.push(if pack { format!("{known}...") } else { known });
    }
    if names.is_empty() {
        return None;
    }
    let parameters = split(&tokens[name + 2..last]);
    let all: Vec<String> = parameters.iter().map(|parameter| text(parameter, source)).collect();
    let plain: Vec<String> =
        parameters.iter().map(|parameter| text(&parameter[..default_at(parameter)], source)).collect();
    let kernel = tokens[name].text(source);
    let companion = format!(
        " template <{}> auto {PREFIX}{kernel}({}) -> ::workbook::constant<static_cast<void (*)({})>(&{kernel}<{}>)>;",
        header.join(", "),
        all.join(", "),
        plain.join(", "),
        names.join(", ")
    );
    Some(KernelTemplate { name: kernel.to_owned(), needed, end: tokens[end].end, companion })
}

/// The name of a parameter that points to a function or refers to one, `float (*name)(float)`.
fn pointed_at<'a>(declared: &[&'a Token]) -> Option<&'a Token> {
    let points = |four: &&[&'a Token]| {
        four[0].is('(')
            && (four[1].is('*') || four[1].is('&'))
            && four[2].kind == Kind::Name
            && four[3].is(')')
    };
    declared.windows(4).find(points).map(|four| four[2])
}

/// Where the default value of a parameter begins, with its `=`.
pub(crate) fn default_at(parameter: &[&Token]) -> usize {
    let mut depth = 0_i32;
    for (at, token) in parameter.iter().enumerate() {
        match token.kind {
            Kind::Mark('(' | '[' | '{' | '<') => depth += 1,
            Kind::Mark(')' | ']' | '}' | '>') => depth -= 1,
            Kind::Mark('=') if depth == 0 => return at,
            _ => {}
        }
    }
    parameter.len()
}

/// The text of some tokens on one line, without what only a kernel's own parameters may have.
pub(crate) fn text(tokens: &[&Token], source: &str) -> String {
    let mut out = String::new();
    let mut end = None;
    for token in tokens.iter().filter(|token| token.text(source) != "__grid_constant__") {
        if end.is_some_and(|end| end != token.start) {
            out.push(' ');
        }
        out.push_str(token.text(source));
        end = Some(token.end);
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::rewrite_launches;

    fn rewritten(source: &str) -> String {
        rewrite_launches(source).expect("it has complete launches")
    }

    #[test]
    fn a_kernel_template_gets_its_companion_behind_it() {
        let text = rewritten(
            "template <class T, int N = (2 > 1)>\n__global__ void k(const T* in, T* out) {\n}\nint a;",
        );
        assert!(
            text.ends_with(
                "} template <class T , int N = (2 > 1)> auto workbook_of_k(const T* in, T* out) -> \
                 ::workbook::constant<static_cast<void (*)(const T* in, T* out)>(&k<T, N>)>;\nint a;"
            ),
            "{text}"
        );
        for (source, part) in [
            ("template <class... A> __global__ void k(A... a);", "&k<A...>"),
            (
                "template <class T, std::enable_if_t<x<T>, int> = 0> __global__ void k(T a = 1) {}",
                "std::enable_if_t<x<T>, int> workbook_1 = 0> auto workbook_of_k(T a = 1) -> \
                 ::workbook::constant<static_cast<void (*)(T a)>(&k<T, workbook_1>)>;",
            ),
            (
                "template <float (*F)(float), int> __global__ void k(float a) {}",
                "template <float (*F)(float) , int workbook_1 > auto workbook_of_k(float a) -> \
                 ::workbook::constant<static_cast<void (*)(float a)>(&k<F, workbook_1>)>;",
            ),
            (
                "template <int N> __launch_bounds__(N) static __global__ void k(const __grid_constant__ S s) {}",
                "workbook_of_k(const S s)",
            ),
        ] {
            let text = rewritten(source);
            assert!(text.contains(part), "{text}");
        }
        for source in ["template <> __global__ void k<int>(int a) {}", "template <class T> void f(T a) {}"] {
            assert_eq!(rewritten(source), source);
        }
    }

    #[test]
    fn only_launches_that_leave_something_open_are_deduced() {
        let text = rewritten(
            "template <int N = 3, class T> __global__ void k(T a) {}\nvoid f() { k<3><<<1, 2>>>(3); }",
        );
        assert!(text.contains("::workbook::deduce([]"), "{text}");
        let kernel = "template <int N, class T, int M = 1> __global__ void k(T a) {}\n";
        let launch = |call: &str| rewritten(&format!("{kernel}void f() {{ {call}; }}"));
        for call in ["k<<<1, 2>>>(3)", "k<4><<<1, 2>>>(3)", "a::k<4><<<1, 2>>>(3)"] {
            let text = launch(call);
            assert!(text.contains("::workbook::deduce([]") && text.contains("workbook_of_k"), "{text}");
        }
        assert!(launch("a::k<4><<<1, 2>>>(3)").contains("decltype(a::workbook_of_k<4>(static_cast"));
        for call in ["k<4, int><<<1, 2>>>(3)", "k<4, A<1, 2>, 3><<<1, 2>>>(3)", "other<<<1, 2>>>(3)"] {
            let text = launch(call);
            assert!(text.contains("::workbook::prepare(") && !text.contains("deduce"), "{text}");
        }
    }
}
