//! A kernel that only the device side refuses to compile.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

use gpu::offload_kernel;

#[offload_kernel]
fn kernel(x: *mut [f32; 64]) {
    let i: usize = gpu::thread_idx_x();
    unsafe { (*x)[i] = 1.0 }
}

#[cfg(not(offload_device))]
fn main() {
    let mut x = [0.0f32; 64];
    gpu::launch! { kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut x as *mut [f32; 64],) }
}
