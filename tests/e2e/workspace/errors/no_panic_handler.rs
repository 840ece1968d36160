//! No crate of the device side says what a panic does.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[core::offload::offload_kernel]
fn kernel(x: *mut [f32; 64]) {
    let _ = x;
}

#[cfg(not(offload_device))]
fn main() {
    let mut x = [0.0f32; 64];
    core::offload::offload! { kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut x as *mut [f32; 64],) }
}
