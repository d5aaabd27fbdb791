//! Which bytes of the host function's memory nothing has written: the same observer that follows undefined values
//! in kernels, kept from one runtime call to the next.

use std::ops::Range;

use crate::analyses::All;
use crate::decode::{Callee, Program};
use crate::exec::{External, Warp};
use crate::memory::{Memory, runs};
use crate::observe::{Both, Initialisation, Observer, Sink, Undefined};

/// The observer of a host function. One of the type that kernels have, so that no second executor is compiled.
pub(super) struct Watch<'a>(All<'a>);

impl<'a> Watch<'a> {
    pub fn new(program: &'a Program, memory: &Memory) -> Self {
        let mut initialisation = Initialisation::new(program, memory, 1, 0);
        initialisation.block(0);
        Self(Both(Both(None, None), Both(Some(initialisation), None)))
    }

    pub fn observer(&mut self) -> &mut All<'a> {
        &mut self.0
    }

    fn initialisation(&mut self) -> &mut Initialisation<'a> {
        self.0.1.0.as_mut().expect("it was made with one")
    }

    /// The interpreter continues: runtime calls may have allocated and written.
    pub fn resume(&mut self, memory: &mut Memory) {
        self.initialisation().take_up(memory);
    }

    /// It stops for a call, which may ask what is written.
    pub fn pause(&mut self, memory: &mut Memory) {
        memory.set_defined(Some(self.initialisation().hand_over()));
    }

    /// A call has returned: its result is defined.
    pub fn returned(&mut self, warp: &Warp, program: &Program, external: External) {
        if let Callee::External { result, .. } = &program.calls[external.call as usize].callee {
            self.0.external(warp, *result, external.mask);
        }
    }

    /// The undefined values that decided something on the host. One that is only stored is moved, as by a copy: it
    /// counts where it is used.
    pub fn finish(self) -> impl Iterator<Item = Undefined> {
        let uses = self.0.1.0.map(|initialisation| initialisation.finish().0);
        uses.into_iter().flatten().filter(|used| used.sink != Sink::Output)
    }
}

/// Which bytes of the host function's local variables are defined.
pub(super) trait LocalBytes {
    /// Marks some of them as written, or as not.
    fn define(&mut self, warp: &Warp, bytes: Range<usize>, defined: bool);
    /// The parts of these that nothing has written.
    fn undefined(&mut self, warp: &Warp, bytes: Range<usize>) -> Vec<Range<usize>>;
}

impl LocalBytes for Watch<'_> {
    fn define(&mut self, warp: &Warp, bytes: Range<usize>, defined: bool) {
        if let Some(bits) = self.initialisation().local(warp).get_mut(bytes) {
            bits.fill(if defined { 0 } else { 0xff });
        }
    }

    fn undefined(&mut self, warp: &Warp, bytes: Range<usize>) -> Vec<Range<usize>> {
        let bits = self.initialisation().local(warp);
        if bits.get(bytes.clone()).is_none() {
            return Vec::new();
        }
        runs(bytes.filter(|&at| bits[at] != 0))
    }
}
