//! A generic kernel that the host does not launch: there is no type to compile it for.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

use gpu::offload_kernel;

#[offload_kernel]
fn forgotten<T: Copy>(x: *mut [T; 64], value: T) {
    let i = gpu::global_thread_index();
    unsafe { (*x)[i] = value }
}

#[cfg(not(offload_device))]
fn main() {}
