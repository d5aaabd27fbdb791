//! The first lines of a test program or of an example of the book: its inputs, expected outputs and expected findings.

use super::formula::{Formula, Inputs, Value};
use runtime::finding::{Kind, Severity};
use runtime::poison;

/// Element type of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Element {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

/// Name in a header, name in C++, type.
const ELEMENTS: &[(&str, &str, Element)] = &[
    ("u8", "unsigned char", Element::U8),
    ("i8", "signed char", Element::I8),
    ("u16", "unsigned short", Element::U16),
    ("i16", "short", Element::I16),
    ("u32", "unsigned int", Element::U32),
    ("i32", "int", Element::I32),
    ("u64", "unsigned long long", Element::U64),
    ("i64", "long long", Element::I64),
    ("f32", "float", Element::F32),
    ("f64", "double", Element::F64),
];

/// One parameter of the host function `run`.
#[derive(Debug, Clone)]
pub enum Parameter {
    /// A buffer that the program reads.
    Input(Buffer),
    /// A buffer that it fills.
    Output {
        /// The buffer.
        buffer: Buffer,
        /// Whether it holds zeros before the call.
        zeroed: bool,
        /// Whether its contents are those expected; else any will do.
        values: bool,
    },
    /// An `int`.
    Int(String, i32),
}

/// A buffer and its bytes: contents of an input, expected contents of an output.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// Parameter name.
    pub name: String,
    /// Element type.
    pub element: Element,
    /// Number of elements.
    pub length: usize,
    /// Contents, little endian.
    pub bytes: Vec<u8>,
}

/// How a finding is identified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// Its code, such as `W0101`.
    Code(String),
    /// Its family.
    Kind(Kind),
}

/// A finding that must be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// As the header says it; the marks at the lines repeat it.
    pub word: String,
    /// Which.
    pub which: Which,
    /// How bad.
    pub severity: Severity,
    /// The lines marked `// <- WORD`.
    pub lines: Vec<u32>,
    /// The lines marked `// <- with WORD`.
    pub partners: Vec<u32>,
}

/// A tool of compute-sanitizer.
pub const TOOLS: &[&str] = &["memcheck", "racecheck", "initcheck", "synccheck"];

/// All that a header says.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// One sentence.
    pub about: String,
    /// Of `run`, in order.
    pub parameters: Vec<Parameter>,
    /// The expected findings; empty for a program that is right.
    pub findings: Vec<Expected>,
    /// The expected printed text, if that is checked.
    pub printed: Option<String>,
    /// Why it must not run on a real GPU.
    pub gpu_skip: Option<String>,
    /// Why its outcome does not count yet.
    pub pending: Option<String>,
    /// The tool of compute-sanitizer that ought to see the defect (or be silent).
    pub sanitizer: Option<String>,
}

const KINDS: &[(&str, Kind)] = &[
    ("host", Kind::Host),
    ("memory", Kind::Memory),
    ("initialisation", Kind::Initialisation),
    ("race", Kind::Race),
    ("barrier", Kind::Barrier),
    ("launch", Kind::Launch),
    ("performance", Kind::Performance),
    ("lint", Kind::Lint),
];

impl Element {
    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// The C++ type, by its fundamental name.
    pub fn spelling(self) -> &'static str {
        ELEMENTS.iter().find(|(.., element)| *element == self).map_or("", |(_, name, _)| name)
    }

    /// The bytes of a value. A whole number has to fit; for the bits of a negative one write `u32(…)`.
    fn bytes(self, value: Value) -> Result<Vec<u8>, String> {
        let whole = |signed: bool| -> Result<Vec<u8>, String> {
            let Value::Int(value) = value else { return Err(format!("{value:?} is not a whole number")) };
            let bits = 8 * self.size() as u32;
            let (low, high) =
                if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            if !(low..=high).contains(&value) {
                return Err(format!("{value} does not fit {}", self.spelling()));
            }
            Ok(value.to_le_bytes()[..self.size()].to_vec())
        };
        let float = match value {
            Value::Int(value) => value as f64,
            Value::Float(value) => value,
        };
        match self {
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => whole(false),
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => whole(true),
            Self::F32 => Ok((float as f32).to_le_bytes().to_vec()),
            Self::F64 => Ok(float.to_le_bytes().to_vec()),
        }
    }

    /// The value of one element.
    pub fn value(self, bytes: &[u8]) -> Value {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_le_bytes(word);
        match self {
            Self::I8 => Value::Int(i128::from(word as i8)),
            Self::I16 => Value::Int(i128::from(word as i16)),
            Self::I32 => Value::Int(i128::from(word as i32)),
            Self::I64 => Value::Int(i128::from(word as i64)),
            Self::F32 => Value::Float(f64::from(f32::from_bits(word as u32))),
            Self::F64 => Value::Float(f64::from_bits(word)),
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => Value::Int(i128::from(word)),
        }
    }
}

impl Header {
    /// Reads the header of a program; the error says what is wrong.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut header = Self::default();
        let mut none = false;
        let mut inputs = Inputs::new();
        for (key, value) in entries(text) {
            let value = value.as_str();
            if let Some(parameter) = parameter(key, value, &mut inputs)? {
                header.parameters.push(parameter);
                continue;
            }
            match key {
                "about" => value.clone_into(&mut header.about),
                "finding" if value == "none" => none = true,
                "finding" => header.findings.push(expected(value, text)?),
                "printed" => {
                    let all = header.printed.get_or_insert_default();
                    all.push_str(value);
                    all.push('\n');
                }
                "gpu" => {
                    let reason = value.strip_prefix("skip ").ok_or("`gpu` is for `skip REASON`")?;
                    header.gpu_skip = Some(reason.to_owned());
                }
                "pending" => header.pending = Some(value.to_owned()),
                "sanitizer" if TOOLS.contains(&value) => header.sanitizer = Some(value.to_owned()),
                _ => return Err(format!("`{key}: {value}` means nothing")),
            }
        }
        if header.about.is_empty() {
            return Err("has no `// about:` line".to_owned());
        }
        if none != header.findings.is_empty() {
            return Err("must say either `finding: none` or the expected findings".to_owned());
        }
        every_mark_is_expected(text, &header.findings)?;
        Ok(header)
    }

    /// The C parameters of `run`.
    pub fn signature(&self) -> String {
        signature(&self.parameters)
    }

    /// Whether the header gives the values of every output.
    pub fn gives_all_values(&self) -> bool {
        self.parameters.iter().all(|parameter| !matches!(parameter, Parameter::Output { values: false, .. }))
    }

    /// Whether an error must be found: no output can then be trusted.
    pub fn is_defect(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

impl Buffer {
    /// Its elements.
    pub fn values(&self) -> Vec<Value> {
        self.bytes.chunks(self.element.size()).map(|bytes| self.element.value(bytes)).collect()
    }
}

/// The C parameters of a host function with these.
pub fn signature(parameters: &[Parameter]) -> String {
    let each = parameters.iter().map(|parameter| match parameter {
        Parameter::Input(buffer) => format!("const {}* {}", buffer.element.spelling(), buffer.name),
        Parameter::Output { buffer, .. } => format!("{}* {}", buffer.element.spelling(), buffer.name),
        Parameter::Int(name, _) => format!("int {name}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The parameter that a line of a header describes, if it describes one: `input`, `output` or `int`.
pub fn parameter(key: &str, value: &str, inputs: &mut Inputs) -> Result<Option<Parameter>, String> {
    Ok(Some(match key {
        "input" => {
            let (buffer, _) = buffer(value, inputs, false)?;
            inputs.insert(buffer.name.clone(), buffer.values());
            Parameter::Input(buffer)
        }
        "output" => {
            let zeroed = value.contains(": zeroed ");
            let (buffer, values) = buffer(&value.replace(": zeroed ", ": "), inputs, true)?;
            Parameter::Output { buffer, zeroed, values }
        }
        "int" => {
            let (name, number) = value.split_once('=').ok_or("`int` without a value")?;
            let number = number.trim().parse().map_err(|_| format!("`{number}` is not an int"))?;
            Parameter::Int(name.trim().to_owned(), number)
        }
        _ => return Ok(None),
    }))
}

/// Keys and values of the first lines. A line that begins with more than one space continues the one before.
pub fn entries(text: &str) -> Vec<(&str, String)> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        let Some(comment) = line.strip_prefix("//") else { break };
        if let (Some(more), Some((_, value))) = (comment.strip_prefix("  "), entries.last_mut()) {
            value.push(' ');
            value.push_str(more.trim());
            continue;
        }
        let Some(at) = comment.trim_start().find([' ', ':']) else { break };
        let (key, value) = comment.trim_start().split_at(at);
        let value = value.strip_prefix(':').unwrap_or(value);
        // Further spaces belong to the value: printed lines may begin with some.
        entries.push((key, value.strip_prefix(' ').unwrap_or(value).to_owned()));
    }
    entries
}

/// `NAME: TYPE[LENGTH] = VALUES`; and whether it gives values.
fn buffer(text: &str, inputs: &Inputs, may_be_any: bool) -> Result<(Buffer, bool), String> {
    let wrong = || format!("`{text}` is not `NAME: TYPE[LENGTH] = VALUES`");
    let (name, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (shape, contents) = rest.split_once('=').ok_or_else(wrong)?;
    let (element, length) =
        shape.trim().strip_suffix(']').and_then(|s| s.split_once('[')).ok_or_else(wrong)?;
    let element = ELEMENTS.iter().find(|(name, ..)| *name == element).ok_or_else(wrong)?.2;
    let length: usize = length.parse().map_err(|_| wrong())?;
    let contents = contents.trim();
    let named = |bytes| Buffer { name: name.trim().to_owned(), element, length, bytes };
    if may_be_any && contents == "any" {
        return Ok((named(vec![0; length * element.size()]), false));
    }
    if let Some(seed) = contents.strip_prefix("noise") {
        let seed = seed.trim().parse().map_err(|_| wrong())?;
        return Ok((named(poison::pattern(seed, length * element.size())), true));
    }
    let list = contents.strip_prefix('{').and_then(|list| list.strip_suffix('}'));
    let formulas = match list {
        Some(list) => list.split(';').map(Formula::parse).collect::<Result<Vec<_>, _>>(),
        None => Formula::parse(contents).map(|formula| vec![formula]),
    };
    let formulas = formulas.map_err(|error| format!("{error} in `{contents}`"))?;
    if list.is_some() && formulas.len() != length {
        return Err(format!("`{}` lists {} values for {length} elements", name.trim(), formulas.len()));
    }
    let mut bytes = Vec::new();
    for index in 0..length {
        let formula = if list.is_some() { &formulas[index] } else { &formulas[0] };
        let value = formula.value(inputs, &mut vec![("i".to_owned(), Value::Int(index as i128))]);
        let element = value.and_then(|value| element.bytes(value));
        bytes.extend(element.map_err(|error| format!("{error} in element {index} of `{contents}`"))?);
    }
    Ok((named(bytes), true))
}

/// `W0101 error` or `race error`, and its marks in the text.
fn expected(value: &str, text: &str) -> Result<Expected, String> {
    let (word, severity) = value.split_once(' ').ok_or_else(|| format!("`{value}` has no severity"))?;
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "note" => Severity::Note,
        _ => return Err(format!("`{severity}` is not a severity")),
    };
    let kind = KINDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| Which::Kind(*kind));
    let is_code = word.len() == 5 && word.starts_with('W');
    let which = kind
        .or_else(|| is_code.then(|| Which::Code(word.to_owned())))
        .ok_or_else(|| format!("`{word}` is neither a code nor a kind"))?;
    let marked = |mark: &str| {
        let lines = text.lines().enumerate().filter(|(_, line)| marks(line).any(|found| found == mark));
        lines.map(|(index, _)| index as u32 + 1).collect()
    };
    let (lines, partners) = (marked(word), marked(&format!("with {word}")));
    Ok(Expected { word: word.to_owned(), which, severity, lines, partners })
}

/// The text of the mark at the end of a line: `race` of `x = y; // <- race`, several with commas between.
fn marks(line: &str) -> impl Iterator<Item = &str> {
    line.split_once("// <- ").map_or("", |(_, marks)| marks).split(',').map(str::trim)
}

fn every_mark_is_expected(text: &str, findings: &[Expected]) -> Result<(), String> {
    let known = |mark: &str| {
        let word = mark.strip_prefix("with ").unwrap_or(mark);
        mark.is_empty() || findings.iter().any(|finding| finding.word == word)
    };
    match text.lines().flat_map(marks).find(|mark| !known(mark)) {
        Some(mark) => Err(format!("a line is marked `{mark}`, which the header does not expect")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "// about: Adds.\n// input in: u8[4] = i * 2\n// output out: zeroed u32[4] =\n//   in[i] + 1\n\
        // output list: f32[2] = {0.5; -1}\n// int n = -3\n// finding: race error\n// gpu: skip hangs\n\nx; // <- race\n\
        y; // <- with race\n";

    #[test]
    fn a_header_is_read() {
        let header = Header::read(GOOD).expect("it is right");
        assert_eq!(header.signature(), "const unsigned char* in, unsigned int* out, float* list, int n");
        let Parameter::Output { buffer, zeroed: true, values: true } = &header.parameters[1] else {
            panic!()
        };
        assert_eq!(buffer.bytes, [1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0]);
        assert_eq!((&header.findings[0].lines[..], &header.findings[0].partners[..]), (&[10][..], &[11][..]));
        assert_eq!(header.gpu_skip.as_deref(), Some("hangs"));
    }

    #[test]
    fn what_is_wrong_with_a_header_is_said() {
        for (from, to, words) in [
            ("// about: Adds.\n", "", "about"),
            ("race error", "race bad", "not a severity"),
            ("race error", "W01 error", "neither a code"),
            ("// finding: race error", "// finding: none", "is marked `race`"),
            ("// finding: race error\n", "", "either `finding: none`"),
            ("{0.5; -1}", "{0.5}", "1 values for 2"),
            ("in[i] + 1", "in[i] - 1", "does not fit"),
            ("int n", "itn n", "means nothing"),
            ("u8[4]", "u9[4]", "is not `NAME"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let error = Header::read(&GOOD.replacen(from, to, 1)).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }
}
