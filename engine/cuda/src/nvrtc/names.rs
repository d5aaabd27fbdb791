//! The names of files that NVRTC is given, and back.
//!
//! NVRTC makes every relative name in `.file` entries absolute with the current folder, even for headers that are
//! only in memory. It also puts the base name of the source into mangled names from an unnamed namespace. So that
//! the same text gives the same PTX on every machine, NVRTC is given a fixed folder, and the entries get the names
//! of the request afterwards.

use std::path::Path;

use super::types::Request;
use crate::diagnostics::Diagnostic;

/// This folder does not exist, so no file beside the source can be included.
const FOLDER: &str = "/workbook-source/";

/// The name that NVRTC is given: a fixed folder, and no characters that are special in PTX.
pub(super) fn told(file: &str) -> String {
    let base = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or("");
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    let base: String = base.chars().map(plain).collect();
    format!("{FOLDER}{}", if base.is_empty() { "source.cu" } else { &base })
}

/// Replaces the name that NVRTC was given by that of the request.
pub(super) fn restore_in_diagnostics(diagnostics: &mut [Diagnostic], request: &Request<'_>) {
    let told = told(request.file);
    for diagnostic in diagnostics {
        if diagnostic.file == told {
            request.file.clone_into(&mut diagnostic.file);
        }
        if diagnostic.message.contains(&told) {
            diagnostic.message = diagnostic.message.replace(&told, request.file);
        }
    }
}

/// Sets the `.file` entries of PTX to the names of the request: that of the source, and those of headers as they
/// are written in `#include`.
pub(super) fn restore_in_ptx(ptx: &str, request: &Request<'_>) -> String {
    let here = std::env::current_dir().map(|folder| folder.to_string_lossy().into_owned());
    restore_from(ptx, request, here.as_deref().unwrap_or(""))
}

fn restore_from(ptx: &str, request: &Request<'_>, here: &str) -> String {
    let told = told(request.file);
    let name = |path: &str| {
        if path == told {
            return Some(request.file.replace(['"', '\\', '\n', '\r'], "_"));
        }
        let below = path.strip_prefix(here.trim_end_matches('/'))?.strip_prefix('/')?;
        request.headers.iter().any(|(header, _)| *header == below).then(|| below.to_owned())
    };
    let entry = |line: &str| {
        let (before, path) = line.strip_prefix("\t.file\t")?.split_once('"')?;
        let (path, after) = path.rsplit_once('"')?;
        Some(format!("\t.file\t{before}\"{}\"{after}", name(path)?))
    };
    let mut text = String::with_capacity(ptx.len());
    for line in ptx.split_inclusive('\n') {
        match entry(line) {
            Some(entry) => text.push_str(&entry),
            None => text.push_str(line),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvrtc::Target;

    #[test]
    fn entries_are_restored() {
        let headers = [("workbook.cuh", ""), ("cuda/std/limits", "")];
        let file = "/home/a \"b\"/my lab.cu";
        let request = Request { source: "", file, headers: &headers, options: &[], target: Target::Ptx(90) };
        assert_eq!(told(file), "/workbook-source/my_lab.cu");
        for (here, path, restored) in [
            ("/here", "/workbook-source/my_lab.cu", "/home/a _b_/my lab.cu"),
            ("/here", "/here/workbook.cuh", "workbook.cuh"),
            ("/here", "/here/cuda/std/limits", "cuda/std/limits"),
            ("/", "/workbook.cuh", "workbook.cuh"),
            ("/here", "/here/other.h", "/here/other.h"),
            ("/here", "/herewith/workbook.cuh", "/herewith/workbook.cuh"),
        ] {
            let ptx = format!("\t.loc 1 2 3\n\t.file\t1 \"{path}\"\n\tret;\n");
            let expected = format!("\t.loc 1 2 3\n\t.file\t1 \"{restored}\"\n\tret;\n");
            assert_eq!(restore_from(&ptx, &request, here), expected);
        }
    }
}
