//! From a student's file to the translation unit and options for the compiler.
//!
//! An option force-includes the runtime shim, so that no text precedes the student's first line. The checker's own
//! lines follow the last line, under a separate file name.

use crate::device_code;
use crate::entries::{self, Entry};

/// The two compilations of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// The host function as PTX, with the runtime calls trapped.
    Host,
    /// The kernels only.
    Device,
}

/// The file name of the checker's own lines after the student's text. The line number is the entry's index + 1;
/// [`crate::explain_entry_errors`] explains an error there.
pub const ENTRY_FILE: &str = "workbook-entries";

/// The whole text for one pass: the rewritten source under its own line numbers, then the entries.
///
/// The device pass needs no entries: NVRTC keeps every kernel that the host functions launch, templates and
/// `static` ones too, and drops the host functions, which no kernel calls.
pub fn translation_unit(rewritten: &str, pass: Pass, entries: &[Entry<'_>]) -> String {
    match pass {
        Pass::Host => {
            let text = device_code::without_bodies(rewritten);
            format!("{text}\n#line 1 \"{ENTRY_FILE}\"\n{}", entries::text(entries))
        }
        Pass::Device => rewritten.to_owned(),
    }
}

/// Compiler options of a pass.
///
/// The student's warnings come from the device pass; the host pass would repeat them.
pub fn options(pass: Pass) -> Vec<String> {
    let shared = ["--std=c++20", "--pre-include=workbook_runtime.cuh"];
    let own: &[&str] = match pass {
        Pass::Host => &["-DWORKBOOK_HOST", "--disable-warnings"],
        // 1290 comes with an undefined kernel name (see `include/runtime/launch.cuh`), which is an error already.
        // 2908 warns of `[=]` in a member function, as C++17 writes it.
        // The others: a pointer or reference to what is gone when its function returns.
        Pass::Device => &["--diag-suppress=1290,2908", "--diag-error=430,836,1056"],
    };
    shared.iter().chain(own).map(|&option| option.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const ENTRY: Entry<'_> = Entry { function: "gray", parameters: "const uint8_t* rgb, int n" };

    #[test]
    fn the_students_lines_come_first_and_unchanged() {
        let source = "int a;\n// no newline at the end";
        assert_eq!(translation_unit(source, Pass::Device, &[ENTRY]), source);
        let host = translation_unit(source, Pass::Host, &[ENTRY, ENTRY]);
        let rest = host.strip_prefix(source).expect("the source comes first");
        assert!(rest.starts_with("\n#line 1 \"workbook-entries\"\n"), "{rest}");
        assert_eq!(rest.lines().count(), 4, "one line an entry: {rest}");
    }
}
