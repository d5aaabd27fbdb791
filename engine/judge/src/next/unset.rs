//! What to do about a value that nothing has set: the line of the finding reads it, and is right.

use crate::build::kept::HINT as KEPT;
use crate::build::unset::HINT as UNSET_SUM;
use crate::build::{BY_NONE, FROM_UNSET_HOST, block, host_arrays, launches};
use crate::repair::Repair;
use crate::text::code::is_word;
use runtime::finding::Finding;

/// What to do, if a finding says for certain what is wrong in its line, or in the line that was changed.
pub(super) fn certain(finding: &Finding, repair: &Repair) -> Option<String> {
    if let (Some((_, step)), Some(line)) = (finding.hint.split_once("make it one step, "), finding.line) {
        return Some(format!("make line {line} one step, {}", step.split(". ").next().unwrap_or(step)));
    }
    let line = format!("line {} ", repair.line);
    unset(finding).filter(|what| what.contains(&line) && !what.starts_with("set `"))
}

/// What to do.
pub(super) fn unset(finding: &Finding) -> Option<String> {
    let line = finding.line.filter(|_| finding.code.starts_with("W02"))?;
    if let Some(label) = finding.labels.iter().find(|label| label.text == block::LAUNCHED) {
        return Some(format!(
            "the launch in line {} and the kernel need the same size of a block",
            label.line
        ));
    }
    if let Some((told, _)) = finding.hint.split_once(&format!(": {KEPT}")) {
        return Some(told.to_owned());
    }
    if let Some((told, _)) = finding.hint.split_once(BY_NONE) {
        return Some(told.to_owned());
    }
    if let Some(label) = finding.labels.iter().find(|label| label.text == launches::SWAPPED_HERE) {
        return Some(format!("exchange the two sizes of the launch in line {}", label.line));
    }
    // Another variable may be meant.
    if finding.hint.contains(" passes `") && finding.hint.contains("Likely it should be") {
        return Some(finding.hint.split(", and ").next().unwrap_or(&finding.hint).to_owned());
    }
    if let Some(label) = finding.labels.iter().find(|label| label.text.starts_with("only ")) {
        let bytes = finding.hint.split_once("not elements: ").and_then(|(_, rule)| rule.split_once('.'));
        let rule = bytes.map_or_else(String::new, |(rule, _)| format!(": {rule}"));
        return Some(format!("line {} writes {}{rule}", label.line, label.text));
    }
    // Of an array of the host, what reads too far, or fills too little.
    if finding.message.ends_with(host_arrays::NO_ELEMENT) || finding.hint.contains(host_arrays::LAST) {
        return Some(finding.hint.clone());
    }
    if let Some((_, fills)) = finding.message.split_once(host_arrays::IN_PART) {
        return Some(fills.to_owned());
    }
    if let Some(label) = finding.labels.iter().find(|label| label.text == FROM_UNSET_HOST) {
        let told = finding.hint.split_once(&format!(": {UNSET_SUM}")).or_else(|| {
            finding.hint.split_once(": ").filter(|(told, _)| told.starts_with("the copy of line"))
        });
        let general = || format!("set what line {} copies", label.line);
        return Some(told.map_or_else(general, |(told, _)| told.to_owned()));
    }
    let name = finding.message.split_once("it comes from `")?.1.split(['[', '`']).next()?;
    let is_name = is_word(name);
    // A value that is stored may have been read in a line before.
    let read = finding.labels.iter().find(|label| label.text.contains("is read here"));
    let line = read.map_or(line, |label| label.line);
    is_name.then(|| match finding.message.split_once("; line ") {
        Some((_, fills)) => format!("line {fills}, and line {line} reads the rest"),
        None => format!("set `{name}` before line {line} reads it"),
    })
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Label, Severity};

    use super::*;

    #[test]
    fn bytes_that_a_line_leaves_out_come_before_the_change_of_it() {
        let message =
            "an atomic works with a value that nothing has written: it comes from `bins[64]` of line 76";
        let hint = "copies and fills count bytes, not elements: n elements need `n * sizeof(element)`. If the kernel";
        let mut finding =
            Finding::new("W0203", Kind::Initialisation, Severity::Error, message.to_owned(), hint)
                .at("mine.cu", 29, 20);
        let text = "only 256 of 1024 bytes".to_owned();
        finding.labels.push(Label { file: "mine.cu".to_owned(), line: 77, column: 5, text });
        let tried = |line: u32| Repair { line, told: "with `a` in it, all cases are right".to_owned() };
        let said = "line 77 writes only 256 of 1024 bytes: n elements need `n * sizeof(element)`";
        assert_eq!(certain(&finding, &tried(77)).as_deref(), Some(said));
        assert_eq!(certain(&finding, &tried(29)), None);
        let hint = "other threads come between: make it one step, `atomicAdd(&n[v], 1)`. There is no other";
        hint.clone_into(&mut finding.hint);
        let said = "make line 29 one step, `atomicAdd(&n[v], 1)`";
        assert_eq!(certain(&finding, &tried(8)).as_deref(), Some(said));
    }
}
