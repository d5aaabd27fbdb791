//! Warp-level operations, barriers with verdicts, and everything that waits.

use super::harness::{int, line, noise, run, words, zeros};

fn source(t: usize, to: i64, first: usize, last: usize) -> usize {
    let lane = t % 32;
    if to < first as i64 || to > last as i64 { t } else { t - lane + to as usize }
}

#[test]
fn exchanges() {
    let mut values = noise(51, 64);
    values[9] = 77;
    for architecture in [50, 75, 90, 120] {
        let arguments = [words(&values), zeros(24 * 64)];
        let out = run("warps", architecture, "exchanges", line(1, 64), &arguments).remove(1);
        for t in 0..64usize {
            let lane = t % 32;
            let warp = &values[t - lane..][..32];
            let v = values[t];
            let segment = |width: usize| (lane / width * width, lane / width * width + width - 1);
            let up = |by: i64, width| values[source(t, lane as i64 - by, segment(width).0, 31)];
            let down = |by: i64, width| values[source(t, lane as i64 + by, 0, segment(width).1)];
            let ballot =
                |f: &dyn Fn(u32) -> bool| (0..32).filter(|&l| f(warp[l])).fold(0u32, |m, l| m | 1 << l);
            let with = |mask: u32, f: &dyn Fn(u32) -> bool| ballot(f) & mask;
            let partner = (u64::from(values[t ^ 1]) << 20) | (t as u64 ^ 1);
            let far = values[t ^ 20];
            let expected = [
                warp[3],
                warp[lane / 8 * 8 + (t + 5) % 8],
                up(2, 32),
                up(3, 16),
                down(7, 32),
                down(1, 4),
                values[t ^ 9],
                // 20 reaches beyond the segment of 16: from lanes of the upper half it stays inside.
                if (lane ^ 20) <= segment(16).1 { far } else { v },
                partner as u32,
                (partner >> 32) as u32,
                warp[31 - lane],
                (down(4, 32) as f32).to_bits(),
                ballot(&|w| w & 4 != 0),
                u32::from(warp.iter().enumerate().all(|(l, w)| w & 1 | (t - lane + l) as u32 & 0x20 != 0))
                    | u32::from(warp.contains(&77)) << 1,
                if t & 1 == 1 {
                    with(0xaaaa_aaaa, &|w| w & 2 != 0)
                } else {
                    with(0x5555_5555, &|w| w & 8 != 0)
                },
            ];
            assert_eq!(out[24 * t..][..15], expected, "thread {t} sm_{architecture}");
            assert_eq!(out[24 * t + 22], u32::MAX);
            assert_eq!(out[24 * t + 23], 32);
            if architecture >= 70 {
                let same = warp.iter().all(|w| (w >> 31 | 1) == (warp[0] >> 31 | 1));
                let matched = [ballot(&|w| w % 7 == v % 7), 0, ballot(&|w| w & 3 == v & 3)];
                assert!(same);
                assert_eq!(out[24 * t + 15], matched[0]);
                // All ones and the flag: wraps to zero.
                assert_eq!(out[24 * t + 16], matched[1]);
                assert_eq!(out[24 * t + 17], matched[2]);
            }
            if architecture >= 80 {
                let fold = |f: &dyn Fn(u32, u32) -> u32| warp.iter().copied().reduce(f).unwrap();
                assert_eq!(out[24 * t + 18], fold(&u32::wrapping_add));
                assert_eq!(out[24 * t + 19], fold(&|a, b| (a as i32).min(b as i32) as u32));
                assert_eq!(out[24 * t + 20], fold(&u32::max));
                assert_eq!(out[24 * t + 21], fold(&|a, b| a ^ b) ^ fold(&|a, b| a & b) ^ fold(&|a, b| a | b));
            }
        }
    }
}

#[test]
fn verdicts_of_barriers() {
    let values = noise(52, 96);
    for architecture in [50, 75, 90, 120] {
        let out =
            run("warps", architecture, "verdicts", line(1, 96), &[words(&values), zeros(4 * 96)]).remove(1);
        let odd = values.iter().filter(|v| *v & 1 == 1).count() as u32;
        for t in 0..96 {
            let handed = if (32..64).contains(&t) { values[t - 32].wrapping_add(1) } else { 0 };
            assert_eq!(out[4 * t..][..4], [odd, 3, handed, values[t & 31]], "thread {t}");
        }
    }
}

#[test]
fn one_lane_is_elected() {
    for architecture in [90, 120] {
        let out = run("warps", architecture, "elected", line(1, 64), &[zeros(64)]).remove(0);
        for (t, &got) in out.iter().enumerate() {
            assert_eq!(got, u32::from(t % 32 == 0) << 8);
        }
    }
}

#[test]
fn locks_of_lanes() {
    for architecture in [75, 90, 120] {
        let arguments = [zeros(4), zeros(4), int(5)];
        let out = run("warps", architecture, "lane_locks", line(2, 64), &arguments);
        assert_eq!(out[1], [160; 4]);
    }
}

#[test]
fn makers_and_users() {
    for architecture in [75, 90, 120] {
        let rounds = 20;
        let out = run("warps", architecture, "hand_over", line(1, 128), &[zeros(80), int(rounds)]).remove(0);
        for warp in 1..4 {
            for r in 0..20 {
                assert_eq!(out[warp * 20 + r], (r * 10 + warp) as u32);
            }
        }
    }
}

#[test]
fn a_ring_of_three_lanes() {
    for architecture in [75, 90, 120] {
        let out = run("warps", architecture, "ring", line(1, 32), &[zeros(1), zeros(60), int(20)]).remove(1);
        for lane in 0..3u32 {
            for r in 0..20u32 {
                assert_eq!(out[(lane * 20 + r) as usize], 3 * r + lane);
            }
        }
    }
}

#[test]
fn lanes_meet_from_different_places() {
    let values = noise(53, 32);
    for architecture in [75, 90, 120] {
        let out = run("warps", architecture, "meetings", line(1, 32), &[words(&values), zeros(64)]).remove(1);
        let before: Vec<u32> = (0..32)
            .map(|l: usize| {
                if l & 1 == 1 {
                    values[l ^ 1].wrapping_add(1).wrapping_mul(3)
                } else {
                    values[l ^ 1].wrapping_mul(5).wrapping_add(1) ^ if l & 2 != 0 { 0x10 } else { 0 }
                }
            })
            .collect();
        let got: Vec<u32> = (0..32)
            .map(|l| {
                let shift = match l & 3 {
                    1 | 3 => 0,
                    2 => 1,
                    _ => 2,
                };
                before[l].wrapping_add(before[l ^ 1] << shift)
            })
            .collect();
        let votes = (0..32).fold(0u32, |m, l| {
            let yes = if l < 10 { got[l] & 1 == 1 } else { got[l] & 2 == 0 };
            m | u32::from(yes) << l
        });
        for l in 0..32 {
            assert_eq!(out[2 * l], got[l], "lane {l}");
            assert_eq!(out[2 * l + 1], votes.wrapping_add(u32::from(l >= 10)), "lane {l}");
        }
    }
}

#[test]
fn lanes_leave_one_by_one() {
    for architecture in [75, 90, 120] {
        let out = run("warps", architecture, "leaving", line(1, 32), &[zeros(32)]).remove(0);
        assert_eq!(out, (0..32).collect::<Vec<u32>>());
    }
}
