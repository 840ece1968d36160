//! A program without std that would unwind or, if it is not optimised, refers to an unwinder through core.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel))]
#![cfg_attr(not(offload_device), no_main)]
#![no_std]

#[core::offload::offload_kernel]
fn kernel(x: *mut [f32; 64]) {
    let _ = x;
}

#[cfg(not(offload_device))]
#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let mut x = [0.0f32; 64];
    core::offload::offload! { kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut x as *mut [f32; 64],) }
    x.iter().sum::<f32>() as i32
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
