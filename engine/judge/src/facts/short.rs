//! A copy or fill that leaves out what a kernel reads.

use runtime::engine::{ShortRead, ShortWrite};

use crate::numbers::grouped;

/// What to try if the copy has as many bytes as the array has elements.
const ELEMENTS: &str =
    "the length of a copy counts bytes, not elements: write `n * sizeof(element)` for n elements";
/// What to try otherwise.
const BYTES: &str = "copy all that the kernel reads: the length counts bytes, elements times `sizeof(element)`, and so does the offset in \
                     a variable";
/// What to try if there is no copy.
const NEVER: &str = "copy to it before the launch: `cudaMemcpyToSymbol(name, host, n * sizeof(element))`; kernels cannot write constants";
/// All of them.
pub const HINTS: [&str; 3] = [ELEMENTS, BYTES, NEVER];

/// What was seen, and what to try. A fill of everything may be meant to give the rest its value, unless the copy looks like one that
/// counts elements.
pub fn read(read: &ShortRead) -> Option<(String, &'static str)> {
    let ShortRead { write: ShortWrite { whole, written, name, call, after_fill, location }, offset, line } =
        read;
    let reader = if *line > 0 { format!("line {line}") } else { "a kernel".to_owned() };
    if written.is_empty() {
        let seen = format!(
            "{reader} reads `{name}`, a `__constant__` variable that nothing has written: it holds zeros"
        );
        return Some((seen, NEVER));
    }
    let [whole, bytes] = [whole, written].map(|range| range.end - range.start);
    let elements =
        written.start == read.write.whole.start && [2, 4, 8].contains(&(whole / bytes)) && whole % bytes == 0;
    if *after_fill && !elements {
        return None;
    }
    let writer = location.as_ref().map_or(String::new(), |location| format!(" in line {}", location.line));
    let nothing = if *after_fill { "only the fill before" } else { "nothing" };
    let [bytes, whole, offset] = [bytes, whole, *offset].map(grouped);
    let seen = format!(
        "`{call}`{writer} writes {bytes} of the {whole} bytes of `{name}`, and {reader} reads from byte {offset} on, where {nothing} has \
         written"
    );
    Some((seen, if elements { ELEMENTS } else { BYTES }))
}
