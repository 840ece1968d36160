//! A generic kernel, launched for two types, without std: the least that a program can have.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel))]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx))]
#![no_std]
#![no_main]

use core::offload::offload_kernel;

#[cfg(target_arch = "amdgpu")]
use core::arch::amdgpu::{workgroup_id_x as block_idx_x, workitem_id_x as thread_idx_x};
#[cfg(target_arch = "nvptx64")]
use core::arch::nvptx::{
    _block_dim_x as block_dim_x, _block_idx_x as block_idx_x, _thread_idx_x as thread_idx_x,
};

#[cfg(target_arch = "amdgpu")]
unsafe fn block_dim_x() -> u32 {
    1
}

#[offload_kernel]
fn kernel<T: Copy>(x: *mut [T; 256], value: T) {
    unsafe {
        let i = (thread_idx_x() + block_idx_x() * block_dim_x()) as usize;
        if i < 256 {
            (*x)[i] = value;
        }
    }
}

#[cfg(not(offload_device))]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    // Only the host knows that `kernel` is needed for these two types: it writes them to the manifest for the device.
    let mut doubles = [0.0f64; 256];
    core::offload::offload! {
        kernel = kernel,
        workgroup_dim = [256, 1, 1],
        args = (&mut doubles as *mut [f64; 256], 2.5),
    }
    let mut floats = [0.0f32; 256];
    core::offload::offload! {
        kernel = kernel,
        workgroup_dim = [256, 1, 1],
        args = (&mut floats as *mut [f32; 256], 0.75),
    }
    for i in 0..256 {
        assert_eq!(doubles[i], 2.5);
        assert_eq!(floats[i], 0.75);
    }
    unsafe { libc::printf(c"all checks passed\n".as_ptr()) };
    0
}

/// What this program needs of the crate `libc`.
#[cfg(not(offload_device))]
mod libc {
    #[link(name = "c")]
    unsafe extern "C" {
        pub fn printf(format: *const core::ffi::c_char, ...) -> i32;
        pub safe fn abort() -> !;
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    #[cfg(not(offload_device))]
    libc::abort();
    #[cfg(offload_device)]
    loop {}
}
