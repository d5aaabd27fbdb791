//! A task on an image: the image, the call for the runtime, the shapes of the outputs.

use lab::{Argument, Case, FewestBytes, Image, ImageError, Memory, OutputShape, Task};
use runtime::job::{Job, JobArgument, Place};
use runtime::timing::YardstickBytes;

use crate::exit::Stop;

/// The seed of random images and patterns where no other is asked for.
pub const PUBLIC_SEED: u64 = 1;

/// A call of `function` with a task's arguments. `pixels` and `poison` are those of [`Job`].
pub fn job(function: &str, arguments: Vec<Argument>, pixels: u64, poison: u64) -> Job {
    Job::new(function, arguments.into_iter().map(argument).collect(), pixels, poison)
}

/// The image of a case.
pub fn image(case: &Case, seed: u64) -> Result<Image, Stop> {
    case.image(seed).map_err(|error| no_image(case, &error))
}

/// Width and height of a case's image.
pub fn size(case: &Case) -> Result<(usize, usize), Stop> {
    case.size().map_err(|error| no_image(case, &error))
}

/// The image of a case for a call in which no kernel runs. Where the inputs lie in GPU memory nothing reads its pixels: they are zero,
/// and take no time to make.
pub fn unread(task: &dyn Task, case: &Case, seed: u64) -> Result<Image, Stop> {
    let (width, height) = size(case)?;
    let channels = if task.is_gray() { 1 } else { 3 };
    let blank = |width, height| Image { width, height, channels, data: vec![0; width * height * channels] };
    let host = |argument: &Argument| matches!(argument, Argument::Input { memory: Memory::Host, .. });
    if task.arguments(&blank(1, 1)).iter().any(host) {
        return image(case, seed);
    }
    Ok(blank(width, height))
}

fn no_image(case: &Case, error: &ImageError) -> Stop {
    Stop::environment(format!("failed to create the image of case `{}`: {error}", case.name))
}

/// The shapes of a task's outputs on an image, for the comparison with known mistakes.
pub fn shapes(task: &dyn Task, image: &Image) -> Vec<OutputShape> {
    let arguments = task.arguments(image).into_iter();
    let shape = |argument| match argument {
        Argument::Output { name, element, row, zeroed, .. } => {
            Some(OutputShape { name, element, row, zeroed })
        }
        _ => None,
    };
    arguments.filter_map(shape).collect()
}

/// The bytes that the yardstick moves for a task.
pub fn yardstick_bytes(FewestBytes { read, write }: FewestBytes) -> YardstickBytes {
    YardstickBytes { read, write }
}

fn argument(argument: Argument) -> JobArgument {
    let place = |memory| match memory {
        Memory::Device => Place::Device,
        Memory::Host => Place::Host,
    };
    match argument {
        Argument::Input { name, memory, bytes, .. } => {
            JobArgument::Input { name: name.to_owned(), place: place(memory), bytes }
        }
        Argument::Output { name, memory, element, length, zeroed, .. } => JobArgument::Output {
            name: name.to_owned(),
            place: place(memory),
            size: length * element.size(),
            zeroed,
        },
        Argument::Int { value, .. } => JobArgument::Int(value),
    }
}
