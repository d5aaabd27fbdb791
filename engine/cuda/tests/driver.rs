//! A machine without a driver; on a machine with one, its GPUs are listed. Tests that need a GPU are in `gpu.rs`.

use std::path::Path;

use cuda::driver::{DriverError, Gpu, devices};

fn libcuda_is_mapped() -> bool {
    std::fs::read_to_string("/proc/self/maps").unwrap().contains("libcuda.so")
}

#[test]
fn libcuda_is_opened_only_when_asked_for() {
    assert!(!libcuda_is_mapped(), "linked with libcuda");
    let has_driver = Path::new("/proc/driver/nvidia/version").exists() || Path::new("/dev/dxg").exists();
    match devices() {
        Ok(list) => {
            assert!(libcuda_is_mapped());
            assert!(!list.is_empty());
            assert!(list.iter().all(|gpu| gpu.multiprocessors > 0 && gpu.capability >= 20));
        }
        Err(DriverError::NoDevice(reason)) => {
            assert!(!has_driver || libcuda_is_mapped(), "there is a driver: {reason}");
            if !libcuda_is_mapped() {
                assert!(reason.starts_with("the NVIDIA driver is not installed"), "{reason}");
                assert!(reason.contains("libcuda.so.1"), "{reason}");
                let error = Gpu::open(0, b"\x7fELF").unwrap_err();
                assert_eq!(error, DriverError::NoDevice(reason), "the answer does not change");
            }
        }
        Err(other) => panic!("{other}"),
    }
}
