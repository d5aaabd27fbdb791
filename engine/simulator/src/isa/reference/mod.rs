//! Every spelling of the table beside a second opinion.
//!
//! Each row is run on corner cases and noise in all 32 lanes, and each lane's result compared with what its
//! spelling says: whole numbers in 128 bits, floating-point numbers in software (`rustc_apfloat`), approximations in
//! double precision. Nothing of the table is used here but its spellings. A spelling that this file has no opinion
//! on makes the test fail, unless [`ELSEWHERE`] names the test that has one.

mod compare;
mod convert;
mod float;
mod value;
mod whole;

use std::fmt::Write as _;

use value::{Expect, Form};

use super::table::{Row, all, expand};
use crate::isa::{Action, Class, Inst, LANES, Regs, Slot};

/// Spellings that only the decoder uses and that no single operation describes: spelling, file, test.
const ELSEWHERE: [(&str, &str, &str); 1] =
    [("~video", include_str!("../../../tests/coverage/video.rs"), "video_instructions_follow_the_manual")];

/// What a spelling gives for these operands, by whoever knows it.
fn opinion(form: &Form<'_>, operands: [u64; 4]) -> Option<Expect> {
    compare::expected(form, operands)
        .or_else(|| convert::expected(form, operands))
        .or_else(|| float::expected(form, operands))
        .or_else(|| whole::expected(form, operands))
}

/// Rounds of 32 lanes that each spelling is tried on.
const ROUNDS: u64 = 40;

/// Noise: `SplitMix64`.
fn noise(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// An operand: noise, a number of few bits, or a corner case of some type.
fn operand(state: &mut u64) -> u64 {
    let choice = noise(state);
    let value = noise(state);
    match choice % 8 {
        0 | 1 => value,
        // Shift amounts, positions and counts.
        2 => value % 80,
        3 => 0u64.wrapping_sub(value % 5),
        // Floating-point numbers near 1, in each width.
        4 => (0x3f00_0000 + value % 0x0180_0000) | (value & 0x3fff) << 48,
        5 => 0x3fe0_0000_0000_0000 + value % 0x0040_0000_0000_0000,
        // Two corner cases, so that halves and pairs get them too.
        _ => {
            let corner = |n: u64| CORNERS[n as usize % CORNERS.len()];
            if choice >> 8 & 1 == 0 {
                corner(value)
            } else {
                corner(value) & 0xffff_ffff | corner(value >> 16) << 32
            }
        }
    }
}

/// Zeros, ones, ends of ranges, infinities, NaNs and subnormal numbers of all types.
const CORNERS: [u64; 40] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
    // f16, bf16 and pairs
    0x3c00_3c00,
    0x7c00_fc00,
    0x7e00_0001,
    0x0400_03ff,
    0x3f80_bf80,
    0x7bff_fbff,
    0x7f7f_0080,
    0x3bff_c380,
    // f32
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f7f_ffff,
    0x0080_0000,
    0x007f_ffff,
    0x8000_0001,
    0x4f00_0000,
    0x4b00_0001,
    // f64
    0x3ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0001,
    0x000f_ffff_ffff_ffff,
];

/// The operands of one round, by operand and lane.
fn operands(seed: u64) -> [[u64; LANES]; 4] {
    let mut state = seed;
    let mut out: [[u64; LANES]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| operand(&mut state)));
    // Equal operands, and neighbours, are rarer than they are telling.
    for lane in (0..LANES).step_by(5) {
        out[1][lane] = out[0][lane];
        out[2][(lane + 1) % LANES] = out[0][(lane + 1) % LANES].wrapping_add(1);
    }
    out
}

/// Runs a row; the result of each lane.
fn run(row: &Row, operands: &[[u64; LANES]; 4]) -> ([u64; LANES], u32) {
    let mut regs = Regs { r32: vec![[0; LANES]; 5], r64: vec![[0; LANES]; 5], pred: vec![0; 5] };
    let bits =
        |column: &[u64; LANES]| (0..LANES).fold(0, |bits, lane| bits | (column[lane] as u32 & 1) << lane);
    for (number, column) in operands.iter().enumerate() {
        regs.r32[number] = column.map(|word| word as u32);
        regs.r64[number] = *column;
        regs.pred[number] = bits(column);
    }
    let inst = Inst {
        action: Action::Nothing,
        guard: 0,
        guard_negated: false,
        d: 4,
        a: 0,
        b: 1,
        c: 2,
        e: 3,
        class: Class::Move,
        location: 0,
    };
    (row.run)(&mut regs, &inst, u32::MAX);
    let out = match row.out {
        Slot::R32 => regs.r32[4].map(u64::from),
        Slot::R64 => regs.r64[4],
        Slot::Pred => std::array::from_fn(|lane| u64::from(regs.pred[4] >> lane & 1)),
    };
    (out, regs.pred[3])
}

/// The first lane of a spelling that is not as it should be, in words; or that there is no opinion.
fn fault(row: &Row, spelling: &str) -> Option<String> {
    let form = Form::new(spelling);
    for round in 0..ROUNDS {
        let operands = operands(round * 0x1234_5679 + 7);
        let (got, carries) = run(row, &operands);
        for (lane, &got) in got.iter().enumerate() {
            let these = operands.map(|column| column[lane]);
            // A lane sees as much of an operand as its register file holds.
            let mut seen = these;
            for (number, value) in seen.iter_mut().enumerate() {
                *value = match row.ins.get(number) {
                    Some(Slot::R32) => *value & 0xffff_ffff,
                    Some(Slot::Pred) => *value & 1,
                    _ => *value,
                };
            }
            let Some(expect) = opinion(&form, seen) else { return Some("nobody has an opinion".into()) };
            let carried = u64::from(carries >> lane & 1);
            if !expect.allows(got, carried) {
                return Some(format!("{seen:x?} gave {got:#x} (carry {carried}), expected {expect:x?}"));
            }
        }
    }
    None
}

#[test]
fn every_spelling_does_what_it_says() {
    let mut faults = String::new();
    let (mut rows, mut spellings) = (0, 0);
    for row in all() {
        rows += 1;
        for spelling in expand(row.forms) {
            spellings += 1;
            if let Some((_, file, test)) = ELSEWHERE.iter().find(|(known, ..)| *known == spelling) {
                assert!(file.contains(&format!("fn {test}()")), "`{spelling}`: there is no test `{test}`");
            } else if let Some(fault) = fault(&row, &spelling) {
                let _ = writeln!(faults, "{spelling}: {fault}");
            }
        }
    }
    assert!(rows > 900 && spellings > 1400, "the table was larger once: {rows} rows, {spellings} spellings");
    assert!(faults.is_empty(), "{} of {spellings} spellings:\n{faults}", faults.lines().count());
}

/// Handlers that each row is tried with instead of its own.
const STRANGERS: usize = 12;

/// The check above can fail: it notices a handler of a neighbouring row, whenever that gives anything else.
#[test]
fn a_handler_in_the_wrong_row_is_noticed() {
    let mut rows = all();
    rows.retain(|row| ELSEWHERE.iter().all(|(known, ..)| *known != row.forms));
    let (mut tried, mut missed) = (0, String::new());
    for (number, row) in rows.iter().enumerate() {
        let alike = |other: &&Row| (other.out, other.ins, other.carries) == (row.out, row.ins, row.carries);
        for stranger in rows[number + 1..].iter().filter(alike).take(STRANGERS) {
            let differs = (0..4).any(|round| {
                let operands = operands(round + 1000);
                run(row, &operands) != run(stranger, &operands)
            });
            let mutant = Row { run: stranger.run, ..*row };
            let spelling = &expand(row.forms)[0];
            if !differs {
                continue;
            }
            tried += 1;
            // Approximations of the same function differ by less than the check can see.
            if fault(&mutant, spelling).is_none()
                && !(spelling.contains("approx") || spelling.contains("full"))
            {
                let _ = writeln!(missed, "{spelling} by {}", stranger.forms);
            }
        }
    }
    assert!(tried > 5000, "only {tried} handlers were tried");
    assert!(missed.is_empty(), "{} of {tried} went unnoticed:\n{missed}", missed.lines().count());
}
