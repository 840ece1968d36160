//! A kernel, generic over the number that it adds.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel))]
#![no_std]

use core::ops::AddAssign;
use gpu::offload_kernel;

/// Adds `n` to each element.
#[offload_kernel]
pub fn add<T: Copy + AddAssign>(x: *mut [T; 64], n: T) {
    let i = gpu::global_thread_index();
    if i < 64 {
        unsafe { (*x)[i] += n }
    }
}

/// Launches `add`.
pub fn launch_add<T: Copy + AddAssign>(x: &mut [T; 64], n: T) {
    gpu::launch! { kernel = add, workgroup_dim = [2, 1, 1], thread_dim = [32, 1, 1], args = (x as *mut [T; 64], n) }
}
