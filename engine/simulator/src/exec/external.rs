//! Functions without a body that device code may call: `printf`, `assert`, `malloc` and `free`.

use super::fault::FaultKind;
use super::heap;
use super::run::External;
use super::warp::Warp;
use crate::decode::{Callee, HEAP_FUNCTIONS, Program};
use crate::layout::{HOST, Layout, in_window};
use crate::memory::View;

/// Most characters of one string that is printed.
const LONGEST_STRING: usize = 4096;
/// Most characters that one call prints.
const LONGEST_TEXT: usize = 16 * 1024;
/// The widest field and the highest precision of a number that are carried out.
const WIDEST: usize = 4096;

/// Carries out a call from a kernel. At most `room` bytes in all are kept in `printed`; a call that finds it full costs
/// little.
pub(crate) fn device_call(
    warp: &mut Warp,
    view: &mut View<'_>,
    program: &Program,
    layout: Layout,
    external: External,
    printed: &mut Vec<u8>,
    room: usize,
) -> Result<(), FaultKind> {
    let Callee::External { name, .. } = &program.calls[external.call as usize].callee else {
        unreachable!("only functions without a body leave the interpreter")
    };
    let reader = Reader { view, layout };
    match name.as_str() {
        "vprintf" => {
            for lane in (0..32).filter(|lane| external.mask >> lane & 1 == 1) {
                let [format, arguments] = [0, 1].map(|n| argument(warp, program, external.call, lane, n));
                let most = room.saturating_sub(printed.len()).min(LONGEST_TEXT);
                let (text, conversions) = format_text(&reader, warp, lane, format, arguments, most);
                // On the GPU `printf` returns the number of its arguments, in C that of the characters.
                let result = if layout == HOST { text.len() } else { conversions };
                set_result(warp, program, external.call, lane, result as u64);
                printed.extend(text);
            }
            Ok(())
        }
        "__assertfail" => {
            let lane = external.mask.trailing_zeros() as usize;
            let [message, file, line, function] =
                [0, 1, 2, 3].map(|n| argument(warp, program, external.call, lane, n));
            let string = |address| String::from_utf8_lossy(&reader.string(warp, lane, address)).into_owned();
            let file_name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
            let message = format!(
                "assertion `{}` failed in `{}` ({}:{})",
                string(message),
                string(function),
                file_name(&string(file)),
                line as u32
            );
            Err(FaultKind::Trap { message: Some(message) })
        }
        name if layout != HOST && HEAP_FUNCTIONS.contains(&name) => {
            let given = |warp: &Warp, lane| argument(warp, program, external.call, lane, 0);
            let returned =
                |warp: &mut Warp, lane, value| set_result(warp, program, external.call, lane, value);
            heap::call(name, view, warp, external.mask, given, returned)
        }
        _ => Err(FaultKind::MissingFunction { name: name.clone() }),
    }
}

/// The value of one argument of an external call: up to 8 bytes.
pub(crate) fn argument(warp: &Warp, program: &Program, call: u32, lane: usize, number: usize) -> u64 {
    let Callee::External { arguments, .. } = &program.calls[call as usize].callee else { return 0 };
    let Some(&(offset, size)) = arguments.get(number) else { return 0 };
    let mut word = [0; 8];
    let size = (size as usize).min(8);
    word[..size].copy_from_slice(&warp.local_of(lane)[offset as usize..offset as usize + size]);
    u64::from_le_bytes(word)
}

/// Sets the return value of the call.
pub(crate) fn set_result(warp: &mut Warp, program: &Program, call: u32, lane: usize, value: u64) {
    let Callee::External { result: Some((offset, size)), .. } = program.calls[call as usize].callee else {
        return;
    };
    let size = (size as usize).min(8);
    warp.local_of_mut(lane)[offset as usize..offset as usize + size]
        .copy_from_slice(&value.to_le_bytes()[..size]);
}

/// Reads a thread's view of generic memory.
pub(crate) struct Reader<'r, 'm> {
    /// Global memory.
    pub view: &'r View<'m>,
    /// Address ranges.
    pub layout: Layout,
}

impl Reader<'_, '_> {
    fn byte(&self, warp: &Warp, lane: usize, address: u64) -> Option<u8> {
        if let Some(offset) = in_window(address, self.layout.local) {
            return warp.local_of(lane).get(offset as usize).copied();
        }
        self.view.byte(address)
    }

    fn word(&self, warp: &Warp, lane: usize, address: u64, bytes: u64) -> u64 {
        (0..bytes).rev().fold(0, |word, index| {
            word << 8 | u64::from(self.byte(warp, lane, address.wrapping_add(index)).unwrap_or(0))
        })
    }

    /// The zero-terminated string at an address.
    pub fn string(&self, warp: &Warp, lane: usize, address: u64) -> Vec<u8> {
        (0..LONGEST_STRING as u64)
            .map_while(|index| self.byte(warp, lane, address.wrapping_add(index)).filter(|&byte| byte != 0))
            .collect()
    }
}

/// Formats like C's `printf`: the arguments lie one after another, each aligned to its size. The text, cut after `most`
/// bytes, and the number of arguments that the format names.
pub(crate) fn format_text(
    reader: &Reader<'_, '_>,
    warp: &Warp,
    lane: usize,
    format: u64,
    arguments: u64,
    most: usize,
) -> (Vec<u8>, usize) {
    let format = reader.string(warp, lane, format);
    let mut out = Vec::new();
    let mut conversions = 0;
    let mut at = arguments;
    let mut take = |bytes: u64| {
        at = at.next_multiple_of(bytes);
        let word = reader.word(warp, lane, at, bytes);
        at += bytes;
        word
    };
    let mut rest = &format[..];
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let end = rest.iter().position(|b| b"diouxXeEfFgGaAcspn%".contains(b));
        let Some(end) = end else {
            out.push(b'%');
            continue;
        };
        let (spec, conversion) = (&rest[..end], rest[end]);
        rest = &rest[end + 1..];
        // Each `*` takes an argument, too.
        conversions += usize::from(conversion != b'%') + spec.split(|&byte| byte == b'*').count() - 1;
        if out.len() >= most {
            continue;
        }
        let mut spec = Spec::parse(spec, &mut take);
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let value = if spec.long { take(8) as i64 } else { i64::from(take(4) as i32) };
                spec.number(&mut out, &value.unsigned_abs().to_string(), value < 0);
            }
            b'u' => {
                let value = if spec.long { take(8) } else { take(4) };
                spec.number(&mut out, &value.to_string(), false);
            }
            b'x' | b'X' | b'o' => {
                let value = if spec.long { take(8) } else { take(4) };
                let digits = match (conversion, spec.alternate && value != 0) {
                    (b'x', false) => format!("{value:x}"),
                    (b'x', true) => format!("{value:#x}"),
                    (b'X', false) => format!("{value:X}"),
                    (b'X', true) => format!("0X{value:X}"),
                    (_, false) => format!("{value:o}"),
                    (_, true) => format!("0{value:o}"),
                };
                spec.number(&mut out, &digits, false);
            }
            b'c' => {
                spec.zero = false;
                spec.pad(&mut out, &[take(4) as u8]);
            }
            b'p' => {
                let text = format!("{:#x}", take(8));
                spec.pad(&mut out, text.as_bytes());
            }
            b's' => {
                let mut text = reader.string(warp, lane, take(8));
                text.truncate(spec.precision.unwrap_or(usize::MAX));
                spec.zero = false;
                spec.pad(&mut out, &text);
            }
            b'n' => {
                take(8);
            }
            _ => {
                let value = f64::from_bits(take(8));
                let text = spec.float(conversion, value.abs());
                spec.number_text(&mut out, &text, value.is_sign_negative() && !value.is_nan());
            }
        }
    }
    out.truncate(most);
    (out, conversions)
}

/// One conversion specification.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "C's flags are independent of each other")]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    long: bool,
    width: usize,
    precision: Option<usize>,
}

impl Spec {
    fn parse(text: &[u8], take: &mut impl FnMut(u64) -> u64) -> Self {
        let mut spec = Self::default();
        let mut precision = false;
        for &byte in text {
            match byte {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'.' => {
                    precision = true;
                    spec.precision = Some(0);
                }
                b'*' => {
                    let value = take(4) as u32 as i32;
                    let bounded = (value.unsigned_abs() as usize).min(WIDEST);
                    match (precision, value < 0) {
                        (true, negative) => spec.precision = (!negative).then_some(bounded),
                        (false, negative) => {
                            spec.width = bounded;
                            spec.left |= negative;
                        }
                    }
                }
                b'0' if !precision && spec.width == 0 => spec.zero = true,
                b'0'..=b'9' => {
                    let field = if precision { spec.precision.get_or_insert(0) } else { &mut spec.width };
                    *field = (*field * 10 + usize::from(byte - b'0')).min(WIDEST);
                }
                b'l' | b'z' | b'j' | b't' => spec.long = true,
                _ => {}
            }
        }
        spec
    }

    fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let fill = self.width.saturating_sub(text.len());
        if !self.left {
            out.resize(out.len() + fill, if self.zero { b'0' } else { b' ' });
        }
        out.extend(text);
        if self.left {
            out.resize(out.len() + fill, b' ');
        }
    }

    /// Digits with precision (fewest digits), sign and padding.
    fn number(&self, out: &mut Vec<u8>, digits: &str, negative: bool) {
        let least = self.precision.unwrap_or(1);
        let digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
        self.number_text(out, &digits, negative);
    }

    fn number_text(&self, out: &mut Vec<u8>, digits: &str, negative: bool) {
        let sign = match () {
            () if negative => "-",
            () if self.plus => "+",
            () if self.space => " ",
            () => "",
        };
        if self.zero && !self.left {
            let fill = self.width.saturating_sub(sign.len() + digits.len());
            out.extend(format!("{sign}{}{digits}", "0".repeat(fill)).into_bytes());
        } else {
            self.pad(out, format!("{sign}{digits}").as_bytes());
        }
    }

    /// The digits of a non-negative floating value.
    fn float(&self, conversion: u8, value: f64) -> String {
        if !value.is_finite() {
            return if value.is_nan() { "nan".into() } else { "inf".into() };
        }
        let precision = self.precision.unwrap_or(6);
        match conversion {
            b'f' | b'F' => format!("{value:.precision$}"),
            b'e' | b'E' => exponential(value, precision, conversion == b'E'),
            _ => {
                let significant = precision.max(1);
                let exponent = exponential(value, significant - 1, false);
                let power: i32 = exponent.rsplit('e').next().and_then(|p| p.parse().ok()).unwrap_or(0);
                let text = if power < -4 || power >= significant as i32 {
                    let (mantissa, power) = exponent.split_once('e').unwrap_or((&exponent, "+00"));
                    format!("{}e{power}", trim_zeros(mantissa))
                } else {
                    let decimals = (significant as i32 - 1 - power).max(0) as usize;
                    trim_zeros(&format!("{value:.decimals$}")).to_owned()
                };
                if conversion == b'G' { text.to_uppercase() } else { text }
            }
        }
    }
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// C's form: at least two digits of exponent, with its sign.
fn exponential(value: f64, precision: usize, upper: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let sign = if power < 0 { '-' } else { '+' };
    let letter = if upper { 'E' } else { 'e' };
    format!("{mantissa}{letter}{sign}{:02}", power.abs())
}
