//! An example: its file, taken apart.

use std::path::{Path, PathBuf};

use super::column::Column;
use crate::programs::{Buffer, Inputs, Parameter, entries, parameter};
use judge::exit::Stop;
use judge::labs;
use judge::submission::{Submission, plain};
use judge::workspace::cuda_files;

/// Where the examples lie in a checkout and in a workbook.
pub const FOLDER: &str = "book/examples";

/// A file of the book's examples.
#[derive(Debug)]
pub struct Example {
    /// As on the command line: `coalescing`.
    pub name: String,
    /// One sentence.
    pub about: String,
    /// The file.
    pub file: Submission,
    /// The parameters of each host function, with their contents.
    pub parameters: Vec<Parameter>,
    /// Elements that each variant processes.
    pub elements: u64,
    /// Times are predicted for so many times the elements.
    pub scale: f64,
    /// The `int` that is so many times as large then.
    pub grows: Option<String>,
    /// Whether the grid stays as it is then; else it has so many times the blocks.
    pub fixed_grid: bool,
    /// Whether inputs and outputs lie in host memory.
    pub over_link: bool,
    /// The columns of its table.
    pub columns: Vec<Column>,
    /// Its host functions.
    pub variants: Vec<Variant>,
}

/// A host function of an example.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub function: String,
    /// What it does, in a few words.
    pub about: String,
    /// The expected cells of the columns that are counted; a code such as `W0101` if that finding stops it.
    pub cost: Vec<String>,
}

/// All examples of the checkout at `root`, by name.
pub fn load(root: &Path) -> Result<Vec<Example>, Stop> {
    files(root)?.iter().map(|path| Example::read(path)).collect()
}

/// The example of this name.
pub fn named(root: &Path, name: &str) -> Result<Example, Stop> {
    let files = files(root)?;
    let names: Vec<String> = files.iter().map(|path| stem(path)).collect();
    let Some(index) = names.iter().position(|known| known == name) else {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let advice = "`checker try` lists the examples";
        return Err(Stop::Usage(labs::unknown("example", name, &known, advice)));
    };
    Example::read(&files[index])
}

fn files(root: &Path) -> Result<Vec<PathBuf>, Stop> {
    let files = cuda_files(&root.join(FOLDER))?;
    if files.is_empty() {
        let text =
            format!("`{}` has no examples: `checker init .` in that folder brings them", root.display());
        return Err(Stop::Usage(text));
    }
    Ok(files)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Example {
    fn read(path: &Path) -> Result<Self, Stop> {
        let name = stem(path);
        let file = plain(path, &format!("{FOLDER}/{name}.cu"), "check that the checkout is whole")?;
        let failed = |error| Stop::Usage(format!("the first lines of `{}` are wrong: {error}", file.shown));
        let mut example = Self {
            name,
            about: String::new(),
            parameters: Vec::new(),
            elements: 0,
            scale: 1.0,
            grows: None,
            fixed_grid: false,
            over_link: false,
            columns: Vec::new(),
            variants: Vec::new(),
            file: file.clone(),
        };
        example.fill(&file.text).map_err(failed)?;
        Ok(example)
    }

    fn fill(&mut self, text: &str) -> Result<(), String> {
        let mut inputs = Inputs::new();
        for (key, value) in entries(text) {
            if let Some(parameter) = parameter(key, &value, &mut inputs)? {
                self.parameters.push(parameter);
                continue;
            }
            match key {
                "about" => self.about = value,
                "elements" => self.elements = number(&value)?,
                "scale" => self.scale = number(&value)? as f64,
                "grows" => self.grows = Some(value),
                "grid" if value == "fixed" => self.fixed_grid = true,
                "link" => self.over_link = true,
                "columns" => self.columns = Column::list(&value)?,
                "variant" => {
                    let (function, about) = pair(&value)?;
                    self.variants.push(Variant { function, about, cost: Vec::new() });
                }
                "cost" => {
                    let (function, cells) = pair(&value)?;
                    let variant = self.variants.iter_mut().find(|variant| variant.function == function);
                    let variant = variant.ok_or_else(|| format!("`{function}` is not a variant"))?;
                    variant.cost = cells.split(';').map(|cell| cell.trim().to_owned()).collect();
                }
                _ => return Err(format!("`{key}: {value}` means nothing")),
            }
        }
        if self.about.is_empty() || self.variants.is_empty() || self.elements == 0 {
            return Err("`about`, `elements` or `variant` is missing".to_owned());
        }
        Ok(())
    }

    /// Bytes of all inputs, and of all outputs.
    pub fn bytes(&self) -> [u64; 2] {
        let sum = |output: bool| {
            let own = self.parameters.iter().filter_map(|parameter| match parameter {
                Parameter::Input(buffer) if !output => Some(buffer),
                Parameter::Output { buffer, .. } if output => Some(buffer),
                _ => None,
            });
            own.map(|buffer: &Buffer| buffer.bytes.len() as u64).sum()
        };
        [sum(false), sum(true)]
    }
}

fn pair(value: &str) -> Result<(String, String), String> {
    let (name, rest) = value.split_once(':').ok_or_else(|| format!("`{value}` has no `:`"))?;
    Ok((name.trim().to_owned(), rest.trim().to_owned()))
}

fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a whole number"))
}
