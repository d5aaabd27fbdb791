#![expect(clippy::float_cmp, reason = "whole numbers and their halves")]

use pretty_assertions::assert_eq;

use super::*;
use crate::model::counters::Executed;

mod misses;

const LDG: u128 = 0x981;
const STG: u128 = 0x986;
const LDS: u128 = 0x984;
const ATOMS: u128 = 0x38d;
const IMAD: u128 = 0xc24;
const IADD3: u128 = 0x210;
const BRA: u128 = 0x947;
const EXIT: u128 = 0x94d;
const CALL: u128 = 0x944;
const RET: u128 = 0x950;
const BSYNC: u128 = 0x941;

/// An instruction of a line of the PTX, with so many cycles to the next, without guard and barriers.
fn one(operation: u128, line: u32, stall: u128) -> MachineInstruction {
    let word = operation | 7 << 12 | 7 << 87 | stall << 105 | 7 << 110 | 7 << 113;
    MachineInstruction { word, line }
}

/// Sets barrier `number` when its result is there.
fn sets(number: u128, mut one: MachineInstruction) -> MachineInstruction {
    one.word = one.word & !(7 << 110) | number << 110;
    one
}

/// Waits for barrier `number`.
fn waits(number: u128, mut one: MachineInstruction) -> MachineInstruction {
    one.word |= 1 << 116 + number;
    one
}

/// Jumps so many instructions on from the next one.
fn jumps(by: i64, mut one: MachineInstruction) -> MachineInstruction {
    let words = by * 4;
    one.word |=
        u128::from((words & 0xff) as u8) << 16 | u128::from((words >> 8) as u64 & ((1 << 48) - 1)) << 34;
    one
}

/// With a guard.
fn guarded(mut one: MachineInstruction) -> MachineInstruction {
    one.word &= !(0xf << 12);
    one
}

fn ptx(text: &str) -> Listing {
    Listing::of_kernel(text)
}

fn ran(lines: &[(u32, u64)]) -> Vec<Executed> {
    lines.iter().map(|&(line, warps)| Executed { line, warps, ..Executed::default() }).collect()
}

/// A loop of one load a round, and its sum stored.
const LOOP: &str = "mov.u32 %r1, 0;\n$L:\nld.global.u32 %r2, [%rd1];\nadd.u32 %r1, %r1, %r2;\n@%p1 bra $L;\n\
                    st.global.u32 [%rd1], %r1;\nret;";

/// The same, with so many copies of the round in a first loop, and one in a second.
fn unrolled(copies: usize) -> Vec<MachineInstruction> {
    let round = [one(LDG, 3, 4), one(IMAD, 4, 4)];
    let back = |length: i64| guarded(jumps(-length, one(BRA, 5, 5)));
    let mut code = vec![one(IADD3, 1, 2)];
    code.extend(round.repeat(copies));
    code.push(back(2 * copies as i64 + 1));
    code.extend(round);
    code.push(back(3));
    code.extend([one(STG, 6, 2), one(EXIT, 7, 5)]);
    code
}

#[test]
fn jumps_of_older_gpus_have_no_low_bits() {
    // `BRA` to itself as an A100 and as an H100 have it: four words of 4 bytes back.
    let jump = |word: u128, capability: u32| {
        let code = [one(IADD3, 1, 2), MachineInstruction { word, line: 2 }, one(EXIT, 3, 5)];
        decoded(&code, capability)[1].target
    };
    assert_eq!(jump(0x0383_ffff_ffff_fff0_0000_7947, 80), Some(1));
    assert_eq!(jump(0x0383_ffff_ffff_fffc_00fc_7947, 90), Some(1));
}

#[test]
fn what_is_left_over_of_an_unrolled_loop_runs_in_the_second_one() {
    let code = MachineCode::new(&ptx(LOOP), &unrolled(4)).unwrap();
    assert_eq!((code.len(), code.blocks.len()), (15, 4));
    // Eleven rounds: twice four, and three.
    let work = code.work(&ran(&[(1, 100), (3, 1100), (4, 1100), (5, 1100), (6, 100), (7, 100)]));
    assert_eq!(work.multiply.round(), 1100.0);
    assert_eq!(work.integer.round(), 100.0);
    // Five jumps where there were eleven.
    assert_eq!(work.issued.round(), f64::from(100 * (1 + 22 + 2 + 3 + 2)));
}

#[test]
fn what_never_runs_counts_nothing() {
    let code = MachineCode::new(&ptx(LOOP), &unrolled(4)).unwrap();
    assert_eq!(code.work(&[]), MachineWork::default());
    assert_eq!(code.work(&ran(&[(1, 0), (3, 0)])).issued, 0.0);
}

#[test]
fn code_that_does_not_say_where_it_comes_from_is_refused() {
    let nameless: Vec<_> = unrolled(4).into_iter().map(|one| MachineInstruction { line: 0, ..one }).collect();
    assert!(MachineCode::new(&ptx(LOOP), &nameless).is_none());
    assert!(MachineCode::new(&ptx(LOOP), &[]).is_none());
}

#[test]
fn instructions_moved_into_a_loop_run_as_often_as_it() {
    // The addition before the loop stands in it.
    let code = [
        one(LDG, 3, 4),
        one(IADD3, 1, 4),
        one(IMAD, 4, 4),
        guarded(jumps(-4, one(BRA, 5, 5))),
        one(EXIT, 7, 5),
    ];
    let code = MachineCode::new(&ptx(LOOP), &code).unwrap();
    let work = code.work(&ran(&[(1, 10), (3, 70), (4, 70), (5, 70), (7, 10)]));
    assert_eq!((work.integer, work.multiply, work.issued), (70.0, 70.0, 290.0));
}

const TWO: &str = "ld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd2];\nadd.u32 %r3, %r1, %r2;\nret;";

fn missing(code: &[MachineInstruction], missed: [u64; 2]) -> MachineWork {
    let mut executed = ran(&[(1, 8), (2, 8), (3, 8), (4, 8)]);
    (executed[0].missed, executed[1].missed) = (missed[0], missed[1]);
    MachineCode::new(&ptx(TWO), code).unwrap().work(&executed)
}

#[test]
fn routines_for_rare_operands_do_not_run() {
    let text = ptx("st.global.f32 [%rd1], %f2;\ndiv.rn.f32 %f1, %f2, %f3;\nret;");
    let routine = [one(IMAD, 2, 4), one(RET, 2, 5)];
    // A guarded jump around the call, the call, what is behind it.
    let around = guarded(jumps(1, one(BRA, 2, 5)));
    let call = jumps(1, one(CALL, 2, 5));
    let mut code = vec![one(STG, 1, 2), around, call, one(EXIT, 3, 5)];
    code.extend(routine);
    let executed = ran(&[(1, 4), (2, 4), (3, 4)]);
    assert_eq!(MachineCode::new(&text, &code).unwrap().work(&executed).multiply, 0.0);
    // Without the jump, the routine always runs.
    code[1] = one(IADD3, 2, 4);
    assert_eq!(MachineCode::new(&text, &code).unwrap().work(&executed).multiply, 4.0);
}

#[test]
fn a_routine_that_names_no_line_runs_as_often_as_it_is_called() {
    let text = ptx("st.global.f32 [%rd1], %f2;\ndiv.s64 %rd2, %rd3, %rd4;\nret;");
    let jump = guarded(jumps(1, one(BRA, 1, 5)));
    let call = jumps(1, one(CALL, 2, 5));
    let mut code = vec![one(STG, 1, 2), jump, call, one(EXIT, 3, 5)];
    // It seems to have the line in front of it.
    code.extend([one(IMAD, 3, 4), one(RET, 3, 5)]);
    let code = MachineCode::new(&text, &code).unwrap();
    for calls in [0, 3] {
        let executed = ran(&[(1, 4), (2, calls), (3, 4)]);
        assert_eq!(code.work(&executed).multiply.round(), calls as f64);
    }
}

#[test]
fn a_block_that_was_taken_apart_is_no_copy() {
    // Both lines of the loop run each round, in two basic blocks with a jump between them.
    let text = ptx("$L:\nld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd2];\n@%p1 bra $L;\nret;");
    let over = guarded(jumps(1, one(BRA, 3, 5)));
    let code = [
        one(LDG, 2, 4),
        over,
        one(IMAD, 3, 4),
        one(LDG, 3, 4),
        guarded(jumps(-5, one(BRA, 4, 5))),
        one(EXIT, 5, 5),
    ];
    let code = MachineCode::new(&text, &code).unwrap();
    let work = code.work(&ran(&[(2, 60), (3, 60), (4, 60), (5, 20)]));
    assert_eq!(work.issued, 5.0 * 60.0 + 20.0);
}

#[test]
fn the_loop_of_an_atomic_goes_round_and_what_stands_before_it_does_not() {
    let text = ptx("ld.global.u32 %r1, [%rd1];\natom.shared.add.f32 %f1, [%r1], %f2;\nret;");
    let code = [
        one(LDG, 1, 4),
        // The address is worked out for the atomic, before its loop.
        one(IMAD, 2, 4),
        one(LDS, 2, 4),
        one(ATOMS, 2, 4),
        guarded(jumps(-3, one(BRA, 2, 5))),
        one(EXIT, 3, 5),
    ];
    let code = MachineCode::new(&text, &code).unwrap();
    let mut executed = ran(&[(1, 10), (2, 10), (3, 10)]);
    executed[1].turns = 40;
    let work = code.work(&executed);
    assert_eq!((work.multiply, work.issued), (10.0, 30.0 + 3.0 * 40.0));
}

#[test]
fn what_stands_before_and_behind_a_loop_does_not_run_as_often_as_it() {
    // Of the loop, its address was moved before it; of its jump, there is what lets the lanes meet again behind it.
    let text = ptx(
        "mov.u32 %r1, 0;\n@%p2 bra $E;\n$L:\nld.global.u32 %r2, [%rd1];\nadd.u32 %r1, %r1, %r2;\n@%p1 bra $L;\n\
         $E:\nst.global.u32 [%rd1], %r1;\nret;",
    );
    let code = [
        one(IADD3, 1, 2),
        guarded(jumps(4, one(BRA, 2, 5))),
        one(IMAD, 4, 4),
        one(LDG, 4, 4),
        one(IMAD, 5, 4),
        guarded(jumps(-3, one(BRA, 6, 5))),
        one(BSYNC, 6, 5),
        one(STG, 8, 2),
        one(EXIT, 9, 5),
    ];
    let code = MachineCode::new(&text, &code).unwrap();
    let work = code.work(&ran(&[(1, 10), (2, 10), (4, 700), (5, 700), (6, 700), (8, 10), (9, 10)]));
    assert_eq!(work.issued, 3.0 * 10.0 + 3.0 * 700.0 + 3.0 * 10.0);
}

#[test]
fn a_fence_of_the_gpu_waits_and_one_of_the_block_does_not() {
    const MEMBAR: u128 = 0x992;
    let near = |reach: u128| {
        let mut fence = one(MEMBAR, 2, 6);
        fence.word |= reach << 76;
        let code = [one(STG, 1, 2), fence, one(EXIT, 3, 5)];
        let text = ptx("st.global.u32 [%rd1], %r1;\nmembar.gl;\nret;");
        MachineCode::new(&text, &code).unwrap().work(&ran(&[(1, 1), (2, 1), (3, 1)])).near
    };
    // The block's, the GPU's, the whole machine's.
    assert_eq!([near(2) - near(0), near(3) - near(0)], [decode::FENCE - 6.0; 2]);
}

/// Loads of these lines that are waited for together.
fn both(lines: [u32; 2]) -> [MachineInstruction; 4] {
    [
        sets(0, one(LDG, lines[0], 2)),
        sets(1, one(LDG, lines[1], 2)),
        waits(1, waits(0, one(IADD3, 3, 4))),
        one(EXIT, 4, 5),
    ]
}

#[test]
fn loads_a_line_apart_are_no_neighbours() {
    // Each misses every other time: neighbours in turn, and one of others three times of four.
    let code = both([1, 2]);
    let mut executed = ran(&[(1, 8), (2, 8), (3, 8), (4, 8)]);
    (executed[0].missed, executed[1].missed) = (4, 4);
    let of =
        |other: &str| MachineCode::new(&ptx(&TWO.replace("%rd2", other)), &code).unwrap().work(&executed).far;
    assert_eq!(of("%rd1+128"), 0.75 * of("%rd1+64"));
    assert_eq!(of("%rd1+128"), of("%rd2"));
}

#[test]
fn a_jump_for_lanes_that_have_parted_is_not_taken() {
    let mut parted = jumps(2, one(BRA, 1, 5));
    parted.word |= 2 << 90;
    let text = ptx("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\nst.global.u32 [%rd1], %r1;\nret;");
    let code = [parted, one(STG, 2, 4), one(EXIT, 3, 5), one(IADD3, 1, 4), jumps(-4, one(BRA, 1, 5))];
    let work = MachineCode::new(&text, &code).unwrap().work(&ran(&[(1, 9), (2, 9), (3, 9)]));
    assert_eq!((work.integer, work.issued), (0.0, 27.0));
}

#[test]
fn what_one_line_became_of_several_kinds_is_no_copy() {
    // A fetch through a texture, whose line is also that of the load of its index.
    const TLD: u128 = 0x966;
    let text =
        ptx("ld.global.u32 %r1, [%rd1];\ntex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd2, {%r1}];\nret;");
    let code = [one(LDG, 2, 4), one(TLD, 2, 4), one(EXIT, 3, 5)];
    let work = MachineCode::new(&text, &code).unwrap().work(&ran(&[(1, 6), (2, 6), (3, 6)]));
    assert_eq!(work.issued, 18.0);
}

#[test]
fn code_that_does_not_run_hides_no_load() {
    // Between the load and its use, a hundred cycles that are never run, or always.
    let text = ptx(
        "ld.global.u32 %r1, [%rd1];\n@%p1 bra $E;\nmul.lo.u32 %r2, %r2, %r3;\n$E:\nadd.u32 %r3, %r1, 1;\nret;",
    );
    let mut code = vec![sets(0, one(LDG, 1, 2)), guarded(jumps(10, one(BRA, 2, 5)))];
    code.extend(vec![one(IMAD, 3, 15); 10]);
    code.extend([waits(0, one(IADD3, 5, 4)), one(EXIT, 6, 5)]);
    let code = MachineCode::new(&text, &code).unwrap();
    let far = |inside: u64| {
        let mut executed = ran(&[(1, 8), (2, 8), (3, inside), (5, 8), (6, 8)]);
        executed[0].missed = 8;
        code.work(&executed).far
    };
    assert_eq!(far(0) - far(8), 8.0 * (150.0 - 31.0));
}

#[test]
fn code_that_was_moved_up_to_the_beginning_runs_once() {
    // All of the beginning but one instruction comes from the loop.
    let mut code = vec![one(IADD3, 1, 2)];
    code.extend(vec![one(IMAD, 4, 4); 8]);
    code.extend([one(LDG, 3, 4), one(IMAD, 4, 4), guarded(jumps(-3, one(BRA, 5, 5)))]);
    code.extend([one(STG, 6, 2), one(EXIT, 7, 5)]);
    let code = MachineCode::new(&ptx(LOOP), &code).unwrap();
    let work = code.work(&ran(&[(1, 10), (3, 70), (4, 70), (5, 70), (6, 10), (7, 10)]));
    assert_eq!((work.integer, work.multiply), (10.0, 8.0 * 10.0 + 70.0));
}

#[test]
fn several_instructions_of_a_line_are_copies_in_a_loop_and_nowhere_else() {
    // An addition of 64 bits, each of which became two; nothing else tells.
    let twice = |line: u32| [one(IADD3, line, 4), one(IADD3, line, 4)];
    let straight = ptx(
        "add.s64 %rd1, %rd1, %rd2;\nadd.s64 %rd3, %rd3, %rd2;\n@%p1 bra $E;\nadd.s64 %rd3, %rd3, 1;\n$E:\nret;",
    );
    let mut code = [twice(1), twice(2)].concat();
    code.push(guarded(jumps(2, one(BRA, 3, 5))));
    code.extend(twice(4));
    code.push(one(EXIT, 6, 5));
    let executed = ran(&[(1, 40), (2, 40), (3, 40), (4, 40), (6, 40)]);
    assert_eq!(MachineCode::new(&straight, &code).unwrap().work(&executed).issued, 40.0 * 8.0);
    let round =
        ptx("mov.u32 %r1, 0;\n$L:\nadd.u32 %r1, %r1, %r2;\nxor.b32 %r1, %r1, %r3;\n@%p1 bra $L;\nret;");
    let mut code = vec![one(IMAD, 1, 4)];
    code.extend([twice(3), twice(4)].concat());
    code.extend([guarded(jumps(-5, one(BRA, 5, 5))), one(EXIT, 6, 5)]);
    let executed = ran(&[(1, 10), (3, 80), (4, 80), (5, 80), (6, 10)]);
    assert_eq!(MachineCode::new(&round, &code).unwrap().work(&executed).integer, 4.0 * 40.0);
}
