//! A program with a kernel of its own that launches those of the library `kernels` too.
#![allow(internal_features)]
#![feature(gpu_offload)]
#![cfg_attr(not(target_os = "linux"), feature(abi_gpu_kernel), no_std)]
use core::offload::offload_kernel;

#[cfg(not(target_os = "linux"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[offload_kernel]
fn own(x: *mut [i64; 32], factor: i64) {
    let i = kernels::block();
    if i < 32 {
        unsafe { (*x)[i] *= factor }
    }
}

#[cfg(target_os = "linux")]
fn main() {
    let mut x = [3i64; 32];
    core::offload::offload! {
        kernel = own, workgroup_dim = [32, 1, 1], args = (&mut x as *mut [i64; 32], -2)
    }
    core::offload::offload! {
        kernel = kernels::add, workgroup_dim = [32, 1, 1], args = (&mut x as *mut [i64; 32], 1)
    }
    assert!(x.iter().all(|&value| value == -5), "{x:?}");
    let range = kernels::Range { low: 1u16, high: 2 };
    let mut ranges = [kernels::Range { low: 0u16, high: 0 }; 8];
    kernels::launch_set(&mut ranges, &range);
    assert!(ranges.iter().all(|&value| value == range), "{ranges:?}");
    let mut options = [Some((1u8, true)); 8];
    kernels::launch_set(&mut options, &None);
    assert!(options.iter().all(|value| value.is_none()), "{options:?}");
    println!("user: all checks passed");
}
