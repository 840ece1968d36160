//! A kernel whose argument cannot be sent to a GPU.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

#[gpu::offload_kernel]
fn kernel<F: Fn(u32) -> u32>(x: *mut [u32; 64], f: F) {
    let i = gpu::global_thread_index();
    unsafe { (*x)[i] = f(i as u32) }
}

#[cfg(not(offload_device))]
fn main() {
    let mut x = [0u32; 64];
    let y = 2;
    gpu::launch! { kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut x as *mut [u32; 64], move |i| i * y) }
}
