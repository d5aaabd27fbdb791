//! A generated kernel: its text, its launch, its input. All of it follows from seed, family and index.

use super::families::{Family, Shape};
use super::random::Random;
use super::types;
use super::writer::RESULTS;

/// Kernels that are compiled together.
pub const UNIT: u64 = 40;
/// Words of input per thread.
pub const INPUTS: u64 = 8;
/// Cells that atomics share, behind the threads' results.
pub const CELLS: u64 = 64;

/// One kernel.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Number in the run.
    pub index: u64,
    /// The feature that it exercises.
    pub family: Family,
    /// Its functions and itself, without the prelude.
    pub source: String,
    /// How it is launched.
    pub shape: Shape,
    /// The input buffer.
    pub input: Vec<u8>,
    /// The output buffer before the launch.
    pub output: Vec<u8>,
}

impl Kernel {
    /// Kernel `index` of a run whose `families` take turns.
    pub fn generate(seed: u64, index: u64, families: &[Family]) -> Self {
        let number = families.len() as u64;
        let (family, turn) = (families[(index % number) as usize], index / number);
        let mut random = Random::new(seed, index);
        let shape = family.shape(&mut random);
        let threads = shape.threads();
        let words = |random: &mut Random, count: u64| -> Vec<u8> {
            (0..count).flat_map(|_| types::word(random).to_le_bytes()).collect()
        };
        let input = words(&mut random, threads * INPUTS);
        let mut output = vec![0xa5; (threads * RESULTS * 8) as usize];
        output.extend(words(&mut random, CELLS));
        let source = family.source(&name(index), turn, shape, random);
        Self { index, family, source, shape, input, output }
    }

    /// Its name in the compiled image.
    pub fn name(&self) -> String {
        name(self.index)
    }

    /// The result word of this byte, for people: the thread and its word, or the shared cell.
    pub fn place(&self, byte: usize) -> String {
        let word = byte as u64 / 8;
        let results = self.shape.threads() * RESULTS;
        if word < results {
            format!("thread {}, result {}", word / RESULTS, word % RESULTS)
        } else {
            format!("cell {}", word - results)
        }
    }

    /// The input words of the thread that wrote this byte.
    pub fn inputs_of(&self, byte: usize) -> Vec<u64> {
        let thread = byte as u64 / 8 / RESULTS;
        if thread >= self.shape.threads() {
            return Vec::new();
        }
        let start = (thread * INPUTS * 8) as usize;
        self.input[start..start + (INPUTS * 8) as usize]
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
            .collect()
    }
}

fn name(index: u64) -> String {
    format!("k{index}")
}

/// The kernels of a unit.
pub fn unit(seed: u64, number: u64, count: u64, families: &[Family]) -> Vec<Kernel> {
    let last = ((number + 1) * UNIT).min(count);
    (number * UNIT..last).map(|index| Kernel::generate(seed, index, families)).collect()
}

/// The text of these kernels of unit `number`, ready to be compiled.
pub fn text(seed: u64, number: u64, kernels: &[Kernel]) -> String {
    let mut text = include_str!("prelude.cuh").to_owned();
    text += &tables(seed, number);
    for kernel in kernels {
        text += &kernel.source;
    }
    text
}

/// The unit's variables in constant and global memory.
fn tables(seed: u64, number: u64) -> String {
    let mut random = Random::new(seed ^ 0x7461_626c_6573, number);
    let mut list = |count: usize, mask: u64| -> String {
        let values: Vec<String> = (0..count).map(|_| format!("{:#x}u", random.next() & mask)).collect();
        values.join(", ")
    };
    let constants = list(64, 0xffff_ffff);
    let bytes = list(256, 0xff);
    format!(
        "\n__constant__ u32 constants[64] = {{{constants}}};\n\
         __device__ const u8 bytes_of[256] = {{{bytes}}};\n\
         extern __shared__ u64 dynamic_shared[];\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_follows_from_seed_and_index() {
        for index in 0..40 {
            let one = Kernel::generate(7, index, &Family::DEFAULT);
            let again = Kernel::generate(7, index, &Family::DEFAULT);
            assert_eq!((&one.source, &one.input), (&again.source, &again.input));
            assert_ne!(one.source, Kernel::generate(8, index, &Family::DEFAULT).source);
        }
    }

    #[test]
    fn the_last_unit_holds_what_is_left() {
        assert_eq!(unit(1, 0, 50, &Family::DEFAULT).len(), 40);
        assert_eq!(unit(1, 1, 50, &Family::DEFAULT).len(), 10);
    }

    #[test]
    fn a_byte_tells_its_thread_and_its_inputs() {
        let kernel = Kernel::generate(1, 0, &[Family::Integer]);
        assert_eq!(kernel.place(8 * (4 * 3 + 2)), "thread 3, result 2");
        let first = u64::from_le_bytes(kernel.input[3 * 64..3 * 64 + 8].try_into().expect("eight bytes"));
        assert_eq!(kernel.inputs_of(8 * (4 * 3 + 2))[0], first);
        assert_eq!(kernel.place(kernel.output.len() - 8), "cell 63");
        assert_eq!(kernel.inputs_of(kernel.output.len() - 8), Vec::<u64>::new());
    }
}
