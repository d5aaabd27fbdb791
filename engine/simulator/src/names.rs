//! Names of kernels and variables as the student wrote them.

/// A kernel's name as the student wrote it.
pub fn readable(mangled: &str) -> String {
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    // A plain name may be the code of a type: `s` is that of `short`.
    let symbol = mangled.starts_with("_Z").then(|| cpp_demangle::Symbol::new(mangled).ok()).flatten();
    symbol
        .and_then(|symbol| symbol.demangle_with_options(&options).ok())
        .unwrap_or_else(|| mangled.to_owned())
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn plain_names_stay_as_they_are() {
        assert_eq!(["s", "i", "counts", "_Z4grayPKhPhi"].map(readable), ["s", "i", "counts", "gray"]);
    }
}
