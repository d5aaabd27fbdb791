//! Pictures of the committed measurements.

mod beside;
mod ladders;
mod operations;
mod then;

use simulator::model::Gpu;

pub use ladders::roof;

use crate::data::Data;
use crate::page::Page;

/// All of them, as `NAME.svg`.
pub fn of_data(data: &[Data], gpu: &Gpu) -> Vec<Page> {
    let pictures = [ladders::all(data, gpu), then::all(data), beside::all(data), operations::all(data)];
    pictures.concat().into_iter().map(|(name, text)| Page { name: format!("{name}.svg"), text }).collect()
}
