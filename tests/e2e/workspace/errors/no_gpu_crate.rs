//! Uses a crate that the target does not depend on.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn kernel(x: *mut [f32; 64]) {
    let _ = x;
}

#[cfg(not(offload_device))]
fn main() {}
