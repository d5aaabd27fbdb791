//! What a filtered texture fetch costs: of the pixels that one lane needs, those in one sector are asked for
//! once.

use std::sync::Arc;

use pretty_assertions::assert_eq;
use simulator::image::{AddressMode, Filter, Numbers, Pixels, Sampler, Texel};
use simulator::{Checks, Device, Launch, Limits, Module};

const PTX: &str = r"
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 image) {
    .reg .f32 %f<8>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [image]; mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f1, %r1;
    add.f32 %f1, %f1, 0f3F800000; mov.f32 %f2, 0f3F800000;
    tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}]; ret;
}
";

/// Lane i stands between columns i and i + 1 of two rows of 64 words.
#[test]
fn neighbouring_pixels_of_a_lane_share_a_sector() {
    let mut device = Device::new(Arc::new(Module::from_ptx(PTX).unwrap()), Limits::default());
    let address = device.alloc(512, "pixels").unwrap();
    device.write(address, &[0; 512]).unwrap();
    let texel = Texel::new(1, 32, Numbers::Float).unwrap();
    let pixels = Pixels { address, width: 64, height: 2, depth: 1, pitch: 256, texel, linear: false };
    let sampler = Sampler {
        address: [AddressMode::Clamp; 3],
        filter: Filter::Linear,
        normalized: false,
        fractions: false,
        border: [0.0; 4],
    };
    let arguments = [device.create_texture(pixels, sampler).unwrap().to_le_bytes().to_vec()];
    let (grid, block) = ([1, 1, 1], [32, 1, 1]);
    let checks = Checks::COUNT;
    let launch = Launch {
        kernel: "k",
        grid,
        block,
        dynamic_shared: 0,
        cooperative: false,
        arguments: &arguments,
        checks,
        order: simulator::Order::Forward,
    };
    let counters = device.launch(&launch).unwrap().counters;
    // In each row: the pixels on the left lie in 4 sectors, those on the right in 5, of which the last lane of
    // each 8 needs one that it has not asked for.
    assert_eq!(counters.global_load_requests, 4);
    assert_eq!(counters.global_load_sectors, 2 * (4 + 4));
    assert_eq!(counters.unique_read_sectors, 2 * 5);
    // Filtering four pixels takes no longer than reading one.
    assert_eq!(counters.texture_passes, 8);
}
