//! What a warp waits for, by what each load misses.

use pretty_assertions::assert_eq;

use super::*;

#[test]
fn a_warp_waits_once_for_loads_side_by_side_and_twice_for_one_after_the_other() {
    let beside = both([1, 2]);
    let behind = [
        sets(0, one(LDG, 1, 2)),
        waits(0, sets(1, one(LDG, 2, 2))),
        waits(1, one(IADD3, 3, 4)),
        one(EXIT, 4, 5),
    ];
    assert_eq!(missing(&beside, [0, 0]).far, 0.0);
    let (beside, behind) = (missing(&beside, [8, 8]), missing(&behind, [8, 8]));
    // Beyond the 38 cycles that a load takes at the least.
    assert_eq!(beside.far, 8.0 * (FAR - 38.0));
    assert_eq!(behind.far, 2.0 * beside.far);
    assert!(behind.near > beside.near + 8.0 * 30.0);
}

#[test]
fn neighbours_take_turns_in_missing_and_others_miss_by_themselves() {
    let code = both([1, 2]);
    let always = missing(&code, [8, 0]).far;
    assert_eq!(missing(&code, [4, 4]).far, 0.75 * always);
    let same = TWO.replace("%rd2", "%rd1+4");
    let mut executed = ran(&[(1, 8), (2, 8), (3, 8), (4, 8)]);
    (executed[0].missed, executed[1].missed) = (4, 4);
    assert_eq!(MachineCode::new(&ptx(&same), &code).unwrap().work(&executed).far, always);
}

#[test]
fn each_wait_has_its_part_of_what_neighbours_miss() {
    // One behind the other, and the first one misses always, whichever that is once the assembler has moved them.
    let code = [
        sets(0, one(LDG, 1, 2)),
        waits(0, sets(1, one(LDG, 2, 2))),
        waits(1, one(IADD3, 3, 4)),
        one(EXIT, 4, 5),
    ];
    let far = |text: &str, missed: [u64; 2]| {
        let mut executed = ran(&[(1, 8), (2, 8), (3, 8), (4, 8)]);
        (executed[0].missed, executed[1].missed) = (missed[0], missed[1]);
        MachineCode::new(&ptx(text), &code).unwrap().work(&executed).far
    };
    let same = TWO.replace("%rd2", "%rd1+4");
    assert_eq!(far(&same, [8, 0]), 8.0 * (FAR - 38.0));
    assert_eq!(far(&same, [8, 0]), far(&same, [0, 8]));
    assert_eq!(far(&same, [8, 8]), far(TWO, [8, 8]));
}
