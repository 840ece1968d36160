//! A kernel that is not generic.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel))]
#![no_std]

#[gpu::offload_kernel]
pub fn fill(x: *mut [u32; 64]) {
    unsafe { (*x)[gpu::thread_idx_x() as usize] = 1 }
}

pub fn launch_fill(x: &mut [u32; 64]) {
    gpu::launch! { kernel = fill, workgroup_dim = [1, 1, 1], thread_dim = [64, 1, 1], args = (x as *mut [u32; 64],) }
}
