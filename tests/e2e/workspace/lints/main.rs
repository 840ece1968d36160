//! Code that clippy has something to say about, on each side.
#![feature(gpu_offload)]
#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]

use gpu::offload_kernel;

#[offload_kernel]
fn kernel(x: *mut [f32; 64]) {
    unsafe { (*x)[index()] = 1.0 }
}

#[cfg(offload_device)]
fn index() -> usize {
    return gpu::global_thread_index();
}

#[cfg(not(offload_device))]
fn index() -> usize {
    0
}

#[cfg(not(offload_device))]
fn main() {
    let mut x = [0.0f32; 64];
    gpu::launch! { kernel = kernel, workgroup_dim = [64, 1, 1], args = (&mut x as *mut [f32; 64],) }
    assert!(all(&x) == true);
}

#[cfg(not(offload_device))]
fn all(x: &[f32; 64]) -> bool {
    x.iter().all(|v|*v == 1.0)
}
