//! What the first-level cache does not have of what warps load.

/// Requests that have to wait, by instruction.
#[derive(Debug)]
pub(in crate::model::count) struct Misses {
    /// Those that missed something.
    pub all: Vec<u64>,
    /// Of these, the first of their warp since it last went back in the code or came from a barrier.
    pub first: Vec<u64>,
}

impl Misses {
    /// Of so many instructions.
    pub fn new(instructions: usize) -> Self {
        let none = vec![0; instructions];
        Self { all: none.clone(), first: none }
    }

    pub fn absorb(&mut self, other: &Self) {
        for (mine, theirs) in [(&mut self.all, &other.all), (&mut self.first, &other.first)] {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
    }
}
