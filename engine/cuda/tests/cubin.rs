//! What is read from cubins, compared with what ptxas reports.

mod common;

use std::collections::BTreeMap;

use common::{compile, compiler};
use cuda::cubin::{KernelResources, cubin_code, cubin_resources, cubin_variables};
use cuda::nvrtc::Target;
use pretty_assertions::assert_eq;

const KERNELS: &str = "
struct S { float a; char b[7]; short c; };
__global__ void plain(int *p, const float *__restrict__ q, int n, S s, char c, double d) {
    p[threadIdx.x] = q[n] + s.a + c + d;
}
__global__ void shares(int *p) {
    __shared__ int fixed[300];
    extern __shared__ int dynamic[];
    fixed[threadIdx.x] = p[0];
    dynamic[threadIdx.x] = p[1];
    __syncthreads();
    p[2] = fixed[p[3]] + dynamic[p[4]];
}
__global__ void arrays(int *p) {
    int a[100];
    for (int i = 0; i < 100; i++) a[i] = p[i];
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += a[p[i] % 100];
    p[0] = sum;
}
template <class T> __global__ void sine(T *p) { p[threadIdx.x] = sinf(p[threadIdx.x]) * T(2); }
template __global__ void sine<float>(float *);
__global__ void nothing() {}
__noinline__ float helper(float x, int *p) {
    float t[20];
    for (int i = 0; i < 20; i++) t[i] = x * p[i];
    float sum = 0;
    for (int i = 0; i < 20; i++) sum += t[p[i]];
    return sum;
}
__global__ void calls(int *p) { p[0] = helper(p[1], p) + helper(p[2], p + 3); }
";

/// Kernel → registers, static shared and stack bytes, from the lines of `--ptxas-options=-v`:
/// `Compiling entry function 'k' for 'sm_90'`, `Used 12 registers, used 1 barriers, 1200 bytes smem`.
fn reported(lines: impl Iterator<Item = String>) -> BTreeMap<String, (u32, u32, u32)> {
    let mut reports = BTreeMap::new();
    let mut kernel = String::new();
    for line in lines {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            rest.split('\'').next().unwrap().clone_into(&mut kernel);
        } else if let Some((_, rest)) = line.split_once("Used ") {
            let before = |unit: &str| {
                let part = rest.split(", ").find_map(|part| part.strip_suffix(unit))?;
                part.trim().parse::<u32>().ok()
            };
            let shared = before(" bytes smem").unwrap_or(0);
            let stack = before(" bytes cumulative stack size").unwrap_or(0);
            reports.insert(kernel.clone(), (before(" registers").unwrap(), shared, stack));
        }
    }
    reports
}

#[test]
fn resources_are_those_that_ptxas_reports() {
    let architectures = compiler().architectures();
    assert!(architectures.contains(&90) && architectures.is_sorted());
    for architecture in architectures {
        let compiled = compile(KERNELS, Target::Cubin(architecture), &["--ptxas-options=-v"]).unwrap();
        let report = reported(compiled.diagnostics.into_iter().map(|found| found.message));
        let kernels = cubin_resources(&compiled.image);
        let read: BTreeMap<_, _> = kernels
            .iter()
            .map(|kernel| (kernel.name.clone(), (kernel.registers, kernel.static_shared, kernel.local_bytes)))
            .collect();
        assert_eq!(read, report, "sm_{architecture}");
        assert_eq!(report.len(), 6);
        assert_eq!(report["_Z6sharesPi"].1, 1200);

        let parameters = |name: &str| {
            let is_it = |kernel: &&KernelResources| kernel.name == name;
            kernels.iter().find(is_it).unwrap().parameters.clone()
        };
        // Pointers of 8 bytes; the struct of 14 takes 16 and begins at a multiple of 4.
        let plain = [(0, 8), (8, 8), (16, 4), (20, 16), (36, 1), (40, 8)];
        assert_eq!(parameters("_Z5plainPiPKfi1Scd"), plain, "sm_{architecture}");
        assert_eq!(parameters("_Z7nothingv"), [], "sm_{architecture}");
    }
}

#[test]
fn machine_code_says_which_ptx_it_was_made_of() {
    for architecture in compiler().architectures().into_iter().filter(|architecture| *architecture >= 70) {
        let image = compile(KERNELS, Target::Cubin(architecture), &[]).unwrap().image;
        let code = cubin_code(&image);
        assert_eq!(code.kernels.len(), 6, "sm_{architecture}");
        for kernel in &code.kernels {
            let of = |line: u32| code.ptx.get(line.wrapping_sub(1) as usize).map_or("", |text| text.trim());
            assert!(kernel.instructions.iter().all(|one| !of(one.line).is_empty()), "{}", kernel.name);
        }
        // The sum of two values from memory, as they are stored.
        let shares = code.kernels.iter().find(|kernel| kernel.name == "_Z6sharesPi").unwrap();
        let made_of = |start: &str| {
            let of = |line: u32| code.ptx[line as usize - 1].trim().starts_with(start);
            shares.instructions.iter().filter(|one| of(one.line)).count()
        };
        assert!(made_of("st.shared") >= 2 && made_of("ld.shared") >= 2, "sm_{architecture}");
        assert!((1..=2).contains(&made_of("bar.sync")), "sm_{architecture}");
    }
}

#[test]
fn damaged_cubins_never_panic() {
    let image = compile(KERNELS, Target::Cubin(90), &[]).unwrap().image;
    assert_eq!(cubin_resources(&image).len(), 6);
    assert!(cubin_resources(b"").is_empty());
    assert!(cubin_resources(b"\x7fELF\x02\x01").is_empty());
    for length in (0..image.len()).step_by(97) {
        let _ = cubin_resources(&image[..length]);
        let _ = cubin_code(&image[..length]);
    }
    // Every byte of the header, and the section headers (at the end) byte by byte.
    for at in (0..64).chain(image.len() - 43 * 64..image.len()) {
        for value in [0, 1, 0x7f, 0xff] {
            let mut image = image.clone();
            image[at] = value;
            let _ = cubin_resources(&image);
            let _ = cubin_code(&image);
        }
    }
}

#[test]
fn variables_are_listed_whatever_their_linkage() {
    let source = "
__constant__ int factor = 3;
__device__ int counter;
static __device__ int hidden = 5;
namespace { __device__ float unnamed[7]; }
__global__ void all(int *p) {
    static __device__ int kept = 6;
    __shared__ int shared;
    shared = p[1];
    __syncthreads();
    hidden += p[0]; kept += hidden; unnamed[p[0]] += 1; counter += shared;
    p[0] = kept * factor * unnamed[p[1]];
}
";
    let cubin = compile(source, Target::Cubin(90), &[]).unwrap().image;
    let names = cubin_variables(&cubin);
    for variable in ["factor", "counter", "hidden", "unnamed", "kept"] {
        assert!(names.iter().any(|name| name.contains(variable)), "{variable}: {names:?}");
    }
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(cubin_variables(&cubin[..100]).is_empty());
}
