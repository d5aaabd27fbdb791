//! Two files side by side.

use serde_json::{Value, json};

use super::Pages;
use super::source::lines;
use crate::Error;
use crate::result::{Pair, points};
use crate::similar::{Line, compare};

/// The page of a pair: names and texts.
pub fn pair(pages: &Pages, pair: &Pair, texts: [&str; 2], published: &[String]) -> Result<Vec<u8>, Error> {
    let compared = compare(texts[0], texts[1], published);
    let file = |id: &str, text: &str, kinds: &[Line]| -> Value {
        let rows: Vec<Value> = lines(text)
            .into_iter()
            .zip(kinds)
            .map(|(row, kind)| {
                let kind = match kind {
                    Line::Own => "",
                    Line::Known => "known",
                    Line::Alike => "hit",
                };
                json!({ "number": row.number, "text": row.text, "kind": kind })
            })
            .collect();
        json!({ "id": id, "source": rows })
    };
    pages.render(
        "pair.html",
        &json!({
            "share": points((100.0 * pair.share).round()),
            "tokens": pair.tokens,
            "a": file(&pair.a, texts[0], &compared.a),
            "b": file(&pair.b, texts[1], &compared.b),
        }),
    )
}
