//! A small SVG writer. Colours are classes that `theme/pictures.css` defines for light and dark pages; they are those of Okabe and
//! Ito, which colour-blind readers tell apart. A picture is included in a page as HTML, so it has no empty lines.

use std::fmt::Write as _;

/// Where a text stands beside its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
    /// To the left of it.
    End,
}

/// Upper left corner, and size.
pub type Rectangle = ([f64; 2], [f64; 2]);

/// A picture.
#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    description: String,
    body: String,
}

impl Svg {
    /// An empty picture. `description` says in words what a reader sees.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (escaped(title), escaped(description));
        Self { width, height, title, description, body: String::new() }
    }

    /// A rectangle.
    pub fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// Many rectangles of one class: corners and sizes.
    pub fn runs(&mut self, class: &str, rects: &[Rectangle]) {
        if rects.is_empty() {
            return;
        }
        let mut path = String::new();
        for ([x, y], [width, height]) in rects {
            let (width, height) = (short(*width), short(*height));
            let _ = write!(path, "M{} {}h{width}v{height}h-{width}z", short(*x), short(*y));
        }
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// A line.
    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let (x1, y1, x2, y2) = (short(x1), short(y1), short(x2), short(y2));
        let _ =
            writeln!(self.body, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// A dot.
    pub fn dot(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, tip: &str) {
        let (x, y, radius, tip) = (short(x), short(y), short(radius), escaped(tip));
        let _ = writeln!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"><title>{tip}</title></circle>"
        );
    }

    /// Text.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, text) = (short(x), short(y), escaped(text));
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// The picture as HTML.
    pub fn finish(self) -> String {
        let Self { width, height, title, description, body } = self;
        format!(
            "<figure class=\"picture\">\n<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">\n<title>{title}</title>\n<desc>{description}</desc>\n\
             {body}</svg>\n<figcaption>{title}</figcaption>\n</figure>\n"
        )
    }
}

/// A coordinate with one decimal.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_says_in_words_what_it_shows() {
        let mut svg = Svg::new(10.0, 20.0, "a < b", "two dots");
        svg.text("", [1.25, 2.0], Anchor::Middle, "x & y");
        let text = svg.finish();
        for part in ["<title>a &lt; b</title>", "<desc>two dots</desc>", "x=\"1.2\" y=\"2\"", ">x &amp; y<"] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert!(!text.contains("\n\n"), "an empty line would end the HTML in a page");
    }
}
