//! Which values of a constant are the same: `60*45`, `2700` and `2'700` would be swept three times.

/// The values without those that repeat an earlier one, in their order.
pub(super) fn distinct(values: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(values.len());
    for value in values {
        if !kept.iter().any(|known| is_same(known, &value)) {
            kept.push(value);
        }
    }
    kept
}

/// Whether two values are the same number, or the same text but for spaces.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.replace(' ', "");
    plain(one) == plain(other) || number(one).is_some_and(|value| number(other) == Some(value))
}

/// The value of an expression of whole numbers, + - * / % and parentheses; `None` of any other.
fn number(text: &str) -> Option<i128> {
    let mut rest: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '\'').rev().collect();
    let value = sum(&mut rest)?;
    rest.is_empty().then_some(value)
}

// Each takes what it reads from the end of `rest`, which is the text backwards.

fn sum(rest: &mut Vec<char>) -> Option<i128> {
    let mut value = product(rest)?;
    while let Some(operator) = rest.pop_if(|next| "+-".contains(*next)) {
        let next = product(rest)?;
        value = if operator == '+' { value.checked_add(next)? } else { value.checked_sub(next)? };
    }
    Some(value)
}

fn product(rest: &mut Vec<char>) -> Option<i128> {
    let mut value = atom(rest)?;
    while let Some(operator) = rest.pop_if(|next| "*/%".contains(*next)) {
        let next = atom(rest)?;
        value = match operator {
            '*' => value.checked_mul(next)?,
            '/' => value.checked_div(next)?,
            _ => value.checked_rem(next)?,
        };
    }
    Some(value)
}

fn atom(rest: &mut Vec<char>) -> Option<i128> {
    if rest.pop_if(|next| *next == '(').is_some() {
        let value = sum(rest)?;
        return rest.pop_if(|next| *next == ')').map(|_| value);
    }
    let mut digits = String::new();
    while let Some(digit) = rest.pop_if(|next| next.is_ascii_digit()) {
        digits.push(digit);
    }
    // An octal number begins with 0.
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn equal_values_are_kept_once() {
        let values = ["60*45", "64", "2700", "64", "2'700", "(1+1)*1350", "size", "size", "010", "10"];
        let kept = distinct(values.map(str::to_owned).into());
        assert_eq!(kept, ["60*45", "64", "size", "010", "10"]);
        assert!(is_same("60 * 45", "60*45") && !is_same("8/3", "3") && is_same("8/3", "2"));
        assert_eq!(number("1/0"), None);
    }
}
