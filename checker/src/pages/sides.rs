//! Code of two rungs, which the HTML shows side by side: as one block of code for a terminal, with the same signs.

/// A page with each comparison as a block of code.
pub fn as_code(markdown: &str) -> String {
    let mut out = String::new();
    // Inside a comparison: what is between its tags, and whether it is shown.
    let mut inside = false;
    let mut again = false;
    for line in markdown.lines() {
        match line {
            "<div class=\"sides\">" => {
                inside = true;
                out += "```diff\n";
            }
            "</div>" if inside => {
                inside = false;
                out += "```\n";
            }
            _ if inside => {
                if line.starts_with('<') {
                    // The second column repeats what both have.
                    again = line.starts_with("<pre class=\"same again\">");
                }
                if !again && !line.starts_with("<p>") {
                    let code =
                        line.split_once('>').filter(|_| line.starts_with('<')).map_or(line, |(_, code)| code);
                    let code = code.strip_suffix("</pre>").unwrap_or(code);
                    if !code.is_empty() {
                        out += &unescaped(code);
                        out.push('\n');
                    }
                }
            }
            _ => {
                out += line;
                out.push('\n');
            }
        }
    }
    out
}

fn unescaped(code: &str) -> String {
    code.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_becomes_code_and_the_rest_stays() {
        let page = "a\n<div class=\"sides\">\n<p>01.cu</p>\n<p>02.cu</p>\n<pre class=\"same\">&nbsp; b\n&nbsp; c</pre>\n<pre class=\"same \
                    again\">&nbsp; b\n&nbsp; c</pre>\n<pre class=\"before\">− x &lt; y</pre>\n<pre class=\"after\"></pre>\n</div>\nd\n";
        assert_eq!(as_code(page), "a\n```diff\n  b\n  c\n− x < y\n```\nd\n");
    }
}
