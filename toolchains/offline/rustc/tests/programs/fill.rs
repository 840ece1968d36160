//! One generic kernel, launched in two instances. Without std, so that its Host pass is short: many tests run one.
#![allow(internal_features)]
#![feature(gpu_offload)]
#![no_std]
#![cfg_attr(target_os = "linux", no_main)]
#![cfg_attr(not(target_os = "linux"), feature(abi_gpu_kernel))]
#![cfg_attr(target_arch = "amdgpu", feature(stdarch_amdgpu))]
#![cfg_attr(target_arch = "nvptx64", feature(stdarch_nvptx))]
use core::offload::offload_kernel;

#[cfg(target_os = "linux")]
#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    #[cfg(target_os = "linux")]
    unsafe {
        abort()
    }
    #[cfg(not(target_os = "linux"))]
    loop {}
}

#[cfg(target_arch = "amdgpu")]
fn block() -> usize {
    core::arch::amdgpu::workgroup_id_x() as usize
}

#[cfg(target_arch = "nvptx64")]
fn block() -> usize {
    unsafe { core::arch::nvptx::_block_idx_x() as usize }
}

#[cfg(target_os = "linux")]
#[allow(dead_code)]
fn block() -> usize {
    0
}

#[offload_kernel]
fn kernel<T: Copy>(x: *mut [T; 64], value: T) {
    let i = block();
    if i < 64 {
        unsafe { (*x)[i] = value }
    }
}

#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut doubles = [0.0f64; 64];
    core::offload::offload! {
        kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut doubles as *mut [f64; 64], 2.5)
    }
    assert!(doubles.iter().all(|&value| value == 2.5));
    let mut bytes = [0u8; 64];
    core::offload::offload! {
        kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut bytes as *mut [u8; 64], 7)
    }
    assert!(bytes.iter().all(|&value| value == 7));
    0
}
