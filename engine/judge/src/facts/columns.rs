//! A sum over the copies of a counter that leaves some of them out.

use crate::build::arguments::launches;
use crate::build::block::body;
use crate::build::code::places;
use crate::build::expression::parsed;
use crate::build::walk::{Thread, Way};
use crate::build::{indices_of, sides_of};

/// What to try.
pub const HINT: &str = "a count is the sum of all its copies: let the loop begin with the first, number 0, and go on to their number";

/// The loop of a kernel of `task` that adds more than half of the columns of an array of the block and not all of them, as a fact.
pub fn told(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        body(text, launch.kernel).into_iter().find_map(|(line, source)| {
            let (_, value) = source.split_once("+=").filter(|(before, _)| !before.ends_with('['))?;
            let (name, rest) =
                value.rsplit_once("+=").map_or(value, |(_, value)| value).trim().split_once('[')?;
            let (_, sides) = sides_of(name, line, text)?;
            let side = *sides.last().filter(|_| sides.len() > 1)?;
            let (found, _) = indices_of(&value[places(value, name).next()? + name.len()..])?;
            let index = parsed(found.last().filter(|_| found.len() == sides.len() && !rest.is_empty())?)?;
            let way = Way::to(text, task, line, source.rfind("+=")?)?;
            let of = way.loops().last().filter(|of| way.depends(&index, &|name| name == of.name))?;
            let mut all = Vec::new();
            for round in way.counted(of, &Thread::default(), &[])? {
                all.push(way.value(&index, &Thread::default(), &[(of.name.clone(), round)])?);
            }
            all.sort_unstable();
            all.dedup();
            let added = all.len() as i64;
            (added < side && 2 * added > side).then(|| {
                format!("the loop of line {} adds {added} of the {side} columns of `{name}`", of.line)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_sum_of_not_all_columns_is_told() {
        let told = |sum: &str| {
            let text = format!(
                "__global__ void k(int* a) {{\n    __shared__ int s[256][32];\n    int sum = 0;\n    {sum}\n    a[0] = sum;\n}}\nvoid f(int* a) {{\n    k<<<1, 256>>>(a);\n}}\n"
            );
            super::told(&text, "f")
        };
        let said = "the loop of line 4 adds 31 of the 32 columns of `s`";
        assert_eq!(
            told("for (int k = 0; k < 31; k++) sum += s[threadIdx.x][(k + threadIdx.x) % 32];").as_deref(),
            Some(said)
        );
        for right in [
            "for (int k = 0; k < 32; k++) sum += s[threadIdx.x][k];",
            "for (int k = 0; k < 8; k++) sum += s[threadIdx.x / 4][k];",
        ] {
            assert_eq!(told(right), None, "{right}");
        }
    }
}
