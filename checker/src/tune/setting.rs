//! Reading the values of options: `--set`, `--size`, `--levels`.

use judge::exit::Stop;
use judge::tunable::check_value;

/// Longest side of an image, larger than any task's.
const MAX_SIDE: usize = 16_384;

/// A constant and its values: `--set name=1,2`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub name: String,
    pub values: Vec<String>,
}

/// Reads `name=1,2`.
pub(super) fn setting(text: &str) -> Result<Setting, Stop> {
    let bad = |why: String| {
        Stop::Usage(format!("failed to read `--set {text}`: {why}; write `--set block_size=64,128`"))
    };
    let (name, values) = text.split_once('=').ok_or_else(|| bad("there is no `=`".into()))?;
    let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
    values.iter().try_for_each(|value| check_value(value)).map_err(bad)?;
    Ok(Setting { name: name.trim().to_owned(), values })
}

/// Reads `640x426`.
pub(super) fn size(text: &str) -> Result<(usize, usize), Stop> {
    let side = |side: &str| side.parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
    sides.ok_or_else(|| {
        Stop::Usage(format!(
            "`{text}` is not an image size: write for example `640x426`, with sides from 1 to {MAX_SIDE}"
        ))
    })
}

/// The values without repetitions, in their order.
pub(super) fn once<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    let mut kept = Vec::with_capacity(values.len());
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Checks the numbers of gray levels.
pub(super) fn levels(levels: Vec<usize>) -> Result<Vec<usize>, Stop> {
    match levels.iter().find(|count| !(1..=256).contains(*count)) {
        Some(count) => Err(Stop::Usage(format!("`--levels {count}`: an 8-bit image has 1 to 256 levels"))),
        None => Ok(once(levels)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_settings_are_read() {
        assert_eq!(size("640x426").ok(), Some((640, 426)));
        assert!(size("0x4").is_err() && size("640").is_err() && size("99999x1").is_err());
        assert!(setting("a=1,2").is_ok_and(|set| set.values == ["1", "2"]));
        assert!(setting("a").is_err() && setting("a=1;2").is_err());
        assert!(
            levels(vec![1, 256, 1]).is_ok_and(|levels| levels == [1, 256])
                && levels(vec![0]).is_err()
                && levels(vec![257]).is_err()
        );
    }
}
