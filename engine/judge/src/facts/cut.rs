//! A grid of at most so many blocks, for a kernel that does not go on from there.

use crate::build::arguments::launches;
use crate::build::block::body;
use crate::build::code::{has, kernel_to, last_name, numbered_lines, places};

/// What to try.
pub const HINT: &str = "let each thread go on by the threads of the whole grid until all pixels are done, `for (int i = first; i < pixels; i += gridDim.x * \
                        blockDim.x)`; or launch as many blocks as the picture needs";

/// The launch of a grid that is cut, and its kernel without a loop by the grid's size, as a fact.
pub fn told(source: &str, task: &str) -> Option<String> {
    launches(source, task).iter().find_map(|launch| {
        let grid = launch.sizes.split(',').next()?;
        let cuts = |text: &str| has(text, "min");
        let line = if cuts(&launch.sizes) && launch.sizes.find("min") < launch.sizes.rfind(',') {
            launch.line
        } else {
            let given = |line: &str| line.split_once(" = ").filter(|(name, _)| last_name(name) == grid).map(|(_, given)| cuts(given));
            let mut host = numbered_lines(source).filter(|(line, _)| kernel_to(*line, source).is_none());
            host.find(|(_, line)| given(line) == Some(true))?.0
        };
        let lines = body(source, launch.kernel);
        let whole: String = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
        // A variable that holds the grid's size, and nothing uses, moves nothing.
        let goes_on = lines.iter().any(|(_, line)| {
            let set = line.split_once('=').map(|(name, _)| last_name(name.trim_end()));
            let used = |name: &str| places(&whole, name).count() > 1;
            has(line, "gridDim") && set.is_none_or(|name| name.is_empty() || has(line, "for") || used(name))
        });
        let helper = numbered_lines(source).any(|(number, line)| has(line, "gridDim") && kernel_to(number, source).is_none());
        (!goes_on && !helper).then(|| {
            format!("line {line} cuts the number of blocks (`min`), and `{}` has no loop by the size of the grid, `gridDim`: the pixels of the blocks that are missing have no thread", launch.kernel)
        })
    })
}
