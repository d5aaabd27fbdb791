//! Orders through atomics: a fence and then an atomic (or `volatile` store) releases what came before; an
//! atomic (or `volatile` load) of the same word, and then a fence or barrier, acquires it. So locks and the
//! last-block pattern are silent.

use std::collections::HashMap;

/// Up to where a warp has acquired the releases of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// Which word.
    pub word: usize,
    /// How many of its releases.
    pub count: usize,
    /// Lanes that acquired it.
    pub lanes: u32,
    /// A fence or barrier followed, so that plain loads may rely on it.
    pub effective: bool,
}

impl Token {
    /// Adds it to a warp's tokens.
    pub fn add_to(self, tokens: &mut Vec<Self>) {
        match tokens.iter_mut().find(|token| token.word == self.word) {
            Some(token) => {
                token.effective = (token.effective && token.count >= self.count) || self.effective;
                token.count = token.count.max(self.count);
                token.lanes |= self.lanes;
            }
            None => tokens.push(self),
        }
    }
}

/// One release.
#[derive(Debug)]
struct Release {
    block: u32,
    warp: usize,
    lane: usize,
    /// Within the block, and to the grid.
    rows: [Vec<u32>; 2],
    own: [u32; 2],
}

/// Releases of one word that are kept apart. Past them a thread's next release takes the place of its last one, which then tells of a
/// little more: a loop without an end that releases in each turn takes no more memory, and at worst a race in it is missed.
const MOST_RELEASES: usize = 1 << 15;

/// A word that threads order themselves by.
#[derive(Debug, Default)]
struct Word {
    releases: Vec<Release>,
    /// Releases of each block, by number.
    by_block: HashMap<u32, Vec<usize>>,
    /// The last one of each thread: block, warp, lane.
    last: HashMap<(u32, usize, usize), usize>,
    /// What its releasers had acquired from other words: from which release on, word, count.
    inherited: Vec<(usize, usize, usize)>,
    /// By word, the highest count in there.
    highest: HashMap<usize, usize>,
}

/// An access to be looked up: block, warp, lane, time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub block: u32,
    pub warp: usize,
    pub lane: usize,
    pub time: u32,
}

/// All such words.
#[derive(Debug, Default)]
pub(super) struct Releases {
    words: Vec<Word>,
    numbers: HashMap<(bool, u64), usize>,
}

impl Releases {
    /// Whether nothing was ever released.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Forgets the words of a finished block's shared memory.
    pub fn leave_block(&mut self) {
        self.numbers.retain(|(shared, _), _| !shared);
    }

    /// The releases that an atomic of this word acquires now.
    pub fn acquire(&self, shared: bool, address: u64, lanes: u32, effective: bool) -> Option<Token> {
        let &word = self.numbers.get(&(shared, address))?;
        Some(Token { word, count: self.words[word].releases.len(), lanes, effective })
    }

    /// A release to this word.
    pub fn release(
        &mut self,
        (shared, address): (bool, u64),
        who: Moment,
        (rows, own): ([Vec<u32>; 2], [u32; 2]),
        tokens: &[Token],
    ) {
        let number = *self.numbers.entry((shared, address)).or_insert_with(|| {
            self.words.push(Word::default());
            self.words.len() - 1
        });
        let word = &mut self.words[number];
        let index = word.releases.len();
        if let Some(last) = word.releases.last()
            && (last.block, last.warp, last.lane) == (who.block, who.warp, who.lane)
            && last.rows == rows
            && last.own == own
        {
            return;
        }
        for token in tokens.iter().filter(|token| token.effective && token.word != number) {
            let highest = word.highest.entry(token.word).or_default();
            if *highest < token.count {
                *highest = token.count;
                word.inherited.push((index, token.word, token.count));
            }
        }
        let release = Release { block: who.block, warp: who.warp, lane: who.lane, rows, own };
        let last = word.last.insert((who.block, who.warp, who.lane), index);
        if let Some(last) = last.filter(|_| index >= MOST_RELEASES) {
            word.last.insert((who.block, who.warp, who.lane), last);
            word.releases[last] = release;
            return;
        }
        word.by_block.entry(who.block).or_default().push(index);
        word.releases.push(release);
    }

    /// Whether the first `count` releases of `word` tell of this access to a thread of block `reader`.
    pub fn cover(&self, word: usize, count: usize, access: Moment, reader: u32) -> bool {
        let mut seen: Vec<(usize, usize)> = Vec::new();
        let mut open = vec![(word, count)];
        while let Some((number, count)) = open.pop() {
            if seen.iter().any(|&(n, c)| n == number && c >= count) {
                continue;
            }
            seen.push((number, count));
            let word = &self.words[number];
            let reach = usize::from(access.block != reader);
            let of_block = word.by_block.get(&access.block).into_iter().flatten();
            for &index in of_block.take_while(|&&index| index < count) {
                let release = &word.releases[index];
                let own = (release.warp, release.lane) == (access.warp, access.lane)
                    && access.time < release.own[reach];
                if own || access.time < release.rows[reach][access.warp] {
                    return true;
                }
            }
            open.extend(word.inherited.iter().filter(|(from, ..)| *from < count).map(|&(_, w, c)| (w, c)));
        }
        false
    }
}
