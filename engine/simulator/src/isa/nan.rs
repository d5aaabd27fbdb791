//! NaNs in double precision.
//!
//! PTX leaves the bits open. Read off an H200: an operand that is NaN comes out with its sign and payload, made quiet;
//! where no operand was one, `0xfff8000000000000` does (`ptxas` writes the same constant in its own square root).
//! Not known of a GPU, and settled here, because a simulation has to give the same on every host and host arithmetic
//! does not (x86-64 and ARM differ, and compilers swap operands): of several NaNs the first comes out, a
//! subtrahend keeps its sign, and 16-bit types that are widened keep sign and payload like single precision.
//! Results in shorter types have one NaN for all: [`canonical`](super::rounding::canonical).

/// Set in a NaN that does not signal.
const QUIET: u64 = 1 << 51;

/// The NaN that an operation makes of operands that are none.
const MADE: u64 = 0xfff8_0000_0000_0000;

/// The result of an operation on these operands, given the host's result.
#[inline(always)]
pub(crate) fn nan64<const N: usize>(operands: [f64; N], value: f64) -> f64 {
    if value.is_nan() { f64::from_bits(chosen(&operands)) } else { value }
}

#[cold]
fn chosen(operands: &[f64]) -> u64 {
    operands.iter().find(|operand| operand.is_nan()).map_or(MADE, |nan| nan.to_bits() | QUIET)
}

/// A single-precision number in double precision; a NaN keeps sign and payload.
pub(crate) fn widened(value: f32) -> f64 {
    let bits = u64::from(value.to_bits());
    if value.is_nan() {
        let sign = (bits & 0x8000_0000) << 32;
        f64::from_bits(sign | MADE & !(1 << 63) | (bits & 0x007f_ffff) << 29)
    } else {
        f64::from(value)
    }
}

/// To the nearest of single precision; a NaN keeps its sign and what fits of its payload.
pub(crate) fn shortened(value: f64) -> f32 {
    let bits = value.to_bits();
    if value.is_nan() {
        let sign = (bits >> 32) as u32 & 0x8000_0000;
        f32::from_bits(sign | 0x7fc0_0000 | (bits >> 29) as u32 & 0x003f_ffff)
    } else {
        value as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_nan_comes_out_quiet() {
        let (signalling, other) =
            (f64::from_bits(0x7ff0_0000_0000_0123), f64::from_bits(0xfff8_0000_0000_0456));
        assert_eq!(nan64([1.0, signalling], f64::NAN).to_bits(), 0x7ff8_0000_0000_0123);
        assert_eq!(nan64([other, signalling], f64::NAN).to_bits(), 0xfff8_0000_0000_0456);
        assert_eq!(nan64([0.0, f64::INFINITY], f64::NAN).to_bits(), MADE);
        assert_eq!(nan64([other], 2.0).to_bits(), 2f64.to_bits());
    }

    #[test]
    fn payloads_survive_conversion() {
        assert_eq!(widened(f32::from_bits(0xff80_0001)).to_bits(), 0xfff8_0000_2000_0000);
        assert_eq!(shortened(f64::from_bits(0xfff0_0000_2000_0000)).to_bits(), 0xffc0_0001);
        assert_eq!(widened(f32::INFINITY).to_bits(), f64::INFINITY.to_bits());
        assert_eq!(shortened(0.1).to_bits(), 0.1f32.to_bits());
    }
}
